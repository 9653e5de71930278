import { beforeEach, describe, expect, test } from "vitest";
import { formatAddress, type Plan } from "../../../../core/index.ts";
import { type Fields, isFields } from "../../../../core/values/json.ts";
import { hasDifferences, unmanagedCounts } from "../../../../core/planning/plan/index.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";
import { application, job, shop } from "../../../fixtures/manifests.ts";

const harness = useHarness();

const all =
  shop +
  job("a", "variables: { KNOWN: x }") +
  application("api", "variables: { KNOWN: x }\ncustom_domains: { a.example.com: {} }") +
  job("silent");
beforeEach(async () => {
  await harness.reconcile(all);
});

const undeclaredNotes = ({ notes }: Plan) =>
  notes
    .filter(({ code }) => code === "undeclared_field")
    .map(({ address, message }) => (address ? `${formatAddress(address)}: ${message}` : message));

/** Somebody changes members of a service by hand. */
async function change(kind: string, name: string, fields: (live: Fields) => Fields) {
  const path = `/${kind}/${await harness.idOf(`shop/staging/${kind.toUpperCase()} ${name}`)}`;
  const live = await harness.api("GET", path);
  if (!isFields(live)) throw new Error(`${path} is not there`);
  await harness.api("PUT", path, { ...live, ...fields(live) });
}
const variable = async (scope: string, path: string, body: Fields) =>
  harness.api("POST", "/variable", {
    is_secret: false,
    variable_scope: scope,
    variable_parent_id: await harness.idOf(path),
    ...body,
  });
const firstPort = ({ ports }: Fields, member: Fields): Fields => ({
  ports: Array.isArray(ports) ? ports.map((port) => ({ ...(isFields(port) && port), ...member })) : [],
});

test("nothing is counted of resources that are as their documents say", async () => {
  await harness.forgetRequests();
  const plain = await harness.plan(all);
  expect(undeclaredNotes(plain)).toEqual([]);
  expect(undeclaredNotes(await harness.plan(all, { strict: true }))).toEqual([]);
});

/** Without `count`: only a strict plan reads the list that shows it. */
const rows: { what: string; byHand: () => Promise<unknown>; strict: string; count?: string }[] = [
  {
    what: "automatic deployments",
    byHand: () => change("job", "a", () => ({ auto_deploy: false })),
    strict: "job:shop/staging/a: auto_deploy is false, which no document declares",
    count: "1 field (Job shop/staging/a)",
  },
  {
    what: "an entrypoint",
    byHand: () => change("application", "api", () => ({ entrypoint: "/bin/other" })),
    strict: 'application:shop/staging/api: entrypoint is "/bin/other", which no document declares',
    count: "1 field (Application shop/staging/api)",
  },
  {
    what: "the port of a job",
    byHand: () => change("job", "a", () => ({ port: 8080 })),
    strict: "job:shop/staging/a: port is 8080, which no document declares",
    count: "1 field (Job shop/staging/a)",
  },
  {
    what: "the limit of a run",
    byHand: () => change("job", "a", () => ({ max_duration_seconds: 60 })),
    strict: "job:shop/staging/a: max_duration_seconds is 60, which no document declares",
    count: "1 field (Job shop/staging/a)",
  },
  {
    what: "a member inside a stated schedule",
    byHand: () =>
      change("job", "a", () => ({
        schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: "UTC", entrypoint: "/x" } },
      })),
    strict: 'job:shop/staging/a: schedule.cronjob.entrypoint is "/x", which no document declares',
    count: "1 field (Job shop/staging/a)",
  },
  {
    what: "a member of a stated port",
    byHand: () => change("application", "api", (live) => firstPort(live, { public_path: "/admin" })),
    strict:
      'application:shop/staging/api: ports[8080/HTTP].public_path is "/admin", which no document declares',
    count: "1 field (Application shop/staging/api)",
  },
  {
    what: "a variable of a service whose variables are declared",
    byHand: () => variable("JOB", "shop/staging/JOB a", { key: "LEVEL", value: "high" }),
    strict: "job:shop/staging/a: variable LEVEL is set, and no document declares it",
    count: "1 variable (Job shop/staging/a)",
  },
  {
    what: "a secret of a service whose variables are declared",
    byHand: () => variable("JOB", "shop/staging/JOB a", { key: "TOKEN", value: "x", is_secret: true }),
    strict: "job:shop/staging/a: secret TOKEN is set, and no document declares it",
    count: "1 secret (Job shop/staging/a)",
  },
  {
    what: "a variable of an environment, which the list of a service shows",
    byHand: () => variable("ENVIRONMENT", "shop/staging", { key: "LEVEL", value: "high" }),
    strict: "environment:shop/staging: variable LEVEL is set, and no document declares it",
    count: "1 variable (Environment shop/staging)",
  },
  {
    what: "a variable of a service without stated ones",
    byHand: () => variable("JOB", "shop/staging/JOB silent", { key: "LEVEL", value: "high" }),
    strict: "job:shop/staging/silent: variable LEVEL is set, and no document declares it",
  },
  {
    what: "an advanced setting",
    byHand: async () => {
      const path = `/job/${await harness.idOf("shop/staging/JOB a")}/advancedSettings`;
      const live = await harness.api("GET", path);
      await harness.api("PUT", path, { ...(isFields(live) && live), "build.timeout_max_sec": 5 });
    },
    strict: "job:shop/staging/a: advanced setting build.timeout_max_sec is set, and no document declares it",
  },
  {
    what: "a network setting",
    byHand: async () =>
      harness.api("PUT", `/application/${await harness.idOf("shop/staging/APPLICATION api")}/network`, {
        sticky_session: true,
      }),
    strict:
      "application:shop/staging/api: network setting sticky_session is set, and no document declares it",
  },
  {
    what: "a deployment stage",
    byHand: async () => {
      const service = await harness.idOf("shop/staging/JOB a");
      const environment = await harness.idOf("shop/staging");
      const made = await harness.api("POST", `/environment/${environment}/deploymentStage`, { name: "late" });
      if (!isFields(made)) throw new Error("no stage was made");
      await harness.api("PUT", `/deploymentStage/${String(made["id"])}/service/${service}`);
    },
    strict: 'job:shop/staging/a: deployment_stage is "late", which no document declares',
  },
  {
    what: "a custom domain",
    byHand: async () =>
      harness.api("POST", `/application/${await harness.idOf("shop/staging/APPLICATION api")}/customDomain`, {
        domain: "b.example.com",
        generate_certificate: true,
      }),
    strict: "application:shop/staging/api: custom domain b.example.com is set, and no document declares it",
    count: "1 custom domain (Application shop/staging/api)",
  },
];

describe.each(rows)("manually: $what", ({ byHand, strict, count }) => {
  test("a plan counts it as far as it has read it, with no request for it; a strict one lists it", async () => {
    const before = await harness.plan(all);
    await byHand();
    const plain = await harness.plan(all);
    expect(undeclaredNotes(plain)).toEqual(
      count === undefined ? [] : [`Set on the server but missing in the manifests: ${count}`],
    );
    expect(plain.spent).toBe(before.spent);
    expect(undeclaredNotes(await harness.plan(all, { strict: true }))).toEqual([strict]);
  });
});

test("a plan says of which resources it has not read the parts, and a strict one has read all", async () => {
  const unread = ({ unread: parts = [] }: Plan) =>
    parts.map(({ address, sort }) => `${sort} of ${formatAddress(address)}`);
  expect(unread(await harness.plan(all))).toEqual([
    "settings of project:shop",
    "settings of environment:shop/staging",
    "settings of job:shop/staging/a",
    "settings of application:shop/staging/api",
    "settings of job:shop/staging/silent",
    "variables and secrets of job:shop/staging/silent",
    "deployments of environment:shop/staging",
  ]);
  expect(unread(await harness.plan(all, { strict: true }))).toEqual([]);
});

test("a resource beside the managed ones is counted, and a difference to a strict plan", async () => {
  await harness.reconcile(job("other"));
  const counts = async (policy = {}) => {
    const plan = await harness.plan(all, policy);
    return [unmanagedCounts(plan.unmanaged ?? []), hasDifferences(plan)];
  };
  expect(await counts()).toEqual(["1 resource", false]);
  expect(await counts({ strict: true })).toEqual(["1 resource", true]);
});

test("what a document ignores is not counted", async () => {
  await change("job", "a", () => ({ auto_deploy: false, port: 8080 }));
  const ignoring = all.replace(
    "variables: { KNOWN: x }",
    "variables: { KNOWN: x }\nmanage: { ignore: [port] }",
  );
  expect(undeclaredNotes(await harness.plan(ignoring, { strict: true }))).toEqual([rows[0]?.strict]);
});

test("a custom domain that another live service has is told before it is applied", async () => {
  const add = async (name: string, domain: string) =>
    harness.api(
      "POST",
      `/application/${await harness.idOf(`shop/staging/APPLICATION ${name}`)}/customDomain`,
      { domain, generate_certificate: true },
    );
  await harness.reconcile(all + application("other"));
  await add("api", "seen.example.com");
  await add("other", "unseen.example.com");
  const text =
    all +
    application(
      "web",
      "custom_domains: { seen.example.com: {}, unseen.example.com: {}, new.example.com: {} }",
    );
  const reported = async (strict: boolean) =>
    (await harness.plan(text, { strict })).notes.flatMap(({ code, message }) =>
      code === "doubtful_value" ? [message] : [],
    );
  const seen = "the custom domain seen.example.com leads to Application shop/staging/api";
  const both = [seen, "the custom domain unseen.example.com leads to Application shop/staging/other"];
  expect(await reported(false)).toEqual(both);
  expect(await reported(true)).toEqual(both);
  await expect(add("other", "seen.example.com")).rejects.toThrow("belongs to another service");
});
