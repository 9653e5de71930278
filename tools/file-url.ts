import { statSync } from "node:fs";

/**
 * The URL at which a reader finds a file of the checkout; that of a folder ends with a slash.
 *
 * @param base the URL of the checkout, with a slash at its end
 * @param target the path of the file in the checkout, perhaps with an anchor
 */
export function fileUrl(base: string, target: string): string {
  const [file = ""] = target.split("#");
  return `${base}${target}${statSync(file).isDirectory() ? "/" : ""}`;
}

/**
 * Where the package of a version has its files, as a registry serves them.
 *
 * @param of the name and the version of the package
 */
export function packageUrl({ name, version }: { name: string; version: string }): string {
  return `https://unpkg.com/${name}@${version}/`;
}
