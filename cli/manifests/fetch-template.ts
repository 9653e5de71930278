import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RemoteTemplate } from "../../core/manifests/manifest/index.ts";
import { ownCacheFolder } from "../../core/files/own-folder.ts";
import { readFileAt, readRepositoryAddress } from "../../adapters/git/index.ts";
import { withLines } from "../progress/with-status.ts";
import type { Io } from "../terminal/io.ts";

/** Reads a template that another repository has. What a commit contains never changes, so it is fetched once and kept. */
export async function fetchTemplate(
  { git, commit, path }: RemoteTemplate,
  io: Io,
): Promise<Uint8Array | undefined> {
  const { env, user, signal, localRepositories = true } = io;
  const read = readRepositoryAddress(git, { allowLocal: localRepositories });
  if ("problem" in read) throw new Error(read.problem.message);
  const folder = ownCacheFolder("templates", undefined, env, user);
  const name = createHash("sha256")
    .update(JSON.stringify([git, commit, path]))
    .digest("hex");
  const copy = folder === undefined ? undefined : join(folder, `${name}.yaml`);
  const known = copy === undefined ? undefined : await readFile(copy).catch(() => undefined);
  if (known) return known;
  const content = await withLines(io, "fetching a template from its repository", () =>
    readFileAt(read.address, commit, path, { env, signal }),
  );
  if (copy !== undefined && content) await writeFile(copy, content).catch(() => undefined);
  return content;
}
