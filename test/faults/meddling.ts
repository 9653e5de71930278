import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { ApiError } from "../../core/index.ts";
import { type Fields, isFields } from "../../core/values/json.ts";
import { OperationError } from "../../core/operations/index.ts";
import type { FaultyServer } from "../fixtures/faulty-server.ts";
import { addVariable, change } from "./by-hand.ts";

// A person who changes services while a run has a plan and has not carried it out, and who takes it back afterwards, so that
// the end can be compared with that of a server on which nobody has done anything.

const words = ["renames", "shrinks", "adds a volume", "adds a secret"] as const;

/** What a person does to one of the services. */
export interface Entry {
  what: (typeof words)[number];
  which: number;
}

export const operations: fc.Arbitrary<Entry[]> = fc.oneof(
  fc.constant<Entry[]>([]),
  fc.array(fc.record({ what: fc.constantFrom(...words), which: fc.nat({ max: 9 }) }), {
    minLength: 1,
    maxLength: 2,
  }),
);

const mark = "BY_HAND";
const suffix = "-by-hand";
const mount = "/by-hand";

export class Person {
  readonly #stage: FaultyServer;
  /** The fields and the names that services had before, by id. */
  readonly #former = new Map<string, Fields>();

  constructor(stage: FaultyServer) {
    this.#stage = stage;
  }

  /** @returns how much was done: what is not possible, the person leaves */
  async act(all: readonly Entry[]): Promise<number> {
    let count = 0;
    for (const { what, which } of all) {
      const possible = (await this.#services()).filter((service) => isPossible(what, service));
      const service = possible[which % possible.length];
      if (service && (await isDone(() => this.#do(what, service)))) count += 1;
    }
    return count;
  }

  async #do(what: Entry["what"], service: Fields): Promise<void> {
    const { harness } = this.#stage;
    const { id, name } = service;
    const former = { name: String(name), storage: storageOf(service) };
    switch (what) {
      case "renames":
        await change(harness, service, {}, `${String(name)}${suffix}`);
        break;
      case "shrinks":
        await change(harness, service, { storage: former.storage.map((volume) => ({ ...volume, size: 1 })) });
        break;
      case "adds a volume":
        await change(harness, service, {
          storage: [...former.storage, { type: "FAST_SSD", size: 50, mount_point: mount }],
        });
        break;
      case "adds a secret":
        await addVariable(harness, service, mark, true);
        break;
      default:
        what satisfies never;
    }
    if (!this.#former.has(String(id))) this.#former.set(String(id), former);
  }

  /** Takes back what is left of the deeds, in copies of the services too. */
  async takeBack(): Promise<void> {
    const { harness } = this.#stage;
    for (const service of await this.#services()) {
      const type = String(service["service_type"]);
      const variables = await harness.results(`/variable?parent_id=${String(service["id"])}&scope=${type}`);
      for (const variable of variables)
        if (variable["key"] === mark && variable["scope"] === type)
          await isDone(() => harness.api("DELETE", `/variable/${String(variable["id"])}`));
      const former = this.#former.get(String(service["id"]));
      const storage = storageOf(service);
      const sizes = new Map(storageIn(former).map((volume) => [volume["mount_point"], volume["size"]]));
      const restored = storage
        .filter((volume) => volume["mount_point"] !== mount)
        .map((volume) => {
          const size = sizes.get(volume["mount_point"]);
          return volume["size"] === 1 && size !== undefined ? { ...volume, size } : volume;
        });
      const name = String(service["name"]);
      const declared: Fields = isDeepStrictEqual(restored, storage) ? {} : { storage: restored };
      if (!name.endsWith(suffix) && Object.keys(declared).length === 0) continue;
      await isDone(() => change(harness, service, declared, name.replace(suffix, "")));
    }
    this.#former.clear();
  }

  async #services(): Promise<Fields[]> {
    const everything = await this.#stage.everything();
    return everything
      .filter(([path]) => /^shop\/[^/]+\/(?:JOB|APPLICATION) /.test(path))
      .map(([, answer]) => answer);
  }
}

function isPossible(what: Entry["what"], service: Fields): boolean {
  if (what === "renames") return !String(service["name"]).endsWith(suffix);
  if (what === "adds a secret") return true;
  return (
    service["service_type"] === "APPLICATION" && (what === "adds a volume" || storageOf(service).length > 0)
  );
}

function storageOf(service: Fields): Fields[] {
  return storageIn(service).map(({ type = "", size = 0, mount_point: place = "" }) => ({
    type,
    size,
    mount_point: place,
  }));
}

function storageIn({ storage }: Fields = {}): Fields[] {
  return Array.isArray(storage) ? storage.filter(isFields) : [];
}

/** Whether the server carries it out: it refuses what it is about to delete, and a name that is taken. */
async function isDone(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    const isRefused = error instanceof ApiError || error instanceof OperationError;
    if (!isRefused && !/: (?:404|409) /.test(String(error))) throw error;
    return false;
  }
}
