import { own } from "../../core/values/json.ts";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import { escapeControl } from "../../core/values/text.ts";
import type { ManifestPlace } from "../../adapters/forge/index.ts";
import { expand } from "./expand.ts";
import { readSources } from "./read-sources.ts";
import type { Source, SourceSet } from "./source.ts";

export interface SourceFile {
  name: string;
  text: string;
}

/** The places of a list of sources. */
export interface SourceListSettings {
  files(): Promise<readonly SourceFile[]>;
  placesOf(set: SourceSet): Promise<readonly ManifestPlace[]>;
  problemOf(error: unknown, set: SourceSet): Problem;
  /** The places of sources by name, from an earlier process; default: unknown. */
  places?: SourcePlaces;
}

/** The place of each source, by its lower-case name. */
export type SourcePlaces = Readonly<Record<string, string>>;

/** The repository of a source and its folder there. */
export function placeOf({ repository, path = "" }: Pick<Source, "repository" | "path">): string {
  return path === "" ? repository : `${path} of ${repository}`;
}

/**
 * The sources that a folder declares now. If a file or a set has mistakes, or a set cannot be made, its earlier sources
 * stay: a mistake of one team neither stops the sources of another nor ends its own. Sources also stay if a folder or a
 * set becomes empty: the folder may not be mounted yet, or the token may see less of the Git host.
 */
export class SourceList {
  readonly #settings: SourceListSettings;
  #last: readonly Source[] = [];
  /** The place of each source: a name stays at its place until a document of its own moves it. */
  #places: SourcePlaces;

  constructor(settings: SourceListSettings) {
    this.#settings = settings;
    this.#places = settings.places ?? {};
  }

  get places(): SourcePlaces {
    return this.#places;
  }

  /** Reads the folder. @throws the errors of `files`, and InvalidInputError without a document: the sources then stay */
  async read(): Promise<{ sources: readonly Source[]; problems: readonly Problem[] }> {
    const { files, placesOf, problemOf } = this.#settings;
    const { sources: declared, sets, problems: mistakes, broken } = readSources(await files());
    if (declared.length + sets.length + mistakes.length === 0 && this.#last.length > 0)
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
    const unread = this.#last.filter(({ file }) => broken.has(file));
    const all = [...declared, ...made.flatMap((each) => each.sources), ...unread];
    const chosen = [...Map.groupBy(all, keyOf)].map(([key, candidates]) => this.#choose(key, candidates));
    problems.push(...chosen.flatMap((each) => each.problems));
    this.#last = chosen.flatMap(({ source }) => source ?? []);
    this.#places = {
      ...this.#places,
      ...Object.fromEntries(this.#last.map((source) => [keyOf(source), placeOf(source)])),
    };
    return { sources: this.#last, problems };
  }

  /** Chooses the source of a name. Where several have it, or a set has found it elsewhere, the running one stays unchanged. */
  #choose(key: string, candidates: readonly Source[]): { source?: Source | undefined; problems: Problem[] } {
    const [source, ...others] = candidates;
    const running = this.#last.find((each) => keyOf(each) === key);
    const known = own(this.#places, key);
    if (!source) return { problems: [] };
    if (others.length === 0) {
      const isMoved = known !== undefined && known !== placeOf(source) && source.set !== undefined;
      return isMoved ? { source: running, problems: [moved(source, known)] } : { source, problems: [] };
    }
    const problems = candidates.map((each) => twice(each, candidates));
    // After a restart, the place of the name tells which one ran.
    const before = running ?? candidates.find((each) => placeOf(each) === known);
    return { source: before, problems };
  }
}

function keyOf({ name }: Source): string {
  return name.toLowerCase();
}

const nothingLeft: Problem = {
  code: "invalid",
  message: "no document declares a source any more",
  advice: "check the folder; to end all sources, stop the service",
};

function emptySet({ name }: SourceSet): Problem {
  return {
    code: "invalid",
    message: `the set ${name} no longer matches anything, so its sources stay`,
    advice: "check its patterns, and the rights of the token; to end its sources, remove the set",
  };
}

function moved(source: Source, known: string): Problem {
  return {
    code: "invalid",
    message: `the set ${source.set} finds the source ${source.name} at ${escapeControl(placeOf(source))}, and this source was at ${escapeControl(known)} before`,
    advice: "give it another name; or declare it in a document of kind Source, to move it",
  };
}

function twice(source: Source, candidates: readonly Source[]): Problem {
  const whereOf = ({ file, set }: Source) => (set === undefined ? file : `the set ${set}`);
  const others = candidates.filter((each) => each !== source);
  const places = others.map((each) => `${escapeControl(placeOf(each))} (${whereOf(each)})`).join(", ");
  return {
    code: "invalid",
    message: `the source ${source.name} at ${escapeControl(placeOf(source))} (${whereOf(source)}) has the same name as the source at ${places}`,
    advice: "give one of them another name; until then, the running source stays unchanged",
  };
}
