import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Fields, isFields, type Json, textIn } from "../../values/json.ts";
import { findKind, type Kind } from "../../model/kinds/index.ts";
import { nameKey } from "../../model/addresses/names.ts";

/** For how long a list may lack a new resource, in milliseconds. */
export const listLag = 300_000;
/** A longer file is not read. */
const mostBytes = 4 * 1024 * 1024;

/** Where a resource is created. */
export interface CreationPlace {
  kind: Kind;
  parentId: string;
  name: string;
}

/** A resource that was created a moment ago. */
export interface Creation extends CreationPlace {
  id: string;
  /** By the clock of the server, in milliseconds since 1970. */
  at: number;
  /** The server may answer 404 for it until it is complete, as for a clone. */
  isLate?: boolean | undefined;
}

/**
 * The creations of this machine in the last minutes: a line when one begins, and one when its answer has come. So the next
 * run knows without a request what lists do not show yet, even if this run is killed.
 */
export class CreationRecord {
  readonly #file: string | undefined;
  /** @param folder of this user alone; undefined: nothing is recorded */
  constructor(folder?: string, baseUrl = "") {
    const hash = createHash("sha256").update(baseUrl).digest("base64url").slice(0, 22);
    this.#file = folder === undefined ? undefined : join(folder, `creations-${hash}.jsonl`);
  }

  /** The creation of a resource begins. @param at by the clock of the server */
  begin(created: CreationPlace, at: number): void {
    this.#append({ ...noted(created), at });
  }

  /** The resource has this id. @param isLate whether the server may answer 404 for it until it is complete */
  made(created: CreationPlace, at: number, id: string, isLate: boolean): void {
    this.#append({ ...noted(created), at, id, ...(isLate && { isLate }) });
  }

  /** Nothing was created. */
  failed(created: CreationPlace): void {
    this.#append({ ...noted(created), failed: true });
  }

  /** A resource was deleted. */
  deleted(id: string): void {
    this.#append({ deleted: id });
  }

  /**
   * The creations of the last minutes.
   *
   * @param now by the clock of the server
   * @returns `isUnclear`: there may be more, because a creation has no known end, or the record cannot be read
   */
  read(now: number): { creations: Creation[]; isUnclear: boolean } {
    const text = this.#read();
    let isDamaged = text === undefined;
    const started = new Set<string>();
    const creations = new Map<string, Creation>();
    for (const line of (text ?? "").split("\n").filter((each) => each !== "")) {
      const note = parsed(line);
      const [deleted, slug, parentId, name, id] = ["deleted", "kind", "parent", "name", "id"].map((member) =>
        textIn(note, member),
      );
      if (deleted !== undefined) {
        creations.delete(deleted.toLowerCase());
        continue;
      }
      const kind = slug === undefined ? undefined : findKind(slug);
      const at = note["failed"] === true ? -Infinity : note["at"];
      if (!kind || parentId === undefined || name === undefined || typeof at !== "number") {
        isDamaged = true;
        continue;
      }
      const key = JSON.stringify([slug, parentId, name]);
      started.delete(key);
      if (now - at >= listLag) continue;
      if (id === undefined) started.add(key);
      else creations.set(id.toLowerCase(), { kind, parentId, name, id, at, isLate: note["isLate"] === true });
    }
    return { creations: [...creations.values()], isUnclear: isDamaged || started.size > 0 };
  }

  /** Undefined: the file cannot be read. */
  #read(): string | undefined {
    try {
      const stats = this.#file === undefined ? undefined : statSync(this.#file, { throwIfNoEntry: false });
      if (this.#file === undefined || !stats) return "";
      return stats.size > mostBytes ? undefined : readFileSync(this.#file, "utf8");
    } catch {
      return undefined;
    }
  }

  #append(note: Json): void {
    if (this.#file === undefined) return;
    try {
      const stats = statSync(this.#file, { throwIfNoEntry: false });
      const isOver = stats && Date.now() - stats.mtimeMs > listLag;
      writeFileSync(this.#file, `${JSON.stringify(note)}\n`, { flag: isOver ? "w" : "a", mode: 0o600 });
    } catch {
      // A full disk must not stop a run.
    }
  }
}

function noted({ kind, parentId, name }: CreationPlace): { kind: string; parent: string; name: string } {
  return { kind: kind.slug, parent: parentId, name: nameKey(name) };
}

/** The members of a line; none if it was cut off. */
function parsed(line: string): Fields {
  try {
    const note: unknown = JSON.parse(line);
    return isFields(note) ? note : {};
  } catch {
    return {};
  }
}
