import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFields, textIn } from "../../core/values/json.ts";
import { HiddenTexts } from "../../core/api/index.ts";
import { hideSecrets } from "../../core/manifests/manifest/index.ts";
import { application, job, shop } from "../fixtures/manifests.ts";
import { sentenceAfter } from "./cycle-words.ts";
import { setBackBy } from "./cycle-words.ts";
import type { OperatorRules } from "../../reconciler/policy/index.ts";
import { type Bench, startBench } from "./fixture.ts";
import { inWords } from "./cycle-words.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";

const canary = "s3cret-canary-of-the-shop";

/** A bench with a job that has a secret, which is applied. */
async function startWithSecret(operator: OperatorRules) {
  const bench = await startBench({}, "admin", operator, {}, undefined, {
    run: {
      limits: { clone: 5_000, deletion: 5_000, busy: 5_000 },
      secrets: { environment: { SHOP_FIRST: canary, SHOP_SECOND: "another" }, allowCommands: false },
    },
  });
  bench.repository.push({ "infra/shop.yaml": shop + job("a", "secrets: { KEY: { from_env: SHOP_FIRST } }") });
  expect((await bench.cycle()).end.type).toBe("applied");
  return bench;
}

/** Lets time pass, so that what was written has settled, with looks meanwhile. */
async function settle(bench: Bench): Promise<void> {
  for (let refresh = 0; refresh < 3; refresh += 1) {
    await bench.server.advance(40_000);
    bench.clock.advance(40_000);
    expect(await bench.cycle()).toMatchObject({ end: { type: "synced" } });
  }
}

async function writeByHand({ server }: Bench): Promise<void> {
  const id = await server.idOf("shop/staging/JOB a");
  const entries = await server.results(`/variable?parent_id=${id}&scope=JOB`);
  const secret = entries.find((entry) => entry["key"] === "KEY" && entry["scope"] === "JOB");
  await server.advance(1_000);
  await server.api("PUT", `/variable/${textIn(secret ?? {}, "id")}`, { key: "KEY", value: "manually" });
}

test("a secret that somebody else has written is written again, and the message names who had written it", async () => {
  const bench = await startWithSecret({ onDrift: "apply" });
  await settle(bench);
  await writeByHand(bench);
  const { end, requests } = await bench.cycle();
  expect(end.type).toBe("undone");
  expect(setBackBy(end)).toEqual([
    expect.objectContaining({
      address: "job:shop/staging/a",
      fields: ["secrets.KEY, written by somebody else"],
      by: expect.stringContaining(", API, "),
    }),
  ]);
  expect(requests.filter((request) => !request.startsWith("GET "))).toEqual(["PUT /variable/{id}"]);
  expect(JSON.stringify(end)).not.toContain(canary);
  // What the service itself has written is no drift, also after a restart.
  await settle(bench);
  bench.reconciler = bench.restart();
  await settle(bench);
});

test("a secret that somebody else has written is reported where the policy does not say apply, also after a restart", async () => {
  const bench = await startWithSecret({ onDrift: "report" });
  await settle(bench);
  await writeByHand(bench);
  const drift = {
    type: "drift",
    changes: [{ address: "job:shop/staging/a", fields: ["secrets.KEY, written by somebody else"] }],
  };
  expect((await bench.cycle()).end).toMatchObject(drift);
  bench.reconciler = bench.restart();
  expect((await bench.cycle()).end).toMatchObject(drift);
  // A document that leaves the secret to others has it so.
  bench.repository.push({
    "infra/shop.yaml":
      shop + job("a", "secrets: { KEY: { from_env: SHOP_FIRST } }\nmanage: { ignore: [secrets.KEY] }"),
  });
  await bench.cycle();
  expect((await bench.cycle()).end).toMatchObject({ type: "synced" });
});

test.each([
  ["a moment after its creation", false],
  ["a moment after the service has written it again", true],
])("a secret that somebody else writes %s is drift, and stays so", async (_when, isRewritten) => {
  const bench = await startWithSecret({ onDrift: isRewritten ? "apply" : "report" });
  if (isRewritten) {
    await bench.cycle();
    await writeByHand(bench);
    expect((await bench.cycle()).end.type).toBe("undone");
  }
  await bench.server.advance(2_000);
  await writeByHand(bench);
  const { end } = await bench.cycle();
  expect(isRewritten ? setBackBy(end) : "changes" in end && end.changes).toMatchObject([
    { fields: ["secrets.KEY, written by somebody else"] },
  ]);
  // What the service itself has written is none.
  if (isRewritten)
    for (let refresh = 0; refresh < 2; refresh += 1) expect((await bench.cycle()).end.type).toBe("synced");
  else expect(inWords(await bench.restart().cycle()).type).toBe("drift");
});

test("a secret whose source changes in git is written again; one that cannot be read is a mistake", async () => {
  const bench = await startWithSecret({ onDrift: "report" });
  const from = (name: string) =>
    bench.repository.push({ "infra/shop.yaml": shop + job("a", `secrets: { KEY: { from_env: ${name} } }`) });
  await bench.cycle();
  from("SHOP_GONE");
  for (let refresh = 0; refresh < 2; refresh += 1)
    expect((await bench.cycle()).end).toMatchObject({
      type: "blocked",
      problems: [{ code: "secret", message: expect.stringContaining("SHOP_GONE") }],
    });
  from("SHOP_SECOND");
  expect(await bench.cycle()).toMatchObject({
    end: { type: "applied" },
    requests: expect.arrayContaining(["PUT /variable/{id}"]),
  });
  expect((await bench.cycle()).end.type).toBe("synced");
  // A description is no source.
  bench.repository.push({
    "infra/shop.yaml": `# a comment\n${shop}${job("a", "secrets: { KEY: { from_env: SHOP_SECOND } }")}`,
  });
  expect((await bench.cycle()).end.type).toBe("synced");
});

/** A bench with a secret in a file that another program replaces, and in a variable. */
async function startWithFile(operator: OperatorRules) {
  const folder = temporaryFolder("secrets");
  const rotate = (value: string) => writeFile(join(folder, "key"), `${value}\n`);
  await rotate(canary);
  const environment = { SHOP_FIRST: canary };
  const bench = await startBench({}, "admin", operator, {}, undefined, {
    run: {
      limits: { clone: 5_000, deletion: 5_000, busy: 5_000 },
      secrets: { environment, allowCommands: false, files: { folder } },
    },
  });
  const push = (more: string) =>
    bench.repository.push({
      "infra/shop.yaml":
        shop +
        job("a", `cpu: 500\nsecrets: { KEY: { from_file: key }, OTHER: { from_env: SHOP_FIRST } }${more}`),
    });
  push("");
  expect((await bench.cycle()).end.type).toBe("applied");
  await settle(bench);
  return { bench, rotate, environment, folder, push };
}

const written = (requests: readonly string[]) => requests.filter((request) => !request.startsWith("GET "));

test("a secret that rotates in its file, or in a variable at a restart, is written by the next cycle without a commit", async () => {
  const { bench, rotate, environment, folder } = await startWithFile({ onDrift: "report" });
  await rotate("another-value");
  const { end, requests } = await bench.cycle();
  expect(end).toMatchObject({ type: "applied" });
  expect(written(requests)).toEqual(["PUT /variable/{id}"]);
  await settle(bench);
  // A file that is away or empty for a moment is no other value.
  await rotate("");
  await settle(bench);
  await rm(join(folder, "key"));
  await settle(bench);
  await rotate("another-value");
  await settle(bench);
  // What rotates while the service does not run is written when it starts.
  environment.SHOP_FIRST = "a-third-value";
  await rotate("a-fourth-value");
  bench.reconciler = bench.restart();
  expect(written((await bench.cycle()).requests)).toEqual(["PUT /variable/{id}", "PUT /variable/{id}"]);
  await settle(bench);
  bench.reconciler = bench.restart();
  await settle(bench);
  const state = await readFile(join(bench.repository.folder, "data", "state.json"), "utf8");
  for (const value of [canary, "another-value", "a-third-value", "a-fourth-value"])
    for (const form of [value, createHash("sha256").update(value).digest("base64url").slice(0, 22)])
      expect(state).not.toContain(form);
});

test("a secret that rotates beside drift that is only reported undoes none of it, and is written after it", async () => {
  const { bench, rotate } = await startWithFile({ onDrift: "report" });
  const id = await bench.server.idOf("shop/staging/JOB a");
  const cpu = async (value: number) => {
    const fields = await bench.server.api("GET", `/job/${id}`);
    await bench.server.api("PUT", `/job/${id}`, { ...(isFields(fields) && fields), cpu: value });
  };
  await cpu(750);
  await rotate("another-value");
  const { end, requests } = await bench.cycle();
  expect(end).toMatchObject({ type: "drift", changes: [{ fields: ["cpu 500 -> 750"] }] });
  expect(written(requests)).toEqual([]);
  await cpu(500);
  expect(written((await bench.cycle()).requests)).toEqual(["PUT /variable/{id}"]);
});

test("a secret that stands in a document is written again where its text changes in git", async () => {
  const bench = await startBench();
  const stating = (value: string) =>
    bench.repository.push({
      "infra/shop.yaml": `${shop}---
kind: Terraform
environment: shop/staging
name: network
terraform_files_source: { git_repository: { url: "https://github.com/acme/network" } }
backend: { kubernetes: {} }
engine: TERRAFORM
provider_version: { explicit_version: "1.9" }
job_resources: { cpu_milli: 500, ram_mib: 512, storage_gib: 1 }
terraform_variables_source: { tf_vars: [{ key: password, value: ${value}, secret: true }] }
`,
    });
  stating(canary);
  expect((await bench.cycle()).end.type).toBe("applied");
  expect((await bench.cycle()).end.type).toBe("synced");
  stating("another");
  const { end, requests } = await bench.cycle();
  expect(end.type).toBe("applied");
  expect(requests).toContain("PUT /terraform/{id}");
  expect((await bench.cycle()).end.type).toBe("synced");
  bench.reconciler = bench.restart();
  expect((await bench.cycle()).end.type).toBe("synced");
});

test("after a restart, log lines of a failed deployment have no secret of the documents, and stay out of messages", async () => {
  const environment = { SHOP_FIRST: canary };
  const hidden = new HiddenTexts();
  const sources = { environment, allowCommands: true };
  const bench = await startBench(
    { deploy: true },
    "admin",
    { onDrift: "apply" },
    { behaviour: { deploy_delay_ms: 60_000 } },
    undefined,
    {
      run: { limits: { clone: 5_000, deletion: 5_000, busy: 5_000 }, secrets: sources },
      redact: (text) => hidden.redact(text),
      hideSecrets: (resources, programs = false) => hideSecrets(resources, sources, hidden, { programs }),
    },
  );
  const declared = (cpu: number) =>
    shop +
    job("a", `cpu: ${cpu}`) +
    application(
      "api",
      `memory: ${cpu}\nsecrets: { KEY: { from_env: SHOP_FIRST }, OTHER: { from_command: "printf fr0m-a-vault; printf -- -by-command" } }`,
    );
  bench.repository.push({ "infra/shop.yaml": declared(500) });
  const pass = async () => {
    await bench.server.advance(60_000);
    bench.clock.advance(60_000);
  };
  await bench.cycle();
  await pass();
  await bench.cycle();
  await bench.server.api("POST", "/_emulator/faults", [
    {
      method: "POST",
      path: "/environment/*/service/deploy",
      times: 1,
      fail_deployment: `no login with ${canary}, nor with fr0m-a-vault-by-command-still`,
    },
  ]);
  bench.repository.push({ "infra/shop.yaml": declared(1000) });
  await bench.cycle();
  await pass();
  bench.reconciler = bench.restart();
  const { end } = await bench.cycle();
  expect(end.environments?.[1]?.health[0]).toMatchObject({
    health: "failed",
    lines: [expect.any(String), "no login with [secret], nor with [secret]-still"],
  });
  expect(sentenceAfter(end)).toContain("; api failed: DEPLOYMENT_ERROR");
});
