import { InvalidInputError, type Problem } from "../../core/problem.ts";
import { expand, type Place } from "./expand.ts";
import { readSources } from "./read-sources.ts";
import type { Source, SourceSet } from "./source.ts";

/** A file with documents. */
export interface SourceFile {
  name: string;
  text: string;
}

/** The places from which a list of sources is read. */
export interface SourceListSettings {
  /** The files of the folder as they are now. */
  files(): Promise<readonly SourceFile[]>;
  /** The folders or repositories for which a set makes sources. */
  placesOf(set: SourceSet): Promise<readonly Place[]>;
  /** A failure as a problem. */
  problemOf(error: unknown, set: SourceSet): Problem;
}

/**
 * The sources that a folder states now. Where a file or a set has mistakes, or a set cannot be made, the sources that it has
 * stated before stay: a mistake of one team neither stops the sources of another nor ends its own. Sources also stay if a
 * folder or a set becomes empty: the folder may not be mounted yet, or the token may see less of the forge.
 */
export class SourceList {
  readonly #settings: SourceListSettings;
  #last: readonly Source[] = [];

  constructor(settings: SourceListSettings) {
    this.#settings = settings;
  }

  /**
   * Reads the folder.
   *
   * @throws the errors of `files`, and InvalidInputError if no document is left: the sources then stay unchanged
   */
  async read(): Promise<{ sources: readonly Source[]; problems: readonly Problem[] }> {
    const { files, placesOf, problemOf } = this.#settings;
    const { sources: stated, sets, problems: mistakes, broken } = readSources(await files());
    if (stated.length + sets.length + mistakes.length === 0 && this.#last.length > 0)
      throw new InvalidInputError([nothingLeft]);
    const problems = [...mistakes];
    const made = await Promise.all(
      sets.map(async (set) => {
        const before = this.#last.filter((source) => source.set === set.name);
        try {
          const places = await placesOf(set);
          if (places.length === 0 && before.length > 0) return { sources: before, problems: [emptySet(set)] };
          const found = expand(set, places);
          const others = before.filter(({ name }) => found.sources.every((each) => each.name !== name));
          return found.problems.length > 0 ? { ...found, sources: [...found.sources, ...others] } : found;
        } catch (error) {
          return { sources: before, problems: [problemOf(error, set)] };
        }
      }),
    );
    problems.push(...made.flatMap((each) => each.problems));
    const kept = this.#last.filter(({ file }) => broken.has(file));
    const sources = new Map<string, Source>();
    for (const source of [...stated, ...made.flatMap((each) => each.sources), ...kept]) {
      const other = sources.get(source.name);
      if (other) problems.push(twice(source, other));
      else sources.set(source.name, source);
    }
    this.#last = [...sources.values()];
    return { sources: this.#last, problems };
  }
}

const nothingLeft: Problem = {
  code: "invalid",
  message: "no document states a source any more",
  advice: "check the folder; to end all sources, stop the service",
};

function emptySet({ name }: SourceSet): Problem {
  return {
    code: "invalid",
    message: `the set ${name} finds nothing any more, so its sources stay`,
    advice: "check its patterns, and what the token may see; to end its sources, remove the set",
  };
}

function twice({ name, file, set }: Source, other: Source): Problem {
  const where = (from: string, made: string | undefined) => (made === undefined ? from : `the set ${made}`);
  return {
    code: "invalid",
    message: `two sources are called ${name}: that of ${where(file, set)} is left out, because ${where(other.file, other.set)} has one too`,
    advice: "give one of them another name",
  };
}
