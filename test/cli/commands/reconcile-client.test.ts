import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@hey-api/openapi-ts";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { shop } from "../../fixtures/manifests.ts";
import { spawnInfrasync } from "../child.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture({ rateLimit: 0 });
const checkout = join(import.meta.dirname, "..", "..", "..");

/** A program that uses the generated client: the ids of operations and the forms are those of the OpenAPI document. */
const program = (word: "" | "Source") => `
import { client } from "./generated/client.gen.ts";
import { ask${word} as ask, read${word}Audit as readAudit, read${word}Journal as readJournal, read${word}Status as readStatus } from "./generated/sdk.gen.ts";

const [, , address = "", auth = "", commit = ""] = process.argv;
client.setConfig({ baseUrl: address, auth });
const path = ${word === "" ? "{}" : '{ path: { source: "shop" } }'};
const environment = "shop/staging";
const status = async () => {
  const { data, error } = await readStatus({ ...path, query: { contains: commit } });
  if (data?.format !== "infrasync-reconcile-status") throw new Error(JSON.stringify(error));
  return data;
};
// The wait: until the commit is applied.
let isApplied = false;
while (!isApplied) {
  isApplied = (await status()).contains?.applied_in.includes(environment) ?? false;
  if (!isApplied) await new Promise((resolve) => setTimeout(resolve, 50));
}
const paused = await ask({ ...path, body: { type: "pause", environment, for: "1h", reason: "a release" } });
const { environments } = await status();
const [pause] = environments.find(({ name }) => name === environment)?.suspended ?? [];
const resumed = await ask({ ...path, body: { type: "resume", environment } });
const again = await ask({ ...path, body: { type: "resume", environment } });
const refused = await readStatus({ ...path, auth: "wrong" });
const journal = await readJournal({ ...path });
const audit = await readAudit({ ...path });
console.log(JSON.stringify({
  paused: paused.response?.status,
  reason: pause?.reason,
  resumed: resumed.data?.message,
  again: again.response?.status,
  refused: refused.response?.status,
  journal: journal.data?.entries.map(({ type }) => type),
  audit: audit.data?.entries.map(({ type, client, sentence }) => ({ type, client, sentence })),
}));
`;

const folder = mkdtempSync(join(tmpdir(), "infrasync-client-"));

beforeAll(async () => {
  await createClient({
    input: join(checkout, "schemas/service.openapi.json"),
    output: { path: join(folder, "generated"), module: { extension: ".ts" } },
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
    logs: { level: "silent" },
  });
  writeFileSync(join(folder, "one.ts"), program(""));
  writeFileSync(join(folder, "many.ts"), program("Source"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  symlinkSync(join(checkout, "node_modules"), join(folder, "node_modules"));
  const compiler = join(checkout, "node_modules/typescript7/bin/tsc");
  const options = [
    "--noEmit",
    "--strict",
    "--allowImportingTsExtensions",
    "--module",
    "nodenext",
    "--types",
    "node",
  ];
  const { stdout } = spawnSync(process.execPath, [compiler, ...options, "one.ts", "many.ts"], {
    cwd: folder,
    encoding: "utf8",
  });
  if (stdout !== "") throw new Error(stdout);
  return () => rmSync(folder, { recursive: true });
});

test.each([
  ["one source", "one.ts"],
  ["many sources", "many.ts"],
])(
  "a client generated from the OpenAPI document waits, pauses, resumes and reads the status, journal and audit of a service with %s",
  async (_name, file) => {
    const repository = new GitRepository();
    const data = mkdtempSync(join(tmpdir(), "infrasync-client-data-"));
    onTestFinished(() => {
      repository[Symbol.dispose]();
      rmSync(data, { recursive: true, force: true });
    });
    const commit = repository.push({ "infra/shop.yaml": shop });
    await fixture.write("ci-token", "the-token-of-the-ci\n");
    const access = await fixture.write(
      "access.yaml",
      "roles: [{ role: operate, name: ci, token_file: ci-token }]",
    );
    mkdirSync(join(data, "sources"));
    writeFileSync(
      join(data, "sources", "all.yaml"),
      `kind: Source\nname: shop\nrepository: ${repository.origin}\npath: infra\n`,
    );
    const which =
      file === "many.ts"
        ? ["--sources", join(data, "sources")]
        : ["--repo", repository.origin, "--path", "infra"];
    const child = spawnInfrasync(
      [
        "reconcile",
        "--allow-local-repo",
        "--yes",
        "--interval",
        "1s",
        "--listen",
        "0",
        "--access-file",
        access,
        "--data",
        join(data, "data"),
        ...which,
      ],
      fixture.env,
    );
    onTestFinished(() => void child.process.kill("SIGKILL"));
    const first = await Promise.race([once(child.process.stdout, "data"), child.ended]);
    if (!Array.isArray(first)) throw new Error(first.stderr);
    const { url } = JSON.parse(String(first[0])) as { url: string };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(folder, file), url, "the-token-of-the-ci", commit],
      { timeout: 100_000 },
    );
    const answer = JSON.parse(stdout) as { journal: string[]; audit: object[] };
    expect(answer).toMatchObject({
      paused: 200,
      reason: expect.stringContaining("a release"),
      again: 409,
      refused: 401,
    });
    expect(answer.journal).toContain("applied");
    const from = { client: "127.0.0.1" };
    expect(answer.audit).toMatchObject([
      { type: "refused", ...from, sentence: expect.stringContaining("no pause of yours") },
      { type: "requested", ...from, sentence: "ci asks for resume in shop/staging" },
      { type: "requested", ...from, sentence: "ci asks for pause in shop/staging" },
    ]);
  },
);
