import ignore, { type Ignore } from "ignore";

/** The name of the files that leave files and folders beside them and below out of the manifests, in the form of `.gitignore`. */
export const ignoreFileName = ".infrasyncignore";

/** What the ignore files of a folder and of its subfolders leave out. */
export class IgnoreRules {
  readonly #files = new Map<string, Ignore>();

  /** @param folder where the ignore file is, with `/`; empty: the whole folder */
  add(folder: string, text: string): void {
    this.#files.set(folder, ignore({ ignorecase: false }).add(text.replace(/^\uFEFF/, "")));
  }

  /** Whether a file, or a folder that it is in, is left out: the ignore file that is nearest decides. */
  has(file: string, { isFolder = false } = {}): boolean {
    if (this.#files.size === 0) return false;
    const names = file.split("/");
    return names.some((_, index) => {
      const isLast = index === names.length - 1;
      return this.#leavesOut(names.slice(0, index + 1), isLast && !isFolder ? "" : "/");
    });
  }

  #leavesOut(names: readonly string[], end: string): boolean {
    for (let above = names.length - 1; above >= 0; above -= 1) {
      const found = this.#files.get(names.slice(0, above).join("/"));
      const { ignored = false, unignored = false } = found?.test(names.slice(above).join("/") + end) ?? {};
      if (ignored || unignored) return ignored;
    }
    return false;
  }
}
