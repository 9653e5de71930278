// The parts of a pattern: a character, `*` and `**`.
const SOME = Symbol("one or more characters of one part of a path");
const ANY = Symbol("any characters");

type Token = string | typeof SOME | typeof ANY;

/**
 * Compiles a path pattern: `*` and `{name}` match one part of a path, `**` any number of parts. The match follows all
 * alternatives at once, so that its time is at most proportional to the length of the path times that of the pattern.
 */
export function pathPattern(pattern: string): (path: string) => boolean {
  const tokens = tokensOf(pattern);
  const literal = tokens.findIndex((token) => typeof token === "symbol");
  const start = literal === -1 ? pattern : pattern.slice(0, literal);
  return (path) => {
    if (literal === -1) return path === pattern;
    return path.startsWith(start) && matches(tokens.slice(literal), path.slice(literal));
  };
}

function tokensOf(pattern: string): Token[] {
  const stars = pattern.replaceAll(/\{[^{}/]*\}/g, "*");
  return (stars.match(/\*+|[^*]/g) ?? []).map((part) => {
    if (part === "*") return SOME;
    return part.startsWith("*") ? ANY : part;
  });
}

/** `reached`: the positions in the pattern at which the rest of the path may continue. */
function matches(tokens: Token[], path: string): boolean {
  let reached = new Set<number>();
  reach(tokens, reached, 0);
  for (const character of path.split("")) {
    const following = new Set<number>();
    for (const position of reached) {
      const token = tokens[position];
      if (token === ANY) reach(tokens, following, position);
      else if (token === SOME && character !== "/") {
        following.add(position);
        reach(tokens, following, position + 1);
      } else if (token === character) reach(tokens, following, position + 1);
    }
    if (following.size === 0) return false;
    reached = following;
  }
  return reached.has(tokens.length);
}

/** Adds the position after `**`, because `**` may match nothing. */
function reach(tokens: Token[], reached: Set<number>, position: number): void {
  reached.add(position);
  if (tokens[position] === ANY) reach(tokens, reached, position + 1);
}
