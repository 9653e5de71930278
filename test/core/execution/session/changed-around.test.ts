import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import picocolors from "picocolors";
import { renderAwaiting } from "../../../../cli/render/pending-deployments.ts";
import type { Plan, Report } from "../../../../core/index.ts";
import { awaitingDeployment } from "../../../../core/execution/execute/index.ts";
import { formatAddress } from "../../../../core/model/addresses/address.ts";
import { chooseServices, readDeploymentStatuses } from "../../../../core/deployments/index.ts";
import { parsePattern } from "../../../../core/model/addresses/pattern.ts";
import { parseSecretChoice } from "../../../../core/model/addresses/secret-choice.ts";
import { Course } from "../../deployments/course.ts";
import { applyApproved } from "../../../fixtures/harness.ts";
import { job } from "../../../fixtures/manifests.ts";

let course: Course;
beforeAll(async () => {
  course = await Course.start(60_000);
});
afterAll(() => course.harness[Symbol.asyncDispose]());
beforeEach(async () => {
  await course.harness.api("POST", "/_emulator/reset");
});

const environment = (name: string, rest = "") =>
  `---\nkind: Environment\nproject: shop\nname: ${name}\nmode: STAGING\ncluster: eu-west\n${rest}\n`;
const database = `---\nkind: Database\nenvironment: shop/staging\nname: orders\ntype: POSTGRESQL\nversion: "16"\nmode: CONTAINER\n`;

/** A shop with two jobs and a database in staging, and a job in production. */
const shop = ({ project = "eu", staging = "info" } = {}) =>
  `kind: Project\nname: shop\nvariables: { REGION: { value: ${project} } }\n` +
  environment("staging", `variables: { LEVEL: { value: ${staging} } }`) +
  database +
  job("a") +
  job("b");
const production = environment("production") + job("c", "", "shop/production");

async function carryOut(plan: Plan): Promise<Report> {
  return applyApproved(plan, course.context(), { wait: 600_000 });
}

/** Applies and deploys everything, and lets time pass. */
async function deployed(): Promise<void> {
  await carryOut(await course.harness.plan(shop() + production, { deploy: true }));
  await pass();
}

const pass = () => course.harness.api("POST", "/_emulator/clock", { advance_ms: 60_000 });

async function apply(text: string, deploy = false): Promise<Report> {
  const report = await carryOut(await course.harness.plan(text, { deploy }));
  await pass();
  return report;
}

async function deployments(text: string): Promise<[string, string][]> {
  const { actions } = await course.harness.plan(text, { deploy: true });
  return actions.flatMap((action): [string, string][] =>
    action.type === "deploy" ? [[formatAddress(action.address), action.reason ?? ""]] : [],
  );
}

const waiting = (report: Report) => awaitingDeployment(report).map(formatAddress);
const text = (report: Report) => renderAwaiting(report, picocolors.createColors(false)).join("");

async function changes(pattern: string): Promise<Record<string, string[]>> {
  const run = course.context();
  const choices = await chooseServices(run, course.harness.organization, [parsePattern(pattern)]);
  const { statuses } = await readDeploymentStatuses(run, course.harness.organization.id, choices);
  return Object.fromEntries(
    statuses.flatMap(({ services }) => services.map((each) => [formatAddress(each.address), each.changes])),
  );
}

describe("a changed variable of an environment", () => {
  test("is reported with the services that do not have it yet", async () => {
    await deployed();
    const report = await apply(shop({ staging: "debug" }));
    expect(waiting(report)).toEqual(["job:shop/staging/a", "job:shop/staging/b"]);
    expect(text(report)).toBe(
      "Not deployed yet: 2 services of shop/staging (until then they run without the changes of Environment shop/staging). To deploy:\n  infrasync deploy job:shop/staging/a job:shop/staging/b",
    );
  });

  test("is still known in a later run, which deploys these services once", async () => {
    await deployed();
    const changed = shop({ staging: "debug" });
    await apply(changed);
    expect(await changes("environment:shop/staging")).toEqual({
      "database:shop/staging/orders": [],
      "job:shop/staging/a": ["LEVEL"],
      "job:shop/staging/b": ["LEVEL"],
    });
    expect(await deployments(changed)).toEqual([
      ["job:shop/staging/a", "changed_around"],
      ["job:shop/staging/b", "changed_around"],
    ]);
    await apply(changed, true);
    expect(await deployments(changed)).toEqual([]);
    expect(await changes("job:shop/staging/a")).toEqual({ "job:shop/staging/a": [] });
  });

  test("deploys no database, since a database has no variables", async () => {
    await deployed();
    expect(await deployments(shop({ staging: "debug" }))).toEqual([
      ["job:shop/staging/a", "changed"],
      ["job:shop/staging/b", "changed"],
    ]);
  });

  test("deploys nothing that was stopped", async () => {
    await deployed();
    await apply(shop({ staging: "debug" }));
    await course.harness.api("POST", `/environment/${await course.harness.idOf("shop/staging")}/stop`);
    await pass();
    expect(await deployments(shop({ staging: "debug" }))).toEqual([]);
    expect(await changes("job:shop/staging/a")).toEqual({ "job:shop/staging/a": [] });
  });
});

test("a secret of an environment that is written again is reported with the services that lack it", async () => {
  const secret = shop().replace(
    "variables: { LEVEL",
    "secrets: { KEY: { from_env: SHOP_FIRST } }\nvariables: { LEVEL",
  );
  await course.harness.apply(await course.harness.plan(secret));
  await pass();
  const plan = await course.harness.plan(secret, {
    rotate: [parseSecretChoice("environment:shop/staging:KEY")],
  });
  const report = await course.harness.apply(plan);
  expect(waiting(report)).toEqual(["job:shop/staging/a", "job:shop/staging/b"]);
});

describe("a changed variable of a project", () => {
  test("is reported with the services of every environment, also of those that no document declares", async () => {
    await deployed();
    const report = await apply(shop({ project: "ap" }));
    expect(waiting(report)).toEqual([
      "environment:shop/production",
      "job:shop/staging/a",
      "job:shop/staging/b",
    ]);
    expect(text(report)).toContain("2 services of shop/staging, all services of shop/production");
  });

  test("is known to a run of another environment, and to a later look at it", async () => {
    await deployed();
    const report = await apply(shop({ project: "ap" }), true);
    expect(waiting(report)).toEqual(["environment:shop/production"]);
    expect(await changes("environment:shop/*")).toMatchObject({
      "job:shop/staging/a": [],
      "job:shop/production/c": ["REGION"],
    });
    expect(await deployments(production)).toEqual([["job:shop/production/c", "changed_around"]]);
  });
});

test("a plan without deployments reads nothing more for it, and one with deployments one list an environment", async () => {
  await deployed();
  const spent = async (deploy: boolean) => (await course.harness.plan(production, { deploy })).spent;
  const before = await spent(false);
  expect(await spent(true)).toBe(before + 2);
});
