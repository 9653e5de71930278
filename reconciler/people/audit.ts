import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, withName } from "../../core/files.ts";
import { isFields, textIn } from "../../core/json.ts";
import { type Identity, identityIn } from "../identity.ts";

/** Something that a person has done, or was not allowed to. */
export interface Deed {
  /** Milliseconds since 1970. */
  at: number;
  who: Identity;
  /** The address that it came from: `203.0.113.9`, `the socket`. */
  from: string;
  /** `approve`, `signed in`. */
  what: string;
  /** `shop/production`; absent: everything, or nothing in particular. */
  environment?: string | undefined;
  /** Details: `plan 3f2c1a9d2f0c`, `for 2h: a migration`. */
  detail?: string | undefined;
  /** Why it was refused; absent: it was not. */
  refused?: string | undefined;
}

const mostShown = 200;

/** The deeds of people, in a file of the data folder to which lines are only added. */
export class Audit {
  readonly #file: string;

  /** @param folder the data folder */
  constructor(folder: string) {
    this.#file = join(folder, "audit.jsonl");
  }

  /** Writes down what somebody does, before it is done: what cannot be written down is not done. */
  async add({ at, ...deed }: Deed): Promise<void> {
    await makeFolder(join(this.#file, ".."));
    const line = JSON.stringify({ at: new Date(at).toISOString(), ...deed });
    try {
      await appendFile(this.#file, `${line}\n`, { mode: 0o600, flush: true });
    } catch (error) {
      throw withName(error, this.#file);
    }
  }

  /** The newest first. */
  async newest(): Promise<Deed[]> {
    const content = await readFile(this.#file, "utf8").catch(() => "");
    return content
      .split("\n")
      .slice(-mostShown - 1)
      .flatMap((line) => deedIn(line) ?? [])
      .toReversed();
  }
}

function deedIn(line: string): Deed | undefined {
  try {
    const fields: unknown = JSON.parse(line);
    if (!isFields(fields)) return undefined;
    const who = identityIn(fields["who"]);
    const [from, what, environment, detail, refused] = [
      "from",
      "what",
      "environment",
      "detail",
      "refused",
    ].map((member) => textIn(fields, member));
    const at = Date.parse(textIn(fields, "at") ?? "");
    if (who === undefined || from === undefined || what === undefined || Number.isNaN(at)) return undefined;
    return {
      at,
      who,
      from,
      what,
      environment,
      detail,
      refused,
    };
  } catch {
    return undefined;
  }
}
