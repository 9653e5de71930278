/** Bytes of a file. */
export const maximumBytes = 1 << 20;

/** Levels of lists and mappings in each other; a resource has eight. */
export const maximumDepth = 100;

/** YAML tokens of a document; a resource has a few hundred. Keeps the time and memory of the parser small. */
export const maximumTokens = 50_000;

/** Values that the aliases of a document may stand for, counted each time. */
export const maximumAliasedValues = 10_000;

/** Problems of a file that are shown; of the rest only the number. */
export const maximumProblems = 100;

/** Problems of a file after which the rest of it is not read. */
export const hopelessProblems = 1000;
