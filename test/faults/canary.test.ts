import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { dump, parseAddress, readPlan, startRun, writePlan } from "../../core/index.ts";
import type { FaultRequest } from "../../emulator/control/faults.ts";
import { canary, seed } from "./untouched-project.ts";
import { clone, environment, job, lifecycle, project, shop } from "../fixtures/documents.ts";
import { proposeSaved } from "../../core/execution/session/index.ts";
import { desiredOf } from "../fixtures/desired.ts";
import { openPolicy } from "../fixtures/policy.ts";
import { policy } from "./reference-comparison.ts";
import { isSoak } from "../fixtures/fault-kinds.ts";
import { FaultyServer } from "../fixtures/faulty-server.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

const secret = "c4nary-s3cret-value";

let stage: FaultyServer;
let folder: string;
beforeAll(async () => {
  stage = await FaultyServer.open({ seed });
  folder = await mkdtemp(join(tmpdir(), "infrasync-canary-"));
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await removeFolder(folder);
});

const echo = `who is Token ${canary}? I am ${secret}`;
const headers = { "content-type": "text/html", "x-token": canary };
const faults: [name: string, fault: FaultRequest][] = [
  ["nothing", { delay_ms: 0 }],
  ...[400, 401, 403, 404, 408, 409, 422, 429, 500, 503].map((status): [string, FaultRequest] => [
    `a ${status} that tells the token`,
    { status, body: { status, error: canary, message: echo } },
  ]),
  ["a page that contains the token", { status: 502, body: `<html>${echo}</html>`, headers }],
  ["a 200 with a page that contains the token", { status: 200, body: `<html>${echo}</html>`, headers }],
  ["a redirect with the token", { status: 302, body: "", headers: { location: `/login?token=${canary}` } }],
  ["no answer", { drop: "after" }],
  ["half an answer", { truncate: 30 }],
  ["no answer in time", { delay_ms: 400 }],
];

const before = [...shop, job("shop/staging/a"), job("shop/staging/b")];
const after = [
  project(),
  environment("shop/staging", { manage: { prune: true } }),
  lifecycle("shop/staging/a"),
  job("shop/staging/new"),
  clone("Environment", "shop/copy", "shop/staging"),
];

beforeEach(async () => {
  await stage.reset();
  await stage.succeed(before);
  for (const name of ["a", "b"]) {
    const { id } = await stage.answer(`shop/staging/JOB ${name}`);
    const scope = { variable_scope: "JOB", variable_parent_id: id };
    await stage.harness.api("POST", "/variable", {
      key: "PASSWORD",
      value: secret,
      is_secret: true,
      ...scope,
    });
    await stage.harness.api("POST", "/variable", { key: "LEVEL", value: "info", is_secret: false, ...scope });
  }
});

/** Every text that can be obtained from a value, including members that are not enumerable. Each object is looked at once. */
function everythingOf(value: unknown): string {
  const json = JSON.stringify(value, (_member, inner: unknown) =>
    inner instanceof Error
      ? Object.fromEntries(Object.getOwnPropertyNames(inner).map((name) => [name, Reflect.get(inner, name)]))
      : inner,
  );
  const texts = [json];
  const found = new Set<unknown>([value]);
  for (const each of found) {
    if (!isObject(each)) {
      texts.push(String(each));
      continue;
    }
    // Such as URL and Headers, which have no members of their own.
    if (inspect.custom in each) texts.push(inspect(each, { maxStringLength: null }));
    if (each instanceof Uint8Array) texts.push(Buffer.from(each).toString("latin1"));
    else
      for (const name of Reflect.ownKeys(each)) {
        found.add(String(name));
        // Those of a function that is not strict cannot be read.
        if (!(typeof each === "function" && /^(?:caller|arguments)$/.test(String(name))))
          found.add(Reflect.get(each, name));
      }
    if (each instanceof Map) for (const entry of each) found.add(entry);
    if (each instanceof Set) for (const entry of each) found.add(entry);
  }
  return texts.join("\n");
}

const isObject = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function";

const methods = ["GET", "POST", "PUT", "DELETE"];
/** Each fault at one of the methods, and each method with one of the faults; in `npm run soak -- --only grids` all with all. */
const cases = faults.flatMap(([name, fault], index) =>
  methods
    .filter((_, place) => isSoak || place === index % methods.length)
    .map((method) => ({ name, method, fault })),
);

test.each(cases)(
  "$method, $name: no report, error, plan file or log contains the token or a secret",
  async ({ method, fault }) => {
    const seen: unknown[] = [];
    const client = {
      requestTimeout: 200,
      logger: { debug: (...line: unknown[]) => seen.push(line) },
      onWait: (wait: unknown) => seen.push(wait),
    };
    const isRead = method === "GET";
    const breaking = () => stage.breaks({ method, ...fault, ...(isRead ? { after: 3 } : {}), times: 8 });
    const file = join(folder, "plan.json");
    try {
      const run = await stage.run(after, {
        policy,
        client,
        limits: { clone: 3000, deletion: 3000, busy: 3000 },
        planned: async (plan, known) => {
          const inputs = { documents: desiredOf(after).documents, policy: { ...openPolicy, ...policy } };
          await writePlan(file, plan, { inputs, known, baseUrl: stage.connection.url });
          await breaking();
        },
      });
      seen.push(run.plan, run.report, await readFile(file, "utf8"));
      const { connection } = stage;
      const saved = await readPlan(file, connection.url);
      seen.push(await proposeSaved(startRun(run.client), saved, openPolicy).catch((error: unknown) => error));
      const address = parseAddress("project:shop");
      if (address)
        seen.push(
          await dump(startRun(run.client), stage.connection.organization, address).catch(
            (error: unknown) => error,
          ),
        );
    } catch (error) {
      seen.push(error);
    }
    const text = everythingOf(seen);
    expect(text).not.toContain(canary);
    // The output may show the server's own error text, including a value that the server repeats there.
    if (fault.body === undefined) expect(text).not.toContain(secret);
    expect(text.length).toBeGreaterThan(1000);
  },
);
