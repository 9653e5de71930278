import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { test } from "vitest";
import { goFolder } from "../../../tools/pulumi/languages.ts";
import { expectExample, progress, scratch, textOf, useArchives, writeExamples } from "./example-programs.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

const run = promisify(execFile);
const archivesFor = useArchives();

/** The module for Go comes from the archives. */
const goEnvironment = (archives: string) => ({
  CGO_ENABLED: "0",
  GOWORK: "off",
  GOFLAGS: "-mod=mod",
  GOPROXY: `file://${path.join(archives, "go")},https://proxy.golang.org,direct`,
  GONOSUMDB: "example.com/*",
});

test("the example in Go compiles and runs with the module of a proxy", async (context) => {
  const archives = archivesFor(context);
  const languages = await goFolder("languages", progress);
  await forgetModule();
  const compiled = (await run("go", ["env", "GOCACHE"])).stdout.trim();
  context.onTestFinished(forgetModule);
  await expectExample(context, "go", {
    files: Object.fromEntries(
      await Promise.all(
        ["main.go", "go.mod", "go.sum"].map(async (file) => [file, await textOf("go", file)] as const),
      ),
    ),
    environment: (folders) => ({
      PATH: [languages, folders].join(path.delimiter),
      GOCACHE: compiled,
      ...goEnvironment(archives),
    }),
  });
});

test("the example of every resource and function compiles in Go", async (context) => {
  const archives = archivesFor(context);
  const folder = await scratch(context);
  await forgetModule();
  context.onTestFinished(forgetModule);
  await writeExamples(folder, "go", (name) => path.join(name, "main.go"));
  for (const file of ["go.mod", "go.sum"]) await writeFile(path.join(folder, file), await textOf("go", file));
  await run("go", ["vet", "./..."], { cwd: folder, env: { ...process.env, ...goEnvironment(archives) } });
});

/** Go keeps a version of a module for ever. */
async function forgetModule(): Promise<void> {
  const cache = (await run("go", ["env", "GOMODCACHE"])).stdout.trim();
  for (const folder of [cache, path.join(cache, "cache", "download")]) {
    const own = path.join(folder, "example.com", "infrasync");
    // Go makes what it keeps read-only.
    await run("chmod", ["-R", "-f", "u+w", own]).catch(() => undefined);
    await removeFolder(own);
  }
}
