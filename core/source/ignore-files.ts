import ignore, { type Ignore } from "ignore";

/** The name of files that exclude files and folders beside them and below, in the form of `.gitignore`. */
export const ignoreFileName = ".infrasyncignore";

/** The rules of the ignore files of a folder and its subfolders. */
export class IgnoreRules {
  readonly #files = new Map<string, Ignore>();

  /** @param folder of the ignore file, with `/`; empty: the whole folder */
  add(folder: string, text: string): void {
    this.#files.set(folder, ignore({ ignorecase: false }).add(text.replace(/^\uFEFF/, "")));
  }

  /** Whether a file, or a parent folder of it, is excluded: the nearest ignore file decides. */
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
