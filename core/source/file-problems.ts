import { lineWithoutCredentials, quotesWithoutCredentials } from "../redaction/credential-forms.ts";
import { omitted, type Problem } from "../problems/problem.ts";
import type { Lines } from "./lines.ts";
import { type HoldsSecrets, namedLikeSecrets, secretPlace, withoutWords, wordsIn } from "./secret-places.ts";
import { hopelessProblems, maximumProblems } from "./limits.ts";
import { adviceAt, type PlacedMistake } from "./mistake.ts";

/** The key at the start of a line; empty: none, or one that may be a value itself. */
const keyOf = (line: string) => /^(?:\s*(?:- )?[\w.$-]+:(?=\s|$))?/.exec(line)?.[0] ?? "";

const isMember = (key: string) =>
  /^\s*(?:- )?(?:from(?:_\w+)?|output|value|version|allow_empty|mount_path|overrides|description|key|secret):?$/.test(
    key,
  ) || key === "";

const isName = (key: string) => /^\s*(?:- )?[A-Za-z_]\w*:?$/.test(key);

/** A line with `…` in place of everything after its key. */
export function withoutValue(line: string): string {
  return `${keyOf(line)} …`;
}

/** The problems of a file, of which the first hundred are kept and the others counted. */
export class FileProblems {
  readonly #lines: Lines;
  readonly #problems: Problem[] = [];
  readonly #holdsSecrets: HoldsSecrets;
  #omitted = 0;
  #firstOmitted = 0;

  constructor(lines: Lines, holdsSecrets: HoldsSecrets = namedLikeSecrets) {
    this.#lines = lines;
    this.#holdsSecrets = holdsSecrets;
  }

  add(mistake: PlacedMistake, address?: string): void {
    const { code, remedies, offset } = mistake;
    if (this.#problems.length >= maximumProblems) this.omit(1, offset);
    else {
      const place = this.#lines.position(offset);
      const shown = lineWithoutCredentials(place.text);
      const secret = secretPlace(this.#lines.text, offset, this.#holdsSecrets);
      const key = keyOf(place.text);
      // The parser's words about a value, and about a key that is neither the name nor a member of a secret.
      const isOpenKey = secret && code !== "invalid" && !isMember(key) && !(secret.isKeyName && isName(key));
      const words =
        secret && code !== "invalid" ? wordsIn(isOpenKey ? place.text : place.text.slice(key.length)) : [];
      const hidden =
        mistake.hidesKey || isOpenKey ? "…" : mistake.hidesLine || secret ? withoutValue(place.text) : shown;
      const position = { ...place, text: hidden };
      const hide = (sentence: string) => quotesWithoutCredentials(withoutWords(words, sentence));
      this.#problems.push({
        code,
        message: hide(mistake.message),
        // The advice repeats a line without hidden texts.
        advice:
          secret && code === "variable"
            ? "name the source of the value: KEY: { from_env: NAME }, a variable of the shell"
            : hide(position.text === place.text ? adviceAt(mistake, position) : mistake.advice),
        remedies,
        position,
        address,
      });
    }
  }

  /** Counts mistakes without their texts; the first of them is near the offset. */
  omit(count: number, offset: number): void {
    if (this.#omitted === 0) this.#firstOmitted = offset;
    this.#omitted += count;
  }

  /** Whether there are so many problems that the rest of the file is not read. */
  get isHopeless(): boolean {
    return this.#omitted > hopelessProblems;
  }

  /** The kept problems, and a last one that counts the others. */
  problems(): Problem[] {
    if (this.#omitted === 0) return this.#problems;
    const others = { count: this.#omitted, isAtLeast: this.isHopeless };
    const position = this.#lines.position(this.#firstOmitted);
    return [...this.#problems, { ...omitted(others, " in this file"), position }];
  }
}
