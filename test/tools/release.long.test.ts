import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { GitRepository } from "../fixtures/git-repository.ts";
import { listen } from "../fixtures/http-server.ts";

interface Job {
  needs?: string | string[];
  permissions?: Record<string, string>;
  steps: { name?: string; run?: string; uses?: string }[];
}

const file = path.join(import.meta.dirname, "../../.github/workflows/release.yml");
const { jobs } = parse(readFileSync(file, "utf8")) as { jobs: Record<string, Job> };

/** The jobs that run before a job. */
function before(name: string): string[] {
  const needs = [jobs[name]?.needs ?? []].flat();
  return needs.flatMap((each) => [each, ...before(each)]);
}

/** Whether a job can change what others see. */
function publishes(job: Job): boolean {
  return Object.values(job.permissions ?? {}).includes("write") || JSON.stringify(job).includes("secrets.");
}

const publishing = Object.keys(jobs).filter((name) => jobs[name] && publishes(jobs[name]));

test("everything is tested, built and checked before anything is published", () => {
  const building = Object.keys(jobs).filter((name) => !publishing.includes(name));
  expect(building).toEqual(["test", "executables", "build"]);
  expect(publishing.length).toBeGreaterThan(3);
  for (const name of publishing) {
    expect(before(name)).toEqual(expect.arrayContaining(building));
    const commands = jobs[name]?.steps.map(({ run }) => run ?? "").join("\n");
    expect(commands, name).not.toMatch(/npm (?:ci|run|pack)|docker build|git commit/);
  }
});

test("what a registry keeps for ever comes after what can be replaced", () => {
  expect(before("packages")).toEqual(expect.arrayContaining(["github", "image"]));
  expect(before("announce")).toContain("packages");
});

/** Runs the commands of a step as a runner does. */
async function play(job: string, step: string, cwd: string, env: Record<string, string>): Promise<void> {
  const run = jobs[job]?.steps.find(({ name }) => name === step)?.run;
  if (run === undefined) throw new Error(`the job ${job} has no step ${step}`);
  const inherited = {
    PATH: process.env["PATH"],
    HOME: cwd,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GITHUB_REF_NAME: "v0.1.0",
  };
  await promisify(execFile)("bash", ["-e", "-o", "pipefail", "-c", run], {
    cwd,
    env: { ...inherited, ...env },
  });
}

test("the commits of the action and of the SDK for Go are the same when they are made again, and are pushed once", async () => {
  using repository = new GitRepository();
  const commit = repository.push({ "action.yml": "name: infrasync\n" });
  const tags = [];
  for (const [name, now] of [
    ["first", "2026-01-01T00:00:00Z"],
    ["second", "2026-01-02T00:00:00Z"],
  ] as const) {
    const [build, publish] = [
      path.join(repository.folder, name),
      path.join(repository.folder, `${name}-publish`),
    ];
    for (const folder of [build, publish]) repository.git("clone", "--quiet", repository.origin, folder);
    mkdirSync(path.join(build, "action"));
    writeFileSync(path.join(build, "action", "index.js"), "// the bundle\n");
    const version = path.join(build, "dist-sdk/go/example.com/acme/infrasync/sdk/go/infrasync/@v");
    mkdirSync(version, { recursive: true });
    const zip = `import zipfile; zipfile.ZipFile("v0.1.0.zip", "w").writestr("example.com/acme/infrasync/sdk/go/infrasync@v0.1.0/go.mod", "module x")`;
    await promisify(execFile)("python3", ["-c", zip], { cwd: version });
    await play("build", "The commits of the action and of the SDK for Go", build, {
      GITHUB_SHA: commit,
      // What the clock says.
      GIT_COMMITTER_DATE: now,
      GIT_AUTHOR_DATE: now,
    });
    repository.git("-C", publish, "bundle", "verify", "--quiet", path.join(build, "commits.bundle"));
    writeFileSync(path.join(publish, "commits.bundle"), readFileSync(path.join(build, "commits.bundle")));
    // A job that is run again pushes what is there already.
    await play("github", "The tags of the action and of the SDK for Go", publish, {});
    await play("github", "The tags of the action and of the SDK for Go", publish, {});
    tags.push(repository.atOrigin("for-each-ref", "refs/tags"));
  }
  expect(tags[0]).toMatch(
    /commit\trefs\/tags\/action-v0\.1\.0\n.* commit\trefs\/tags\/sdk\/go\/infrasync\/v0\.1\.0$/,
  );
  expect(tags[1]).toBe(tags[0]);
  expect(repository.atOrigin("ls-tree", "-r", "--name-only", "sdk/go/infrasync/v0.1.0")).toContain(
    "sdk/go/infrasync/go.mod",
  );
});

test("a package that the registry has already is left alone, and another one under its version is an error", async () => {
  using repository = new GitRepository();
  const known = new Map<string, { versions: object }>();
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? "").slice(1));
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.method === "PUT")
        known.set(name, JSON.parse(String(Buffer.concat(chunks))) as { versions: object });
      const found = known.get(name);
      response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify(found ?? { error: "not found" }));
    });
  });
  onTestFinished(() => void server.close());
  let writes = 0;
  server.on("request", ({ method }) => (writes += method === "PUT" ? 1 : 0));
  const registry = `http://127.0.0.1:${await listen(server)}/`;
  const release = path.join(repository.folder, "release");
  const pack = async (name: string, text: string) => {
    const folder = path.join(repository.folder, name, text);
    mkdirSync(folder, { recursive: true });
    mkdirSync(release, { recursive: true });
    writeFileSync(
      path.join(folder, "package.json"),
      JSON.stringify({ name, version: "0.1.0", description: text }),
    );
    await promisify(execFile)("npm", ["pack", "--pack-destination", release], { cwd: folder });
  };
  await pack("infrasync-a", "one");
  await pack("infrasync-b", "two");
  const again = () =>
    play("packages", "The package, and the SDK for Node", repository.folder, {
      npm_config_registry: registry,
      [`npm_config_//${new URL(registry).host}/:_authToken`]: "token",
    });
  await again();
  expect([...known.keys()]).toEqual(["infrasync-a", "infrasync-b"]);
  await again();
  expect(writes).toBe(2);
  await pack("infrasync-b", "another");
  await expect(again()).rejects.toThrow(/cannot publish over/i);
  expect(writes).toBe(2);
});
