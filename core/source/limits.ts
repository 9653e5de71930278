/** Bytes of a file. */
export const maximumBytes = 1 << 20;

/** Levels of nested lists and mappings; a resource has eight. */
export const maximumDepth = 100;

/** YAML tokens of a document; a resource has a few hundred. Keeps the time and memory of the parser small. */
export const maximumTokens = 50_000;

/** Values to which the aliases of a document may expand; every use of an alias counts. */
export const maximumAliasedValues = 10_000;

/** Problems of a file that are shown; the others are only counted. */
export const maximumProblems = 100;

/** Problems of a file after which the rest of it is not read. */
export const hopelessProblems = 1000;
