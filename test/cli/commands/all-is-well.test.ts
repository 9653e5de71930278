import { beforeEach, describe, expect, test } from "vitest";
import { application, job, shop } from "../../fixtures/manifests.ts";
import { steady, useFixture } from "../fixture.ts";

// Situations in which somebody could read that all is well.
const fixture = useFixture();
const organization = "kind: Organization\nname: acme\n";
const [project = "", environment = ""] = shop.split("---\n");
const both = project + "---\n" + environment;
const all = shop + job("nightly") + application("api");
const stage = "---\nkind: DeploymentStage\nenvironment: shop/staging\nname: by-hand\n";

beforeEach(async () => {
  await apply(all);
});

/** What somebody does without these manifests. */
async function apply(manifests: string, ...flags: string[]) {
  const file = await fixture.write("by-hand.yaml", manifests);
  expect(await fixture.run(["apply", file, "--yes", ...flags])).toMatchObject({ code: 0 });
}

/** A variable or a secret that somebody sets. */
async function set(key: string, scope: "JOB" | "ENVIRONMENT", isSecret = false) {
  const variables = isSecret ? `secrets: { ${key}: { from_env: SHOP_S } }` : `variables: { ${key}: x }`;
  const file = await fixture.write(
    "by-hand.yaml",
    scope === "JOB" ? shop + job("nightly", variables) : `${shop}${variables}\n`,
  );
  const env = { ...fixture.env, SHOP_S: "s3cret" };
  expect(await fixture.run(["apply", file, "--yes"], { env })).toMatchObject({ code: 0 });
}

/** Text, exit code and JSON of a plan of these manifests. */
async function plan(manifests: string, ...flags: string[]) {
  const file = await fixture.write("some.yaml", manifests);
  const { code, stdout } = await fixture.run(["plan", file, "--detailed-exitcode", ...flags]);
  const json = await fixture.run(["plan", file, "--output", "json", ...flags]);
  return { code, text: steady(stdout), json: JSON.parse(json.stdout) as { unread?: { sort: string }[] } };
}

interface Situation {
  what: string;
  manifests: string;
  /** What somebody has done. */
  byHand?: () => Promise<unknown>;
  /** What a plan says. */
  plain: RegExp;
  /** What a strict plan says. */
  strict: RegExp;
}

const unread = (sort: string) => new RegExp(`Not checked: .*\\b${sort} of \\d`);
const contents = unread("contents");
const settings = unread("settings");

const situations: Situation[] = [
  {
    what: "an environment of which no service is declared",
    manifests: both,
    plain: contents,
    strict: /Job shop\/staging\/nightly, Application shop\/staging\/api|api, Job shop\/staging\/nightly/,
  },
  { what: "an environment alone", manifests: environment, plain: contents, strict: /shop\/staging\/api/ },
  {
    what: "a project of which no environment is declared",
    manifests: project,
    plain: contents,
    strict: /Environment shop\/staging/,
  },
  {
    what: "an organization of which no project is declared",
    manifests: organization,
    plain: contents,
    strict: /Project shop/,
  },
  {
    what: "an organization and one of its projects",
    manifests: `${organization}---\nkind: Project\nname: other\n`,
    byHand: () => apply("kind: Project\nname: other\n"),
    plain: /Unmanaged: Project shop/,
    strict: /Project shop.*Cluster eu-west.*ContainerRegistry docker-hub/,
  },
  {
    what: "a service beside those that are declared",
    manifests: shop + job("nightly"),
    plain: /Unmanaged: Application/,
    strict: /Unmanaged: Application/,
  },
  {
    what: "a stage that nobody describes",
    manifests: all,
    byHand: () => apply(both + stage),
    plain: settings,
    strict: /DeploymentStage shop\/staging\/by-hand/,
  },
  {
    what: "a field",
    manifests: all,
    byHand: () => apply(shop + job("nightly", "port: 8080")),
    plain: /1 field/,
    strict: /port is 8080/,
  },
  {
    what: "a member of a list",
    manifests: all,
    byHand: () => apply(shop + application("api").replace("true }", "true, public_path: /x }")),
    plain: /1 field/,
    strict: /public_path is "\/x"/,
  },
  {
    what: "a variable",
    manifests: all,
    byHand: () => set("LEVEL", "JOB"),
    plain: unread("variables and secrets"),
    strict: /variable LEVEL is set/,
  },
  {
    what: "a secret",
    manifests: all,
    byHand: () => set("TOKEN", "JOB", true),
    plain: unread("variables and secrets"),
    strict: /secret TOKEN is set/,
  },
  {
    what: "a variable of an environment",
    manifests: all,
    byHand: () => set("LEVEL", "ENVIRONMENT"),
    plain: unread("variables and secrets"),
    strict: /variable LEVEL is set/,
  },
  {
    what: "a variable of a project",
    manifests: all,
    byHand: () => apply(`${project}variables: { LEVEL: x }\n---\n${environment}`),
    plain: unread("variables and secrets"),
    strict: /variable LEVEL is set/,
  },
  {
    what: "an advanced setting",
    manifests: all,
    byHand: () => apply(shop + job("nightly", "advanced_settings: { build.timeout_max_sec: 5 }")),
    plain: settings,
    strict: /advanced setting build.timeout_max_sec is set/,
  },
  {
    what: "a custom domain",
    manifests: all,
    byHand: () => apply(shop + application("api", "custom_domains: { a.example.com: {} }")),
    plain: unread("custom domains"),
    strict: /custom domain a.example.com is set/,
  },
  {
    what: "a rule of deployments",
    manifests: all,
    byHand: () =>
      apply(
        `${both}---\nkind: DeploymentRule\nproject: shop\nname: nights\nmode: STAGING\ncluster: eu-west\ntimezone: Europe/Paris\nstart_time: 2026-01-01T08:00:00Z\nstop_time: 2026-01-01T19:00:00Z\nweekdays: [MONDAY]\n`,
      ),
    plain: settings,
    strict: /DeploymentRule shop\/nights/,
  },
  {
    what: "a deployment stage of a service",
    manifests: all,
    byHand: () => apply(environment + stage + job("nightly", "deployment_stage: by-hand")),
    plain: settings,
    strict: /deployment_stage is "?by-hand/,
  },
  {
    what: "a deployment stage of a service that is declared alone",
    manifests: job("nightly").replace("---\n", ""),
    byHand: () => apply(environment + stage + job("nightly", "deployment_stage: by-hand")),
    plain: settings,
    strict: /deployment_stage is "?by-hand/,
  },
  {
    what: "a service that is left out of deployments",
    manifests: all,
    byHand: () => apply(environment + job("nightly", "is_skipped: true")),
    plain: settings,
    strict: /is_skipped/,
  },
  {
    what: "services that were never deployed",
    manifests: all,
    plain: unread("deployments"),
    strict: /2 services are not deployed \(.*never deployed/,
  },
  {
    what: "a service whose deployment has failed",
    manifests: all,
    byHand: async () => {
      await fixture.fault({ method: "POST", path: "/environment/*/service/deploy", fail_deployment: true });
      await fixture.run(["deploy", "job:shop/staging/nightly", "--wait"]);
    },
    plain: unread("deployments"),
    strict: /job:shop\/staging\/nightly: DEPLOYMENT_ERROR/,
  },
  {
    what: "a service that is stopped",
    manifests: all,
    byHand: async () => {
      await fixture.run(["deploy", "shop/staging", "--wait"]);
      await fixture.run(["stop", "job:shop/staging/nightly", "--yes", "--wait"]);
    },
    plain: unread("deployments"),
    strict: /1 service is not deployed \(job:shop\/staging\/nightly: /,
  },
  {
    what: "a service that runs what was applied before",
    manifests: shop + job("nightly", "memory: 1024") + application("api"),
    byHand: async () => {
      await fixture.run(["deploy", "shop/staging", "--wait"]);
      await apply(shop + job("nightly", "memory: 1024"));
    },
    plain: unread("deployments"),
    strict: /1 service is not deployed \(job:shop\/staging\/nightly: /,
  },
  {
    what: "a plan with changes",
    manifests: shop + job("nightly", "memory: 2048"),
    byHand: () => set("LEVEL", "JOB"),
    plain: /Not checked: .*variables and secrets of \d[^]*|Plan: 1 to update/,
    strict: /variable LEVEL is set/,
  },
  {
    what: "a document that an overlay takes out",
    manifests: `${all}`.replace(/\n---\nkind: Application[^]*/, "\n"),
    plain: /Unmanaged: Application/,
    strict: /Unmanaged: Application/,
  },
];

describe.each(situations)("$what", ({ manifests, byHand, plain, strict }) => {
  test("a plan names it, or says in one line that it has not looked; a strict plan has looked at everything", async () => {
    await byHand?.();
    const { text, json } = await plan(manifests);
    expect(text).toMatch(plain);
    expect(text).not.toMatch(/No changes:|\bmatch(?:es)?\b/);
    const line = text.split("\n").filter((each) => each.startsWith("Not checked"));
    expect(line.length).toBe((json.unread ?? []).length > 0 ? 1 : 0);

    const looked = await plan(manifests, "--strict");
    expect(looked.text).toMatch(strict);
    expect(looked.text).not.toMatch(/No changes:|Not checked/);
    expect(looked.json.unread).toBeUndefined();
  });
});

test("situations are 25, and what no manifest declares is a difference for --strict", async () => {
  expect(situations.length).toBe(25);
  for (const { manifests } of situations.slice(0, 4))
    expect(await plan(manifests, "--strict")).toMatchObject({ code: 2 });
});

test("the line is the same in Markdown", async () => {
  const { text } = await plan(shop + job("nightly", "memory: 2048"));
  const line = /^Not checked: [^(]*/m.exec(text)?.[0].trim();
  const { stdout } = await fixture.run(["plan", `${fixture.folder}/some.yaml`, "--output", "markdown"]);
  expect(stdout).toContain(line);
});
