import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Fields, Json } from "../../../core/json.ts";
import {
  asFile,
  asShown,
  canary,
  type Server,
  type StateEntry,
  stateOf,
} from "../../fixtures/terraform-state.ts";
import { documentOf } from "../captured.ts";
import { steady, useFixture, writesOf } from "../fixture.ts";

const fixture = useFixture();

const secret = "c4nary-f1rst";

const shop = `kind: Project
name: shop
---
kind: Environment
project: shop
name: staging
mode: STAGING
cluster: eu-west
---
kind: Job
environment: shop/staging
name: nightly
source: { image: { registry: docker-hub, image_name: acme/report, tag: "1" } }
schedule: { cronjob: { scheduled_at: 0 3 * * * } }
variables: { LOG_LEVEL: info }
secrets: { SMTP_PASSWORD: { from_env: SECRET } }
---
kind: Job
environment: shop/staging
name: by-hand
source: { image: { registry: docker-hub, image_name: acme/report, tag: "1" } }
schedule: { on_start: {} }
---
kind: GitToken
name: bot
type: GITHUB
token: { from_env: SECRET }
`;

const types = new Set(["project", "environment", "job", "git_token"].map((type) => `qovery_${type}`));

/** The state of a configuration that manages all of the shop but one job, with names as a person gives them. */
async function shopState(): Promise<StateEntry[]> {
  const file = await fixture.write("elsewhere/shop.yaml", shop);
  const { code, stderr } = await fixture.run(["apply", file, "--yes"], { env: { SECRET: secret } });
  expect(code, stderr).toBe(0);
  const server: Server = {
    organization: fixture.emulator.organization,
    api: async (method, path) => (await fixture.request(method, path)) as Json,
    results: async (path) => ((await fixture.request("GET", path))["results"] ?? []) as Fields[],
  };
  return (await stateOf(server))
    .filter(({ type, attributes }) => types.has(type) && attributes["name"] !== "by-hand")
    .filter(({ attributes }) => attributes["name"] !== "github-main")
    .map((entry) => ({ ...entry, name: String(entry.attributes["name"]) }));
}

const job = (entries: readonly StateEntry[]): StateEntry => {
  const found = entries.find(({ type }) => type === "qovery_job");
  if (!found) throw new Error("the state has no job");
  return found;
};

let entries: StateEntry[];
beforeEach(async () => {
  entries = await shopState();
  entries = entries.map((entry) =>
    entry === job(entries) ? { ...entry, key: "a", module: "module.jobs" } : entry,
  );
});

async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => [file.slice(folder.length + 1), await readFile(file, "utf8")]),
    ),
  ) as Record<string, string>;
}

describe("a state becomes manifests", () => {
  test("one file for each resource, of which the plan is empty; the rest is listed", async () => {
    const ghost = { ...job(entries), name: "ghost" };
    const all: StateEntry[] = [
      ...entries,
      { ...ghost, attributes: { ...ghost.attributes, id: "7e2a1f0c-3b51-4c2e-9a75-0d6f3f5f1a2b" } },
      { type: "qovery_deployment", name: "all", attributes: { id: "1" } },
      { type: "aws_s3_bucket", name: "files", attributes: {} },
    ];
    const state = await fixture.write("terraform.tfstate", asFile(all));
    const out = join(fixture.folder, "manifests");
    const { code, stdout, stderr } = await fixture.run(["convert", state, "--out", out]);
    expect(code).toBe(0);
    expect(stdout).toBe("");
    expect(steady(stderr)).toMatchInlineSnapshot(`
      "4 documents written to 4 files in manifests.
      Secrets to bring to the environment variables that the manifests name:
        SHOP_STAGING_JOB_NIGHTLY_SMTP_PASSWORD: secrets.SMTP_PASSWORD of job:shop/staging/nightly; in plain text in module.jobs.qovery_job.nightly["a"].secrets["SMTP_PASSWORD"].value
        GITTOKEN_BOT_TOKEN: token of gittoken:bot; in plain text in qovery_git_token.bot.token
      Not live any more:
        module.jobs.qovery_job.ghost["a"]: no Job of the id {id} is live; take it out of the state with \`terraform state rm\`
      Not in the manifests:
        qovery_deployment.all: it starts deployments, and is not a resource; deploy together with an apply, or by itself
      2 live resources beside them are not in the state, and have no manifest here.
      Left to Terraform, as resources of other providers: aws_s3_bucket (1).
      "
    `);
    const files = await filesIn(out);
    expect(Object.keys(files).toSorted()).toEqual([
      "gittoken-bot.yaml",
      "shop/project.yaml",
      "shop/staging/environment.yaml",
      "shop/staging/job-nightly.yaml",
    ]);
    expect(files["shop/staging/job-nightly.yaml"]).toMatchInlineSnapshot(`
      "kind: Job
      environment: shop/staging
      name: nightly
      source:
        image:
          image_name: acme/report
          tag: "1"
          registry: docker-hub
      schedule:
        cronjob:
          scheduled_at: 0 3 * * *
          timezone: Etc/UTC
      cpu: 500
      memory: 512
      auto_deploy: true
      max_nb_restart: 0
      auto_preview: false
      secrets:
        SMTP_PASSWORD:
          from_env: SHOP_STAGING_JOB_NIGHTLY_SMTP_PASSWORD
      variables:
        LOG_LEVEL: info
      "
    `);
    expect(Object.values(files).join("") + stderr).not.toMatch(new RegExp(`${canary}|${secret}`));

    await fixture.takeRequests();
    const plan = await fixture.run(["plan", out]);
    expect(plan.stdout).toContain("No changes to make: 1 resource is in acme");
    expect(plan.code).toBe(0);
    expect(writesOf(await fixture.takeRequests())).toEqual([]);
  });

  test.each([
    ["a state file", asFile],
    ["a state that is printed", asShown],
  ])("%s, from a file and from standard input, to standard output", async (_name, form) => {
    const file = await fixture.write("state.json", form(entries));
    const named = await fixture.run(["convert", file]);
    const piped = await fixture.run(["convert", "-"], { stdin: form(entries) });
    expect(piped).toEqual(named);
    expect(named.code).toBe(0);
    const written = await fixture.write("converted.yaml", named.stdout);
    expect((await fixture.run(["plan", written])).stdout).toContain(
      "No changes to make: 1 resource is in acme",
    );
    expect((await fixture.run(["validate", written])).code).toBe(0);
  });

  test("a log of every request has no value of the state", async () => {
    const state = await fixture.write("terraform.tfstate", asFile(entries));
    const ran = await fixture.run(["convert", state, "--log-level", "debug"]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("/variable");
    expect(ran.stderr + ran.stdout).not.toMatch(new RegExp(`${canary}|${secret}`));
  });

  test("no request writes, and a second run changes no file", async () => {
    const before = asFile(entries);
    const state = await fixture.write("terraform.tfstate", before);
    const out = join(fixture.folder, "manifests");
    await fixture.takeRequests();
    expect((await fixture.run(["convert", state, "--out", out])).code).toBe(0);
    expect(writesOf(await fixture.takeRequests())).toEqual([]);
    expect((await fixture.run(["convert", state, "--out", out])).code).toBe(0);
    expect(await readFile(state, "utf8")).toBe(before);
  });

  test("programs get one JSON document, by its schema, without a value", async () => {
    const state = await fixture.write("terraform.tfstate", asFile(entries));
    const ran = await fixture.run(["convert", state, "--output", "json"]);
    const document = documentOf(ran);
    expect(document).toMatchObject({
      ok: true,
      format: "infrasync-conversion",
      resources: expect.arrayContaining([
        {
          state: 'module.jobs.qovery_job.nightly["a"]',
          address: "job:shop/staging/nightly",
          id: job(entries).attributes["id"],
        },
      ]),
      secrets: [
        {
          variable: "SHOP_STAGING_JOB_NIGHTLY_SMTP_PASSWORD",
          address: "job:shop/staging/nightly",
          field: "secrets.SMTP_PASSWORD",
          state: 'module.jobs.qovery_job.nightly["a"]',
          attribute: 'secrets["SMTP_PASSWORD"].value',
        },
        expect.objectContaining({ variable: "GITTOKEN_BOT_TOKEN", attribute: "token" }),
      ],
      left_out: [],
      unmanaged: ["gittoken:github-main", "job:shop/staging/by-hand"],
    });
    expect(ran.stdout).not.toMatch(new RegExp(`${canary}|${secret}`));
    const out = join(fixture.folder, "manifests");
    const written = documentOf(await fixture.run(["convert", state, "--output", "json", "--out", out]));
    expect(written["files"]).toHaveLength(4);
  });

  test("the values of secrets come from the environment, and are written again where a run is told to", async () => {
    const state = await fixture.write("terraform.tfstate", asFile(entries));
    const out = join(fixture.folder, "manifests");
    await fixture.run(["convert", state, "--out", out]);
    const line = ["apply", out, "--yes", "--rotate-secrets", "job:shop/staging/nightly"];
    const refused = await fixture.run(line);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain("SHOP_STAGING_JOB_NIGHTLY_SMTP_PASSWORD is not set");
    const env = { SHOP_STAGING_JOB_NIGHTLY_SMTP_PASSWORD: "new-value-of-the-mail" };
    expect((await fixture.run(line, { env })).code).toBe(0);
  });
});

describe("unreadable input sends no request; the message says what is wrong, where, and what to do", () => {
  test.each<[string, string, string, string]>([
    [
      "a cut file",
      '{"version": 4, "resources": [',
      "is cut off",
      "write all of it again with `terraform state pull",
    ],
    ["a file that is no JSON", "resource {}", "is not JSON", "terraform state pull"],
    ["an encrypted state", '{"encrypted_data":"x"}', "is encrypted", "tofu show -json"],
    [
      "a state of other providers",
      '{"version":4,"resources":[]}',
      "manages no resource of this API",
      "terraform state list",
    ],
    [
      "hostile text",
      `{"version":4,"resources":[{"mode":"managed","type":"qovery_job","name":"\\u001b[2J${canary}","instances":[{"attributes":{}}]}]}`,
      "resources[0].instances[0].attributes.id: is missing",
      "it must not be edited by hand",
    ],
  ])("%s", async (_name, text, message, advice) => {
    await fixture.takeRequests();
    for (const [source, stdin] of [
      [await fixture.write("bad.json", text), ""],
      ["-", text],
    ] as const) {
      const { code, stdout, stderr } = await fixture.run(["convert", source], { stdin });
      expect(code).toBe(3);
      expect(stdout).toBe("");
      expect(stderr).toContain(source === "-" ? "-" : "bad.json");
      expect(stderr).toContain(message);
      expect(stderr).toContain(advice);
      expect(stderr).not.toContain(canary);
      expect(stderr).not.toContain("\u001B[2J");
    }
    expect(await fixture.takeRequests()).toEqual([]);
  });

  test("a state of which nothing is live writes nothing, and says so, also to programs", async () => {
    const { id: organization } = fixture.emulator.organization;
    const elsewhere = asFile(entries).replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, (id) =>
      id === organization ? id : `00000000${id.slice(8)}`,
    );
    const state = await fixture.write("terraform.tfstate", elsewhere);
    const out = join(fixture.folder, "out");
    const text = await fixture.run(["convert", state, "--out", out]);
    expect({ code: text.code, stdout: text.stdout }).toEqual({ code: 3, stdout: "" });
    expect(text.stderr).toMatch(/^Not live any more:\n {2}\S+.*: no Project of the id /);
    expect(text.stderr).toMatch(
      /error: nothing that \S*terraform\.tfstate manages is live in the organization acme; no manifest is written\n {2}check the organization and the URL of the API/,
    );
    await expect(readdir(out)).rejects.toThrow("ENOENT");
    expect(documentOf(await fixture.run(["convert", state, "--output", "json"]))).toMatchObject({
      ok: false,
      problems: [{ code: "nothing_found" }],
    });
  });

  test("a state that has nothing for a manifest says why", async () => {
    const deployment = { ...job(entries), type: "qovery_deployment" };
    const state = await fixture.write("terraform.tfstate", asFile([deployment]));
    const { code, stderr } = await fixture.run(["convert", state]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^Not in the manifests:/);
    expect(stderr).toMatch(
      /error: no manifest is written of what \S+ manages, such as \S+: it starts deployments, and is not a resource\n {2}deploy together/,
    );
  });

  test("a file that is not there, and a folder", async () => {
    for (const [source, message] of [
      [join(fixture.folder, "nowhere"), "does not exist"],
      [fixture.folder, "is a folder"],
    ] as const) {
      const { code, stderr } = await fixture.run(["convert", source]);
      expect(code).toBe(3);
      expect(stderr).toContain(message);
    }
  });

  test("manifests that would be overwritten, and a place where nothing can be written", async () => {
    const state = await fixture.write("terraform.tfstate", asFile(entries));
    const taken = await fixture.write("taken.yaml", "kind: Project\nname: other\n");
    const refused = await fixture.run(["convert", state, "--out", taken]);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain("taken.yaml already exists with other content");
    expect(await readFile(taken, "utf8")).toContain("other");
    await fixture.takeRequests();
    const below = await fixture.run(["convert", state, "--out", join(taken, "below")]);
    expect(below.code).toBe(3);
    expect(await fixture.takeRequests()).toEqual([]);
  });

  test("hostile names of the state are shown without their control characters", async () => {
    const odd = {
      ...job(entries),
      name: "\u001B[2Jodd\u202E",
      attributes: { ...job(entries).attributes, id: "x" },
    };
    const state = await fixture.write("terraform.tfstate", asFile([odd, ...entries]));
    const { code, stderr } = await fixture.run(["convert", state]);
    expect(code).toBe(0);
    expect(stderr).toContain(String.raw`qovery_job.\u001b[2Jodd\u202e`);
  });
});

test("no argument names what can be converted", async () => {
  const { code, stderr } = await fixture.run(["convert"]);
  expect(code).toBe(3);
  expect(stderr).toContain("infrasync convert terraform.tfstate");
});
