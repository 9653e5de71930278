import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFields, type Json, textIn } from "../../values/json.ts";
import { findKind, type Kind } from "../../model/kinds/index.ts";
import { nameKey } from "../../model/addresses/names.ts";

/** For how long a list may lack a new resource, in milliseconds. */
export const listLag = 300_000;
/** A file of more bytes begins anew. */
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
}

/**
 * The creations of this machine in the last minutes: a line when one begins, and one when its answer has come. The next run
 * so knows what lists do not show yet, without a request, also where this one was killed. A line is a hint: what it names is
 * read on the server.
 */
export class CreationRecord {
  readonly #file: string | undefined;
  /** @param folder of this user alone; undefined: nothing is recorded */
  constructor(folder?: string, baseUrl = "") {
    const hash = createHash("sha256").update(baseUrl).digest("base64url").slice(0, 22);
    this.#file = folder === undefined ? undefined : join(folder, `creations-${hash}.jsonl`);
  }

  /** The creation of a resource begins. @param at by the clock of the server */
  begin(place: CreationPlace, at: number): void {
    this.#append({ ...noted(place), at });
  }

  /** The resource has this id. */
  made(place: CreationPlace, at: number, id: string): void {
    this.#append({ ...noted(place), at, id });
  }

  /** Nothing was created. */
  failed(place: CreationPlace): void {
    this.#append({ ...noted(place), failed: true });
  }

  /** A resource was deleted. */
  deleted(id: string): void {
    this.#append({ deleted: id });
  }

  /**
   * The creations of the last minutes.
   *
   * @param now by the clock of the server
   * @returns `isUnclear`: one has begun whose end is not known
   */
  read(now: number): { creations: Creation[]; isUnclear: boolean } {
    const begun = new Map<string, number>();
    const creations = new Map<string, Creation>();
    for (const line of this.#read()) {
      const note = parsed(line);
      if (!isFields(note)) continue;
      const deleted = textIn(note, "deleted");
      if (deleted !== undefined) creations.delete(deleted.toLowerCase());
      const [kind, parentId, name] = [textIn(note, "kind"), textIn(note, "parent"), textIn(note, "name")];
      const known = kind === undefined ? undefined : findKind(kind);
      if (!known || parentId === undefined || name === undefined) continue;
      const key = JSON.stringify([kind, parentId, name]);
      begun.delete(key);
      const [id, at] = [textIn(note, "id"), note["at"]];
      if (typeof at !== "number" || now - at >= listLag) continue;
      if (id === undefined) begun.set(key, at);
      else creations.set(id.toLowerCase(), { kind: known, parentId, name, id, at });
    }
    return { creations: [...creations.values()], isUnclear: begun.size > 0 };
  }

  #read(): string[] {
    try {
      if (this.#file === undefined) return [];
      return readFileSync(this.#file, "utf8").split("\n");
    } catch {
      return [];
    }
  }

  #append(note: Json): void {
    if (this.#file === undefined) return;
    try {
      const stats = statSync(this.#file, { throwIfNoEntry: false });
      const isOver = stats && (Date.now() - stats.mtimeMs > listLag || stats.size > mostBytes);
      writeFileSync(this.#file, `${JSON.stringify(note)}\n`, { flag: isOver ? "w" : "a", mode: 0o600 });
    } catch {
      // A full disk must not stop a run.
    }
  }
}

function noted({ kind, parentId, name }: CreationPlace): { kind: string; parent: string; name: string } {
  return { kind: kind.slug, parent: parentId, name: nameKey(name) };
}

function parsed(line: string): Json | undefined {
  try {
    return JSON.parse(line) as Json;
  } catch {
    // A line that was cut off, or the end of the file.
    return undefined;
  }
}
