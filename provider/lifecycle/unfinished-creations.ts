import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Type from "typebox";
import { readStoredText, storedText } from "../../core/files/stored-form.ts";
import { form } from "../../core/outputs/forms/forms.ts";
import type { Kind } from "../../core/model/kinds/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import type { ResourcePlace } from "../../core/operations/index.ts";
import { cacheFolder } from "./ledger-file.ts";

/** Milliseconds after which the note of a creation is ignored. */
const noteLife = 7 * 24 * 3_600_000;

const noteForm = form({ resource: Type.String(), at: Type.Number() });

type Place = Pick<ResourcePlace, "parentId" | "name"> & { kind: Pick<Kind, "slug"> };

/**
 * The creations that this machine has started and that no state is known to have. The engine does not tell a provider
 * about a creation that was killed, so a file for each tells the next run that the resource is its own.
 */
export class UnfinishedCreations {
  readonly #folder: string | undefined;

  constructor(environment: NodeJS.ProcessEnv) {
    this.#folder = cacheFolder("creations", environment);
  }

  /**
   * Records the start of a creation.
   *
   * @param resource its name in the program; without it, nothing is recorded
   * @param at milliseconds, by the clock of the server
   */
  begin(place: Place, resource: string | undefined, at: number): void {
    if (resource === undefined) return;
    this.#try((folder) =>
      writeFileSync(fileOf(folder, place), storedText({ resource, at }), { mode: 0o600 }),
    );
  }

  /** When the creation started; undefined: unknown. */
  startedAt(place: Place, resource: string | undefined, now: number): number | undefined {
    const text = this.#try((folder) => readFileSync(fileOf(folder, place), "utf8"));
    const noted = text === undefined ? undefined : readStoredText(noteForm, text).content;
    return noted && noted.resource === resource && now - noted.at < noteLife ? noted.at : undefined;
  }

  /** Removes the record: a state has the resource, or it was not created. Ignores an unknown place. */
  settle({ kind, parentId, name }: Pick<Place, "kind"> & Partial<Place>): void {
    if (parentId === undefined || name === undefined) return;
    this.#try((folder) => rmSync(fileOf(folder, { kind, parentId, name }), { force: true }));
  }

  /** Undefined if the file or folder is missing or unusable: the run works without it. */
  #try<Result>(work: (folder: string) => Result): Result | undefined {
    if (this.#folder === undefined) return undefined;
    try {
      return work(this.#folder);
    } catch {
      return undefined;
    }
  }
}

function fileOf(folder: string, { kind, parentId, name }: Place): string {
  const place = JSON.stringify([kind.slug, parentId, nameKey(name)]);
  return join(folder, `${createHash("sha256").update(place).digest("hex")}.json`);
}
