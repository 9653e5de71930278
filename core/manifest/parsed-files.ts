import type { ParsedManifest } from "./parsed.ts";

/**
 * The parsed manifests of a folder that is loaded again and again: a file that has not changed is not parsed again. Of
 * files that the last load has not asked for, nothing is kept.
 */
export class ParsedFiles {
  #known = new Map<string, ParsedManifest>();
  #asked = new Map<string, ParsedManifest>();

  /**
   * The manifests of a file.
   *
   * @param name of the file, which is in its positions
   * @param id of its content
   * @param parse is called where the file is new
   */
  async of(name: string, id: string, parse: () => Promise<ParsedManifest>): Promise<ParsedManifest> {
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
