import type { Variables } from "../../source/variables.ts";
import type { ParsedManifest } from "./parsed-manifest.ts";

export interface ParsedFile {
  parsed: ParsedManifest;
  variables: Pick<Variables, "isUsed">;
}

/** The parsed manifests of a folder that is loaded repeatedly: only changed files are parsed, and unused ones are dropped. */
export class ParsedFiles {
  #known = new Map<string, ParsedFile>();
  #requested = new Map<string, ParsedFile>();

  /** @param name of the file in its positions @param id of its content @param parse is called for a new file */
  async of(name: string, id: string, parse: () => Promise<ParsedFile>): Promise<ParsedFile> {
    const key = `${id} ${name}`;
    const parsed = this.#known.get(key) ?? (await parse());
    this.#requested.set(key, parsed);
    return parsed;
  }

  /** Call it at the end of a load. */
  forgetOthers(): void {
    this.#known = this.#requested;
    this.#requested = new Map();
  }
}
