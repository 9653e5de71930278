import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import type { Desired } from "../../core/manifest/index.ts";
import { InvalidInputError } from "../../core/problem.ts";
import { readFolder } from "../../git/index.ts";
import type { SourceFlags } from "../flags.ts";
import type { Io } from "../terminal/io.ts";
import { type Described, readManifests } from "./manifests.ts";

/**
 * Reads what the base of a change describes: another folder, or the same sources at a reference of their git repository.
 *
 * @throws InvalidInputError, GitError
 */
export async function readBase(
  base: string,
  sources: readonly string[],
  flags: SourceFlags,
  io: Io,
): Promise<readonly Desired[]> {
  const isThere = await stat(base).catch(() => undefined);
  const described = isThere
    ? await readManifests([base], flags, io)
    : await readAtReference(base, sources.length === 0 ? ["."] : sources, flags, io);
  if (described.problems.length === 0) return described.resources;
  throw new InvalidInputError(described.problems);
}

async function readAtReference(
  reference: string,
  sources: readonly string[],
  flags: SourceFlags,
  io: Io,
): Promise<Pick<Described, "resources" | "problems">> {
  if (sources.includes("-"))
    throw new InvalidInputError([
      {
        code: "argument",
        message: "standard input has no earlier version to compare with",
        advice: "name files and folders of a repository",
      },
    ]);
  const places = sources.map((source) => resolve(source));
  const first = places[0] ?? ".";
  const folder = (await stat(first)).isDirectory() ? first : dirname(first);
  const { top, files } = await readFolder(folder, reference, places, { env: io.env, signal: io.signal });
  const copy = await mkdtemp(join(tmpdir(), "infrasync-base-"));
  try {
    for (const { path, content } of files) {
      await mkdir(dirname(join(copy, path)), { recursive: true });
      await writeFile(join(copy, path), content);
    }
    const there = [];
    for (const place of places) {
      const source = join(copy, relative(top, place));
      if (files.length > 0 && (await stat(source).catch(() => undefined))) there.push(source);
    }
    // A change that adds the folder has an empty base.
    if (there.length === 0) return { resources: [], problems: [] };
    const { resources, problems } = await readManifests(there, flags, io);
    return { resources, problems: problems.map((problem) => renamed(problem, `${copy}/`, `${reference}:`)) };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** A problem with the place in the commit instead of that in the copy. */
function renamed<Problem extends { message: string; position?: { file: string } }>(
  problem: Problem,
  copy: string,
  name: string,
): Problem {
  const { position } = problem;
  return {
    ...problem,
    message: problem.message.replaceAll(copy, name),
    ...(position && { position: { ...position, file: position.file.replace(copy, name) } }),
  };
}
