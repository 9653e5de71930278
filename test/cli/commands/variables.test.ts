import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { useFixture, withoutRequests, writesOf } from "../fixture.ts";

const fixture = useFixture();

const job = `kind: Job
environment: shop/staging
name: migrate
source: { image: { registry: docker-hub, image_name: acme/x, tag: "1" } }
schedule: { on_start: {} }
`;

const parents = `kind: Project
name: shop
variables: { REGION: eu }
---
kind: Environment
project: shop
name: staging
cluster: eu-west
variables:
  LEVEL: info
---
`;

const shop = `${parents}${job}variables:
  OTHER: { alias_of: A }
  A: one
  B: two
  AREA: { alias_of: REGION }
  LEVEL: { value: debug, overrides: true }
  NOTED: { value: "3", description: three }
  CONF: { file: { mount_path: /etc/conf, from: conf.txt }, interpolate: true }
`;

/** The variables of the job in the API, without inherited ones. */
async function variablesOfJob(): Promise<Record<string, unknown>[]> {
  const { results: projects } = (await fixture.request(
    "GET",
    `/organization/${await organization()}/project`,
  )) as { results: { id: string }[] };
  const { results: environments } = (await fixture.request(
    "GET",
    `/project/${projects[0]?.id}/environment`,
  )) as { results: { id: string }[] };
  const { results: jobs } = (await fixture.request("GET", `/environment/${environments[0]?.id}/job`)) as {
    results: { id: string }[];
  };
  const { results } = (await fixture.request("GET", `/variable?parent_id=${jobs[0]?.id}&scope=JOB`)) as {
    results: Record<string, unknown>[];
  };
  return results.filter(({ scope }) => scope === "JOB");
}

async function organization(): Promise<string> {
  const { results } = (await fixture.request("GET", "/organization")) as { results: { id: string }[] };
  return results[0]?.id ?? "";
}

async function shown(): Promise<Record<string, string>> {
  const entries = (await variablesOfJob()).map(
    ({ key, value, variable_type: type }) => [String(key), `${String(value)} ${String(type)}`] as const,
  );
  return Object.fromEntries(entries);
}

test("apply writes variables after their resource in order of their dependencies, and the next plan is empty", async () => {
  await fixture.write("conf.txt", "hello");
  const file = await fixture.write("shop.yaml", shop);
  const { code, stdout } = await fixture.run(["apply", file, "--yes"]);
  expect({ code, stdout: withoutRequests(stdout) }).toMatchSnapshot();
  expect(writesOf(await fixture.takeRequests())).toEqual([
    "POST /organization/{id}/project",
    "POST /variable",
    "POST /project/{id}/environment",
    "POST /variable",
    "POST /environment/{id}/job",
    "POST /variable/import",
    "POST /variable",
    "POST /variable",
    "POST /variable/{id}/override",
    "POST /variable/{id}/alias",
    "POST /variable/{id}/alias",
  ]);
  expect(await shown()).toEqual({
    A: "one VALUE",
    B: "two VALUE",
    OTHER: "A ALIAS",
    AREA: "REGION ALIAS",
    LEVEL: "debug OVERRIDE",
    NOTED: "3 VALUE",
    CONF: "hello FILE",
  });
  await fixture.takeRequests();
  expect((await fixture.run(["plan", file])).stdout).toContain("No changes");
  const requests = await fixture.takeRequests();
  expect(requests.filter((request) => request === "GET /variable")).toHaveLength(3);
  const { stdout: dumped } = await fixture.run(["dump", "job:shop/staging/migrate"]);
  await fixture.write("dumped.yaml", dumped);
  expect(dumped).toContain("OTHER:\n    alias_of: A");
  expect(dumped).toContain("  A: one\n");
  expect((await fixture.run(["plan", `${fixture.folder}/dumped.yaml`])).stdout).toContain("No changes");
});

test("apply sends one request for each changed variable, and null removes a variable", async () => {
  await fixture.write("conf.txt", "hello");
  const file = await fixture.write("shop.yaml", shop);
  await fixture.run(["apply", file, "--yes"]);
  await fixture.write(
    "shop.yaml",
    shop
      .replace("A: one", "A: uno")
      .replace("B: two", "B: null")
      .replace("description: three", "description: drei")
      .replace("{ alias_of: REGION }", "EU"),
  );
  await fixture.takeRequests();
  const { stdout } = await fixture.run(["apply", file, "--yes"]);
  expect(withoutRequests(stdout)).toMatchSnapshot();
  expect(writesOf(await fixture.takeRequests())).toEqual([
    "PUT /variable/{id}",
    "POST /variable",
    "PUT /variable/{id}",
    "DELETE /variable/{id}",
  ]);
  expect(await shown()).toMatchObject({ A: "uno VALUE", AREA: "EU VALUE", OTHER: "A ALIAS" });
  expect(await shown()).not.toHaveProperty("B");
  expect((await fixture.run(["plan", file])).stdout).toContain("No changes");
});

test("apply leaves unmanaged keys alone unless the document is exclusive and the run prunes", async () => {
  const file = await fixture.write("shop.yaml", `${parents}${job}variables: { A: one, B: two, C: three }\n`);
  await fixture.run(["apply", file, "--yes"]);
  await fixture.write("shop.yaml", `${parents}${job}variables: { A: one }\n`);
  expect((await fixture.run(["plan", file])).stdout).toContain("No changes");
  const exclusive = `${parents}${job}manage: { exclusive: [variables], ignore: [variables.C] }\nvariables: { A: one }\n`;
  await fixture.write("shop.yaml", exclusive);
  const { stdout: noted } = await fixture.run(["plan", file]);
  expect(noted).toContain("has 1 variable that its document does not declare (B); delete them with --prune");
  const capped = await fixture.run(["apply", file, "--yes", "--prune", "--max-deletes", "0"]);
  expect(capped.code).not.toBe(0);
  expect(await shown()).toHaveProperty("B");
  const { stdout } = await fixture.run(["apply", file, "--yes", "--prune"]);
  expect(stdout).toContain("variables.B  two -> (none)");
  expect(await shown()).toEqual({ A: "one VALUE", C: "three VALUE" });
});

test("a variable that looks like a credential gets a note that does not show its value", async () => {
  const file = await fixture.write(
    "shop.yaml",
    `${parents}${job}variables:
  DB_PASSWORD: hunter2-canary
  DSN: "postgresql://shop:canary@db/shop"
  PASSWORD: { alias_of: DB_PASSWORD }
  LOG: info
`,
  );
  const { code, stdout } = await fixture.run(["plan", file]);
  expect(code).toBe(0);
  const [, notes = ""] = stdout.split("Notes:");
  expect(notes).toContain(
    "Job shop/staging/migrate: variables.DB_PASSWORD (a credential, by its key), variables.DSN (a URL with a password): everyone who sees the environment can read the value; declare it under secrets",
  );
  expect(notes).not.toContain("canary");
  await fixture.run(["apply", file, "--yes"]);
  const { stdout: json } = await fixture.run(["plan", file, "--output", "json"]);
  const plan = JSON.parse(json) as { notes: { code: string; address: string }[] };
  expect(plan.notes).toMatchObject([{ code: "credential", address: "job:shop/staging/migrate" }]);
  expect(json).not.toContain("canary");
});

test("texts of every field that look like credentials are named by validate, plan, render and dump; no output shows them", async () => {
  const file = await fixture.write(
    "shop.yaml",
    `${parents.replace("name: shop\n", "name: shop\ndescription: see https://canary@host/acme\n")}${job.replace(
      "on_start: {}",
      "on_start: { arguments: [--url=https://bot:canary@host/x, --password=canary, --token=$TOKEN, --max-token=12] }",
    )}`,
  );
  const named = [
    "description (a URL with a token)",
    "schedule.on_start.arguments.0 (a URL with a password), schedule.on_start.arguments.1 (a credential, by the name before it): everyone",
  ];
  const seen = [
    await fixture.run(["validate", file]),
    await fixture.run(["plan", file]),
    await fixture.run(["apply", file, "--yes"]),
  ];
  for (const { code, stdout, stderr } of seen) {
    expect(code).toBe(0);
    expect(stdout + stderr).toContain(named[1]);
    expect(stdout + stderr).not.toContain("canary");
  }
  expect(seen[0]?.stderr).toContain(named[0]);
  const dumped = await fixture.run(["dump", "shop/staging"]);
  expect(dumped.stderr).toContain(
    "Left out: schedule.on_start.arguments of Job shop/staging/migrate, because",
  );
  expect(dumped.stdout + dumped.stderr).not.toContain("canary");
  expect((await fixture.run(["render", file])).stderr).toContain(named[0]);
  for (const output of ["text", "json"]) {
    const { stdout } = await fixture.run(["get", "job:shop/staging/migrate", "--output", output]);
    expect(stdout).toContain("schedule.on_start.arguments is left out");
    expect(stdout).not.toContain("canary");
  }
  await fixture.write("shop.yaml", (await readFile(file, "utf8")).replaceAll("canary", "canary2"));
  for (const output of ["json", "markdown"])
    expect((await fixture.run(["plan", file, "--output", output])).stdout).not.toContain("canary");
});

test("mistakes in variables are reported before any request", async () => {
  const file = await fixture.write(
    "shop.yaml",
    `${parents}${job}variables:
  1A: one
  B: 5
  C: {}
  D: { value: x, alias_of: A }
  E: { file: { mount_path: /e, from: none.txt } }
  F: { file: { mount_path: /f, from: ../f.txt } }
  G: { alias_of: G }
  H: { alias_of: I }
  I: { alias_of: H }
  J: ${"x".repeat(70_000)}
`,
  );
  const { code, stderr } = await fixture.run(["plan", file]);
  expect(code).toBe(3);
  expect(stderr.replaceAll(/x{100,}/g, "x…")).toMatchSnapshot("in the text");
  await fixture.write(
    "shop.yaml",
    `${parents}${job}variables:
  E: { file: { mount_path: /e, from: none.txt } }
  F: { file: { mount_path: /f, from: ../../../etc/passwd } }
  G: { alias_of: G }
  H: { alias_of: I }
  I: { alias_of: H }
`,
  );
  expect((await fixture.run(["plan", file])).stderr).toMatchSnapshot("beside the text");
  expect(await fixture.requests()).toEqual([]);
});

test("an alias or override of a missing variable is reported before any write", async () => {
  const file = await fixture.write(
    "shop.yaml",
    `${parents}${job}variables:
  A: { alias_of: NOTHING }
  B: { value: x, overrides: true }
  C: { alias_of: REGION }
`,
  );
  const { code, stderr } = await fixture.run(["apply", file, "--yes"]);
  expect({ code, stderr }).toMatchSnapshot();
  expect(writesOf(await fixture.requests())).toEqual([]);
});

test("overlays and defaults merge variables by key", async () => {
  await fixture.write("base/shop.yaml", `${parents}${job}variables: { A: one, B: two }\n`);
  await fixture.write(
    "over/shop.yaml",
    "kind: Job\nenvironment: shop/staging\nname: migrate\nvariables: { B: null, C: { value: three, description: c } }\n---\nkind: Defaults\nenvironment: shop/staging\nfor: '*'\nvariables: { D: four, A: zero }\n",
  );
  const { stdout } = await fixture.run(["render", `${fixture.folder}/base`, `${fixture.folder}/over`]);
  expect(stdout.slice(stdout.indexOf("kind: Job"))).toMatchSnapshot();
});

test("the stated variables of a clone override those of its source", async () => {
  const file = await fixture.write("shop.yaml", `${parents}${job}variables: { A: one, B: two }\n`);
  await fixture.run(["apply", file, "--yes"]);
  await fixture.write(
    "shop.yaml",
    "kind: Job\nenvironment: shop/staging\nname: copy\nclone: { from: shop/staging/migrate }\nvariables: { A: other }\n",
  );
  const { stdout } = await fixture.run(["apply", file, "--yes"]);
  expect(stdout).toContain("variables.A  one -> other");
  expect((await fixture.run(["plan", file])).stdout).toContain("No changes");
});

test("a replaced resource gets its stated variables again, and the plan lists the lost ones", async () => {
  const file = await fixture.write("shop.yaml", `${parents}${job}variables: { A: one }\n`);
  await fixture.run(["apply", file, "--yes"]);
  await fixture.write(
    "shop.yaml",
    `${parents}${job.replace("on_start: {}", 'cronjob: { scheduled_at: "0 3 * * *" }')}variables: { A: one }\n`,
  );
  const { stdout, stderr } = await fixture.run(["apply", file, "--yes", "--allow-replace", "**"]);
  expect(stdout + stderr).toContain("also deletes and creates again: 1 variable (A)");
  expect(await shown()).toEqual({ A: "one VALUE" });
});

test("a variable that changes after a plan was saved makes the plan stale", async () => {
  const file = await fixture.write("shop.yaml", `${parents}${job}variables: { A: one }\n`);
  await fixture.run(["apply", file, "--yes"]);
  await fixture.write("shop.yaml", `${parents}${job}variables: { A: two }\n`);
  await fixture.run(["plan", file, "--out", `${fixture.folder}/plan.json`]);
  const [entry] = await variablesOfJob();
  await fixture.request("PUT", `/variable/${String(entry?.["id"])}`, { key: "A", value: "manually" });
  const { code, stderr } = await fixture.run(["apply", "--plan", `${fixture.folder}/plan.json`, "--yes"]);
  expect(code).not.toBe(0);
  expect(stderr).toContain("would be updated differently now: variables.A");
  expect(await shown()).toEqual({ A: "manually VALUE" });
});

test("a lost response creates no second variable, and the run continues", async () => {
  const file = await fixture.write("shop.yaml", shop.replace("from: conf.txt", "text: hello"));
  await fixture.fault(
    { method: "POST", path: "/variable/import", drop: "after", times: 1 },
    { method: "POST", path: "/variable/*/alias", drop: "after", times: 1 },
  );
  const { code } = await fixture.run(["apply", file, "--yes"]);
  expect([code, await fixture.takeFaults()]).toEqual([0, 2]);
  expect((await variablesOfJob()).map(({ key }) => key).toSorted()).toEqual([
    "A",
    "AREA",
    "B",
    "CONF",
    "LEVEL",
    "NOTED",
    "OTHER",
  ]);
  expect((await fixture.run(["plan", file])).stdout).toContain("No changes");
});
