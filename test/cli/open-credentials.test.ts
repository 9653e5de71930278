import { join } from "node:path";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { documentOf } from "./captured.ts";
import { useFixture } from "./fixture.ts";
import { shop } from "../fixtures/manifests.ts";

const fixture = useFixture();

/** Documents in which a value that people should not read stands in every sort of text. */
const documents = (at: string, environment = "staging") => `---
kind: Environment
project: shop
name: ${environment}
mode: STAGING
cluster: eu-west
variables: { API_TOKEN: c4nary-${at}-environment }
---
kind: Job
environment: shop/${environment}
name: report
source: { image: { registry: docker-hub, image_name: acme/report, tag: "1" } }
schedule:
  cronjob:
    scheduled_at: "0 3 * * *"
    timezone: UTC
    arguments: [--password, c4nary-${at}-argument, --token=c4nary-${at}-flag, "https://c4nary-${at}-user@host/x"]
variables:
  TOKEN: c4nary-${at}-key
  DSN: "redis://:c4nary-${at}-url@cache:6379"
  APP_SECRET: { file: { mount_path: /etc/app, text: "c4nary-${at}-file" } }
  CONFIG: { file: { mount_path: /etc/config, text: "level: 1\\npassword: c4nary-${at}-member\\n" } }
---
kind: Helm
environment: shop/${environment}
name: chart
source: { git_repository: { url: https://github.com/acme/charts, branch: main } }
values_override:
  set_string: [[auth.password, c4nary-${at}-pair]]
  file: { raw: { values: [{ name: a.yaml, content: "auth:\\n  password: c4nary-${at}-raw\\n" }] } }
---
kind: Terraform
environment: shop/${environment}
name: network
terraform_files_source: { git_repository: { url: https://github.com/acme/infra, branch: main } }
terraform_variables_source: { tf_vars: [{ key: db_password, value: c4nary-${at}-variable }] }
backend: { kubernetes: {} }
engine: TERRAFORM
provider_version: { explicit_version: 1.9.8 }
job_resources: { cpu_milli: 500, ram_mib: 512, storage_gib: 1 }
`;

const project = shop.split("---")[0] ?? "";

/** NEW are documents with other values than OLD, which are applied. */
const lines: string[] = [
  "validate NEW",
  "validate NEW --output json",
  "plan NEW --strict",
  "plan NEW --out PLAN",
  "plan NEW --output json",
  "plan NEW --output markdown",
  "show PLAN",
  "show PLAN --output json",
  "show PLAN --output markdown",
  "plan OLD --destroy",
  "dump --update OLD --strict --dry-run",
  "dump --update OLD --strict --dry-run --output json",
  "plan EMPTY --prune",
  "plan OTHER",
  "plan OTHER --output json",
  "diff shop/staging shop/qa",
  "diff shop/staging shop/qa --output json",
  "get job:shop/staging/report",
  "get job:shop/staging/report --output json",
  "get helm:shop/staging/chart",
  "list shop --unmanaged OLD",
  "clone job:shop/staging/report --to shop/qa --name copy --dry-run",
  "history shop/staging",
  "apply NEW --yes --output jsonl",
  "apply OLD --yes",
  "apply NEW --yes --output json",
  "apply OLD --yes --log-level debug",
];

test("no output shows what looks like a credential: in no command and no format, neither the old nor the new value", async () => {
  const at = (name: string) => join(fixture.folder, name);
  await fixture.write("old/all.yaml", `${project}${documents("old")}`);
  await fixture.write("new/all.yaml", `${project}${documents("new")}`);
  await fixture.write("other/all.yaml", `${project}${documents("other", "more")}`);
  await fixture.write("qa/all.yaml", `${project}${documents("qa", "qa")}`);
  await fixture.write(
    "empty/all.yaml",
    `${project}---\nkind: Environment\nproject: shop\nname: staging\nmode: STAGING\ncluster: eu-west\nmanage: { prune: true }\n`,
  );
  for (const name of ["old", "qa"]) {
    const made = await fixture.run(["apply", at(name), "--yes"]);
    expect(made.code, made.stderr).toBe(0);
    expect(made.stdout + made.stderr).not.toContain("c4nary");
  }
  const { id: job } = documentOf(await fixture.run(["get", "job:shop/staging/report", "--output", "json"]));
  const listed = await fixture.request("GET", `/job/${String(job)}/environmentVariable`);
  const { id } =
    (listed["results"] as { id: string; key: string }[]).find(({ key }) => key === "TOKEN") ?? {};
  await fixture.request("PUT", `/variable/${id}`, { key: "TOKEN", value: "c4nary-live" });
  for (const key of ["LIVE_TOKEN", "LIVE"])
    await fixture.request("POST", "/variable", {
      key,
      value: key === "LIVE" ? "https://x:c4nary-live@host" : "c4nary-live-undeclared",
      is_secret: false,
      variable_scope: "JOB",
      variable_parent_id: job,
    });
  const bad = documents("bad");
  const mistakes = [
    bad.replace("c4nary-bad-key", "[c4nary-bad-list]"),
    bad.replace("c4nary-bad-key", "{ vale: c4nary-bad-list }"),
    bad.replace("c4nary-bad-key", "c4nary-bad: [key"),
    bad.replace("APP_SECRET: {", "APP_SECRET: { value: c4nary-bad-two,"),
    bad.replace("arguments: [", "arguments: --password c4nary-bad ["),
    bad.replace("arguments: [--", "arguments: --").replace("]\nvariables", "\nvariables"),
    bad.replace("arguments: [", "arguments: [{ --password: c4nary-bad }, "),
    bad.replace("-pair]]", "-pair], [one]]"),
    bad.replace("{ key: db_password", "{ kye: db_password"),
  ];
  const shown: string[] = [];
  const run = async (line: string) => {
    const args = line
      .split(" ")
      .map((word) => (/^[A-Z]+$/.test(word) ? at(word === "PLAN" ? "plan.json" : word.toLowerCase()) : word));
    const { code, stdout, stderr } = await fixture.run(args);
    shown.push(...(`${stdout}${stderr}`.match(/^.*c4nary.*$/gm) ?? []).map((found) => `${line}: ${found}`));
    return code;
  };
  for (const line of lines) expect([0, 1, 3], line).toContain(await run(line));
  for (const [index, text] of mistakes.entries()) {
    await fixture.write("bad/all.yaml", text);
    for (const line of ["validate BAD", "validate BAD --output json", "plan BAD"])
      expect(await run(line), `${index}: ${line}`).toBe(3);
  }
  const { inputs: _inputs, ...saved } = JSON.parse(await readFile(at("plan.json"), "utf8")) as object & {
    inputs: unknown;
  };
  expect(JSON.stringify(saved)).not.toContain("c4nary");
  expect(shown).toEqual([]);
}, 120_000);

test.each([
  ["arguments: --port 80", 'write arguments: ["--port", "80"]'],
  ["arguments: [--port, 80]", 'write arguments: [--port, "80"]'],
  ["arguments: --password c4nary", 'write arguments: ["--flag", "value"]'],
  ["arguments: --dsn redis://:c4nary@cache --port 80", 'write arguments: ["--flag", "value"]'],
  ["arguments: { --password: c4nary }", 'write arguments: ["--flag", "value"]'],
  ["arguments: [[--password=c4nary]]", "write a text"],
  ["arguments: [--password, 420420420420]", "write a text"],
  ["arguments: [{ --password: c4nary }]", "write a text"],
  ["arguments:\n      - --password\n      - 420420420420", "write a text"],
  ['scheduled_at: " 0  3 * * --token=c4nary"', "write five fields"],
])("the advice on %j repeats a value only if no credential is in it", async (member, advice) => {
  const [field = ""] = member.split(":");
  const text = documents("new").replace(new RegExp(`(?<= {4})${field}: .*`), member);
  const { code, stderr } = await fixture.run(["validate", await fixture.write("all.yaml", text)]);
  expect(code).toBe(3);
  expect(stderr).toContain(advice);
  expect(stderr).not.toMatch(/c4nary|420420420420/);
});

test.each([
  "validate https://u:c4nary@h/x",
  "validate https://u:c4nary@h/x --output json",
  "plan /nowhere?password=c4nary",
  "apply --yes redis://:c4nary@cache",
  "get postgres://u:c4nary@h/x",
  "get postgres://u:c4nary@h/x --output json",
  "list https://c4nary@h",
  "https://u:c4nary@h",
  "validate --config postgres://u:c4nary@h/x .",
])("the refusal of %j does not repeat the credential", async (line) => {
  const { code, stdout, stderr } = await fixture.run(line.split(" "));
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain("[credential]");
  expect(stdout + stderr).not.toContain("c4nary");
});

test("dump, dump --update --all and clone write a secret in the place of a variable that looks like a credential, and name it", async () => {
  const file = await fixture.write("all.yaml", `${project}${documents("old")}`);
  expect(await fixture.run(["apply", file, "--yes"])).toMatchObject({ code: 0 });
  const out = join(fixture.folder, "dumped.yaml");
  const { stderr } = await fixture.run(["dump", "shop/staging", "--out", out]);
  const text = await readFile(out, "utf8");
  const whole = JSON.stringify(
    documentOf(await fixture.run(["dump", "job:shop/staging/report", "--output", "json"]))["documents"],
  );
  for (const key of ["TOKEN", "DSN", "APP_SECRET", "CONFIG"]) {
    const variable = `SHOP_STAGING_JOB_REPORT_${key}`;
    expect(stderr).toMatch(
      new RegExp(`Left out: the value of variables.${key} in Job shop/staging/report, .*${variable}`),
    );
    expect(text).toContain(`from_env: ${variable}`);
    expect(whole).toContain(variable);
  }
  expect(stderr).toMatch(
    /Left out: the value of terraform_variables_source.tf_vars.db_password in Terraform shop\/staging\/network, .*SHOP_STAGING_TERRAFORM_NETWORK_DB_PASSWORD/,
  );
  for (const field of [
    "schedule.cronjob.arguments of Job shop/staging/report",
    "values_override.set_string of Helm shop/staging/chart",
    "values_override.file.raw.values of Helm shop/staging/chart",
  ])
    expect(stderr).toContain(`Left out: ${field}, because it looks like a credential`);
  expect(text).not.toContain("c4nary");
  expect(await fixture.run(["validate", out])).toMatchObject({ code: 0 });
  const cloned = await fixture.run(
    "clone job:shop/staging/report --to shop/staging --name copy --yes".split(" "),
  );
  expect(cloned.stdout).toMatch(/^# Left out: the value of variables.TOKEN in Job shop\/staging\/copy, /m);
  expect(cloned.stdout).not.toContain("c4nary");
  const env = Object.fromEntries(
    [...text.matchAll(/from_env: (\w+)/g)].map(([, name = ""]) => [name, "from elsewhere"]),
  );
  const applied = await fixture.run(["apply", out, "--yes"], { env });
  expect(applied.code, applied.stderr).toBe(0);
  expect((await fixture.run(["plan", out], { env })).stdout).toContain("No changes");
});
