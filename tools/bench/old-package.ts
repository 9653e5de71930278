import { execFile } from "node:child_process";
import { mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const checkout = path.join(import.meta.dirname, "..", "..");

/**
 * Creates the package of a commit in a folder, as that commit itself builds it, with the dependencies of this checkout.
 *
 * @param commit one whose `tools/package.ts` has `emitPackage`
 */
export async function emitPackageOf(commit: string, folder: string): Promise<void> {
  const tree = path.join(await mkdtemp(path.join(await realpath(tmpdir()), "infrasync-old-")), "tree");
  const git = (...args: string[]) => run("git", ["-C", checkout, ...args]);
  await git("worktree", "add", "--quiet", "--detach", tree, commit);
  try {
    await symlink(path.join(checkout, "node_modules"), path.join(tree, "node_modules"), "dir");
    const script = `import { emitPackage } from "./tools/package.ts"; await emitPackage(${JSON.stringify(folder)});`;
    await run(process.execPath, ["--input-type=module", "--eval", script], { cwd: tree });
    // The package itself finds them beside its modules.
    await rm(path.join(folder, "node_modules"), { force: true });
    await symlink(path.join(checkout, "node_modules"), path.join(folder, "node_modules"), "dir");
  } finally {
    await git("worktree", "remove", "--force", tree);
    await rm(path.dirname(tree), { recursive: true, force: true });
  }
}
