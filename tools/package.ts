import { copyFile, cp, mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { build, dist } from "./build.ts";

const checkout = path.join(import.meta.dirname, "..");

/** Creates the package in a folder as in a `node_modules`, with the dependencies of the checkout. */
export async function emitPackage(folder: string): Promise<void> {
  await build();
  await mkdir(folder, { recursive: true });
  await cp(dist, path.join(folder, "dist"), { recursive: true });
  await copyFile(path.join(checkout, "package.json"), path.join(folder, "package.json"));
  await symlink(path.join(checkout, "node_modules"), path.join(folder, "node_modules"), "dir");
}
