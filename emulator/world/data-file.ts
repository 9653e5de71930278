import { randomUUID } from "node:crypto";
import { readFile, realpath, rename, unlink, writeFile } from "node:fs/promises";
import { FORMAT, type Snapshot } from "./snapshot.ts";

/** Reads the state of an earlier run; undefined when there is none. Throws for a file that is not a state. */
export async function readDataFile(path: string): Promise<Snapshot | undefined> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new Error(`the data file ${path} cannot be read`, { cause: error });
  });
  if (text === undefined) return undefined;
  const snapshot = parse(text, path) as Partial<Snapshot> | null | undefined;
  if (snapshot?.format === FORMAT) return snapshot as Snapshot;
  throw new Error(
    `the data file ${path} is not a state of this emulator; choose another file, or remove this one`,
  );
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, line = "1"] = /line (\d+)/.exec(String(error)) ?? [];
    throw new Error(
      `the data file ${path} is not a state of this emulator: line ${line} is not JSON; choose another file, or remove this one`,
      { cause: error },
    );
  }
}

/** Saves a state in a file. Writes are atomic: a kill or a full disk leaves the previous state. */
export class DataFile {
  readonly #path: string;
  readonly #take: () => Snapshot;
  #current: Promise<void> | undefined;
  #following: Promise<void> | undefined;

  constructor(path: string, take: () => Snapshot) {
    this.#path = path;
    this.#take = take;
  }

  /** Resolves when the current state is in the file. Saves requested during a write share the next write. */
  save(): Promise<void> {
    if (!this.#current) {
      this.#current = this.#write();
      return this.#current;
    }
    this.#following ??= this.#current
      .catch(() => undefined)
      .then(() => {
        this.#following = undefined;
        return this.save();
      });
    return this.#following;
  }

  async idle(): Promise<void> {
    await Promise.allSettled([this.#current, this.#following]);
  }

  async #write(): Promise<void> {
    const target = await realpath(this.#path).catch(() => this.#path);
    const temporary = `${target}.${randomUUID()}.tmp`;
    try {
      // Only the user may read the file, because it contains tokens.
      await writeFile(temporary, JSON.stringify(this.#take()), { mode: 0o600, flush: true });
      await rename(temporary, target);
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw new Error(`the data file ${this.#path} cannot be written`, { cause: error });
    } finally {
      this.#current = undefined;
    }
  }
}
