import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import Type from "typebox";
import { makeFolder, readIfThere, setAside, writeWhole } from "../../../core/files/files.ts";
import { form, optional } from "../../../core/outputs/forms/forms.ts";
import { readStoredText, storedText, type StoredForm } from "../../../core/files/stored-form.ts";
import {
  type FollowedStore,
  leftLive,
  placeOf,
  type Source,
  type SourcePlaces,
  type StoppedSource,
} from "../../../reconciler/index.ts";
import { dataOf } from "./place.ts";

const members = {
  name: Type.String(),
  team: optional(Type.String()),
  repository: Type.String(),
  path: optional(Type.String()),
};
/** The last declared sources. */
const followedForm = form({
  places: Type.Record(Type.String(), Type.String()),
  followed: Type.Array(form(members)),
  stopped: Type.Array(form({ ...members, at: Type.Number(), left: optional(Type.Array(Type.String())) })),
});

const nothing: StoredForm<typeof followedForm> = { places: {}, followed: [], stopped: [] };

/** A source with a new name at the same place. */
export interface SourceRename {
  from: string;
  to: string;
}

/** Records the declared sources: an undeclared one is shown until somebody acknowledges that, and a renamed one keeps its records. */
export class FollowedSources {
  readonly #data: string;
  readonly #store: FollowedStore;
  #stored: StoredForm<typeof followedForm> = nothing;
  #written: string | undefined;

  /** @param store of the workers that share the sources; default: the data folder */
  constructor(data: string, store: FollowedStore = inFolder(data)) {
    this.#data = data;
    this.#store = store;
  }

  /** Reads the last declared sources, also of other workers. Returns the report of a damage, which hides them. */
  async open(): Promise<string | undefined> {
    this.#written = await this.#store.read();
    const read = this.#written === undefined ? undefined : readStoredText(followedForm, this.#written);
    this.#stored = read?.content ?? nothing;
    if (read?.damage === undefined) return undefined;
    return this.#store.setAside(read.damage, "the sources that have stopped are unknown");
  }

  get places(): SourcePlaces {
    return this.#stored.places;
  }

  get stopped(): readonly StoppedSource[] {
    return this.#stored.stopped;
  }

  beside(source: string): ReturnType<FollowedStore["memoriesBeside"]> {
    return this.#store.memoriesBeside(source);
  }

  renamedIn(sources: readonly Source[]): SourceRename[] {
    const names = new Set(sources.map(({ name }) => name));
    const before = this.#stored.followed.filter(({ name }) => !names.has(name));
    const known = new Set(this.#stored.followed.map(({ name }) => name));
    return sources.flatMap((source) => {
      const same = before.filter((each) => placeOf(each) === placeOf(source));
      const [from] = same;
      return from && same.length === 1 && !known.has(source.name)
        ? [{ from: from.name, to: source.name }]
        : [];
    });
  }

  /** Gives a source its records under the old name, unless it has its own. */
  async move({ from, to }: SourceRename): Promise<void> {
    await rename(dataOf(this.#data, from), dataOf(this.#data, to)).catch(() => undefined);
  }

  /** Replaces the list of declared sources. @param now milliseconds since 1970 */
  async follow(
    sources: readonly Source[],
    places: SourcePlaces,
    renamed: readonly SourceRename[],
    now: number,
  ): Promise<void> {
    const names = new Set([...sources.map(({ name }) => name), ...renamed.map(({ from }) => from)]);
    const gone = this.#stored.followed.filter(({ name }) => !names.has(name));
    const stopped = await Promise.all(
      gone.map(async (each) => ({ ...each, at: now, left: leftLive(await this.#store.memoryOf(each.name)) })),
    );
    await this.#keep({
      places,
      followed: sources.map(({ name, team, repository, path }) => ({ name, repository, team, path })),
      stopped: [...this.stopped.filter(({ name }) => !names.has(name)), ...stopped],
    });
  }

  async acknowledge(given: string): Promise<boolean> {
    await this.open();
    const rest = this.stopped.filter(({ name }) => name !== given);
    const isThere = rest.length < this.stopped.length;
    if (isThere) await this.#keep({ ...this.#stored, stopped: rest });
    return isThere;
  }

  async #keep(stored: StoredForm<typeof followedForm>): Promise<void> {
    this.#stored = stored;
    const { places, followed, stopped } = stored;
    const content = storedText({ places, followed, stopped });
    if (content !== this.#written) await this.#store.write(content);
    this.#written = content;
  }
}

/** The store in the data folder of a service that works alone. */
function inFolder(data: string): FollowedStore {
  const file = join(data, "followed.json");
  const contentOf = (source: string, name: string) => readIfThere(join(dataOf(data, source), name));
  return {
    read: () => readIfThere(file),
    setAside: (damage, unknown) => setAside(file, damage, unknown),
    async write(content) {
      await makeFolder(data);
      await writeWhole(file, content);
    },
    // What it has left is unknown, whether its file is damaged or cannot be read now.
    memoryOf: (source) => contentOf(source, "state.json").catch(() => ""),
    async memoriesBeside(source) {
      const names = await readdir(dataOf(data, "")).catch(() => []);
      return Promise.all(
        names
          .filter((name) => name !== source)
          .map(async (name) => ({
            name,
            place: dataOf(data, name),
            state: await contentOf(name, "state.json"),
            requests: await contentOf(name, "requests.json"),
          })),
      );
    },
  };
}
