import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFields, type Json, parsedJson, textsIn } from "../../values/json.ts";
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
  isLate: boolean;
}

/**
 * The creations of this machine in the last minutes, a line for each: so the next run knows what lists do not show yet, where
 * the events do not show it either.
 */
export class CreationRecord {
  readonly #file: string | undefined;
  /** @param folder of this user alone; undefined: nothing is recorded */
  constructor(folder?: string, baseUrl = "") {
    const hash = createHash("sha256").update(baseUrl).digest("base64url").slice(0, 22);
    this.#file = folder === undefined ? undefined : join(folder, `creations-${hash}.jsonl`);
  }

  /**
   * A resource was created.
   *
   * @param at by the clock of the server
   * @param isLate whether the server may answer 404 for it until it is complete
   */
  made({ kind, parentId, name }: CreationPlace, at: number, id: string, isLate: boolean): void {
    this.#append({
      kind: kind.slug,
      parent: parentId,
      name: nameKey(name),
      at,
      id,
      ...(isLate && { isLate }),
    });
  }

  /** A resource was deleted. */
  deleted(id: string): void {
    this.#append({ deleted: id });
  }

  /** The creations of the last minutes. A damaged line tells none. @param now by the clock of the server */
  read(now: number): Creation[] {
    const creations = new Map<string, Creation>();
    for (const line of this.#read().split("\n")) {
      const note = parsedJson(line);
      if (!isFields(note)) continue;
      const { deleted, at, isLate } = note;
      if (typeof deleted === "string") creations.delete(deleted.toLowerCase());
      const made = textsIn(note, ["kind", "parent", "name", "id"]);
      const kind = made && findKind(made.kind);
      if (!kind || typeof at !== "number" || now - at >= listLag) continue;
      const { parent: parentId, name, id } = made;
      creations.set(id.toLowerCase(), { kind, parentId, name, id, at, isLate: isLate === true });
    }
    return [...creations.values()];
  }

  #read(): string {
    try {
      if (this.#file === undefined || statSync(this.#file).size > mostBytes) return "";
      return readFileSync(this.#file, "utf8");
    } catch {
      return "";
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
