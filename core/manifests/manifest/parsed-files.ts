import type { Variables } from "../../source/variables.ts";
import type { ParsedManifest } from "./parsed-manifest.ts";

/** The manifests of a file, and the variables that they use. */
export interface ParsedFile {
  parsed: ParsedManifest;
  variables: Pick<Variables, "isUsed">;
}

/**
 * The parsed manifests of a folder that is loaded again and again: a file that has not changed is not parsed again. Of
 * files that the last load has not asked for, nothing is kept.
 */
export class ParsedFiles {
  #known = new Map<string, ParsedFile>();
  #asked = new Map<string, ParsedFile>();

  /**
   * The manifests of a file.
   *
   * @param name of the file, which is in its positions
   * @param id of its content
   * @param parse is called where the file is new
   */
  async of(name: string, id: string, parse: () => Promise<ParsedFile>): Promise<ParsedFile> {
    const key = `${id} ${name}`;
    const parsed = this.#known.get(key) ?? (await parse());
    this.#asked.set(key, parsed);
    return parsed;
  }

  /** A load has ended. */
  forgetOthers(): void {
    this.#known = this.#asked;
    this.#asked = new Map();
  }
}
