import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { kindOf } from "../../../core/model/kinds/index.ts";
import { check } from "../../../provider/lifecycle/check.ts";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { type Staging, useStaging } from "../../provider/lifecycle/staging.ts";

// The planner and the Pulumi provider ask the same rules: what one refuses, the other refuses for the same reason.

interface Case {
  /** The manifests, below those of the environment shop/staging. */
  manifests: string;
  /** The resources of the same program, in their order. */
  program: [kind: string, inputs: (staging: Staging, before: string) => Properties][];
  /** Inputs of a job that a program has created before. */
  before?: (staging: Staging) => Properties;
  /** Names of infrastructure that a person consents to. */
  consents?: string[];
  /** What both say; undefined if both accept. */
  says?: string;
}

const job = (name: string, more = "") => `
---
{ kind: Job, environment: shop/staging, name: ${name},
  source: { image: { registry: docker-hub, image_name: acme/report, tag: "1" } },
  schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: UTC } }${more} }
`;
const app = (name: string, more: string) => `
---
{ kind: Application, environment: shop/staging, name: ${name},
  git_repository: { url: "https://github.com/acme/api", branch: main },
  ports: [{ internal_port: 8080, publicly_accessible: true }], ${more} }
`;
const keys = (name: string) => `
---
{ kind: AwsCredentials, name: ${name}, type: AWS_STATIC, access_key_id: A, secret_access_key: { from_env: KEY } }
`;
const member = (role: string) => `
---
{ kind: Member, name: ada@acme.example, role: ${role} }
`;

const nightly =
  (more: Properties) =>
  ({ nightly: inputs }: Staging): Properties => ({ ...inputs(), ...more });
const cron = { cronjob: { scheduledAt: "0 3 * * *", timezone: "UTC" } };
const source = { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } };
const api =
  (name: string, more: Properties) =>
  ({ api: inputs }: Staging): Properties => ({ ...inputs(), name, ...more });
const credentials = () => ({ name: "keys", type: "AWS_STATIC", accessKeyId: "A", secretAccessKey: "s" });
const ada = (role: string) => () => ({ name: "ada@acme.example", role, adopt: true });
const from = (name: string): Properties => ({
  variables: { HOST: { from: `database:${name}`, output: "host_internal" } },
});

const cases: Record<string, Case> = {
  "a stage that exists, in any case": {
    manifests: job("nightly", ", deployment_stage: default"),
    program: [["Job", nightly({ deploymentStage: "default" })]],
  },
  "a stage that does not exist": {
    manifests: job("nightly", ", deployment_stage: defualt"),
    program: [["Job", nightly({ deploymentStage: "defualt" })]],
    says: 'there is no DeploymentStage "defualt" in',
  },
  "an output of a database that does not exist": {
    manifests: job("nightly", ', variables: { HOST: { from: "database:orders", output: host_internal } }'),
    program: [["Job", nightly(from("orders"))]],
    says: 'variables.HOST: there is no Database "orders" in',
  },
  "a registry that does not exist": {
    manifests: job("nightly").replace("docker-hub", "mars"),
    program: [
      ["Job", nightly({ source: { image: { registry: "mars", imageName: "acme/report", tag: "1" } } })],
    ],
    says: 'there is no container registry "mars"',
  },
  "an advanced setting that does not exist": {
    manifests: job("nightly", ", advanced_settings: { build.no: 1 }"),
    program: [["Job", nightly({ advancedSettings: { "build.no": 1 } })]],
    says: 'there is no advanced setting "build.no"',
  },
  "a creation that the kind forbids": {
    manifests: "\n---\n{ kind: Environment, project: shop, name: copy, mode: PREVIEW, cluster: eu-west }\n",
    program: [
      [
        "Environment",
        ({ environment }) => ({
          project: environment.inputs["project"] ?? "",
          name: "copy",
          mode: "PREVIEW",
          cluster: "eu-west",
        }),
      ],
    ],
    says: "only by being cloned",
  },
  "one domain for two services": {
    manifests:
      app("one", "custom_domains: { shop.acme.example: {} }") +
      app("two", "custom_domains: { shop.acme.example: {} }"),
    program: ["one", "two"].map((name) => [
      "Application",
      api(name, { customDomains: { "shop.acme.example": {} } }),
    ]),
    says: "the custom domain shop.acme.example",
  },
  "a domain that one service gives up and another gets": {
    manifests:
      app("one", "custom_domains: { shop.acme.example: null }") +
      app("two", "custom_domains: { shop.acme.example: {} }"),
    program: [
      ["Application", api("one", { customDomains: { "shop.acme.example": null } })],
      ["Application", api("two", { customDomains: { "shop.acme.example": {} } })],
    ],
  },
  "infrastructure without a consent": {
    manifests: keys("keys"),
    program: [["AwsCredentials", credentials]],
    consents: ["others"],
    says: "would be created: that costs money, or takes down what runs on it",
  },
  "infrastructure with a consent that names it in another case": {
    manifests: keys("keys"),
    program: [["AwsCredentials", credentials]],
    consents: ["KEYS"],
  },
  "a job that is live under another spelling of its name": {
    before: nightly({ name: "daily-report", source, schedule: cron }),
    manifests: job("'daily report'"),
    program: [["Job", nightly({ name: "daily report", source, schedule: cron })]],
    says: "does, with the same fields: the server seems to change the spelling of names",
  },
  "a clone that is another sort of job than its source": {
    before: nightly({}),
    manifests: job("copy", ", clone: { from: shop/staging/nightly }").replace(
      /cronjob: \{.*?\}/,
      "on_start: {}",
    ),
    program: [
      [
        "Job",
        ({ nightly: inputs }, before) => ({
          ...inputs(),
          name: "copy",
          cloneFrom: before,
          schedule: { onStart: {} },
        }),
      ],
    ],
    says: "a cron job cannot become a lifecycle job",
  },
  "an owner who stays one": { manifests: member("Owner"), program: [["Member", ada("Owner")]] },
  "the last owner, who gets another role": {
    manifests: member("Read"),
    program: [["Member", ada("Read")]],
    says: "cannot be changed so: it is the last owner of the organization",
  },
};

const staging = useStaging();

test("each file of rules is asked for a plan, and the provider asks few of them beside the planner", () => {
  const importersOf = (rule: string, folders: string) =>
    globSync(`${folders}/**/*.ts`).filter((file) => readFileSync(file, "utf8").includes(`rules/${rule}"`));
  const rules = globSync("core/rules/*.ts").map((file) => path.basename(file));
  expect(rules.filter((rule) => importersOf(rule, "core/{planning,manifests}").length === 0)).toEqual([]);
  // What a program claims, whose a live resource is, where a resource may not move, what it ignores before references are looked up, and whether a killed run has made it.
  expect(rules.filter((rule) => importersOf(rule, "provider/lifecycle").length > 0).toSorted()).toEqual([
    "claims.ts",
    "clone.ts",
    "holder.ts",
    "ignored-fields.ts",
    "place.ts",
    "spelling.ts",
  ]);
});

async function planned({ manifests, consents = [] }: Case): Promise<string> {
  const above = `
{ kind: Project, name: shop }
---
{ kind: Environment, project: shop, name: staging, mode: STAGING, cluster: eu-west }
`;
  try {
    const plan = await staging.server.plan(above + manifests, { infrastructure: consents });
    return plan.problems.map(({ message }) => message).join("\n");
  } catch (error) {
    return (error as Error).message;
  }
}

async function programmed({ program, consents = [] }: Case, before: string): Promise<string> {
  const pass = await staging.pass({ "infrasync:allowInfrastructure": consents.join(",") });
  try {
    for (const [kind, inputs] of program) await pass.create(kind, inputs(staging, before));
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

test.each(Object.entries(cases))("planner and provider agree on %s", async (_what, given) => {
  const before = given.before && (await (await staging.pass()).create("Job", given.before(staging)));
  const verdicts = [await planned(given), await programmed(given, before?.id ?? "")];
  expect(verdicts).toEqual(
    given.says === undefined
      ? ["", ""]
      : [expect.stringContaining(given.says), expect.stringContaining(given.says)],
  );
});

test("planner and provider warn of the same variables, and neither shows a value", async () => {
  const value = "postgres://app:hunter2@db.acme.example/shop";
  const { notes } = await staging.server.plan(
    `{ kind: Project, name: other, variables: { DATABASE_URL: "${value}", LEVEL: debug } }`,
  );
  const noted = notes.find(({ code }) => code === "credential")?.message;
  const { notes: warnings = [] } = check(
    kindOf("Project"),
    {},
    { name: "other", variables: { DATABASE_URL: { value }, LEVEL: { value: "debug" } } },
  );
  const warned = warnings.join("\n");
  for (const text of [noted, warned]) {
    expect(text).toContain("variables.DATABASE_URL (a URL with a password)");
    expect(text).toContain("everyone who sees the environment can read the value");
    expect(text).not.toMatch(/hunter2|LEVEL/);
  }
});
