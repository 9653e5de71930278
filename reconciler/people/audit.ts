import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, withName } from "../../core/files/files.ts";
import Type from "typebox";
import { form, optional } from "../../core/outputs/forms/forms.ts";
import { readStoredLines, type StoredForm, textThat } from "../../core/files/stored-form.ts";
import { identityForm } from "../identity.ts";

const deedForm = form({
  /** ISO 8601. */
  at: textThat((text) => !Number.isNaN(Date.parse(text))),
  who: identityForm,
  /** The address that it came from: `203.0.113.9`, `the socket`. */
  from: Type.String(),
  /** `approve`, `signed in`. */
  what: Type.String(),
  /** `shop/production`; absent: everything, or nothing in particular. */
  environment: optional(Type.String()),
  /** Details: `plan 3f2c1a9d2f0c`, `for 2h: a migration`. */
  detail: optional(Type.String()),
  /** Why it was refused; absent: it was not. */
  refused: optional(Type.String()),
});

/** Something that a person has done, or was not allowed to. `at`: milliseconds since 1970. */
export type Deed = Omit<StoredForm<typeof deedForm>, "at"> & { at: number };

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
    const newest = content
      .split("\n")
      .slice(-mostShown - 1)
      .join("\n");
    return readStoredLines(deedForm, newest)
      .entries.map((deed) => ({ ...deed, at: Date.parse(deed.at) }))
      .toReversed();
  }
}
