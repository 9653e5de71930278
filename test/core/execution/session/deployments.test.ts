import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import picocolors from "picocolors";
import { reportJson } from "../../../../cli/render/json.ts";
import { renderReport } from "../../../../cli/render/report.ts";
import { costOf, type Plan, type Report } from "../../../../core/index.ts";
import { application, job, shop } from "../../../fixtures/manifests.ts";
import { Course } from "../../deployments/course.ts";
import { applyApproved, summary } from "../../../fixtures/harness.ts";

let course: Course;
beforeAll(async () => {
  course = await Course.start(60_000);
});
afterAll(() => course.harness[Symbol.asyncDispose]());
beforeEach(async () => {
  await course.harness.api("POST", "/_emulator/reset");
  course.onWait = () => undefined;
});

const deploying = (text: string, more = {}) => course.harness.plan(text, { deploy: true, ...more });
const jobs = (count: number, rest = "") =>
  Array.from({ length: count }, (_, index) => job(`job-${index}`, rest)).join("");

async function carryOut(plan: Plan, wait?: number, signal?: AbortSignal): Promise<Report> {
  await course.harness.forgetRequests();
  return applyApproved(plan, course.context(signal), wait === undefined ? {} : { wait });
}

const requests = async () => {
  const seen = await course.harness.seen();
  return seen.map(({ method, path }) => `${method} ${path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "{id}")}`);
};
const statuses = ({ outcomes }: Report) =>
  Object.fromEntries(outcomes.filter(({ type }) => type === "deploy").map(({ id, status }) => [id, status]));
const text = (report: Report) =>
  renderReport(report, { colors: picocolors.createColors(false), budget: {}, now: 0 });

describe("a run deploys", () => {
  test("the services that it creates, with one request for an environment", async () => {
    const plan = await deploying(shop + jobs(3));
    expect(summary(plan).slice(-3)).toEqual([
      "deploy job:shop/staging/job-0",
      "deploy job:shop/staging/job-1",
      "deploy job:shop/staging/job-2",
    ]);
    expect(costOf(plan).applying).toBe(5 + 2);
    const report = await carryOut(plan);
    expect((await requests()).slice(-2)).toEqual([
      "GET /environment/{id}/statuses",
      "POST /environment/{id}/service/deploy",
    ]);
    expect(await requests()).toHaveLength(costOf(plan).applying);
    expect(text(report)).toContain("Done: 5 created, 3 being deployed.");
    expect(reportJson(report, {}).outcomes.at(-1)).toMatchObject({
      type: "deploy",
      status: "done",
      goes_on: true,
    });
  });

  test("the services that it changes and no others, and the next run does nothing", async () => {
    await carryOut(await deploying(shop + jobs(2)), 600_000);
    expect(summary(await deploying(shop + jobs(2)))).toEqual([]);
    const plan = await deploying(shop + jobs(1) + job("job-1", "cpu: 750"));
    expect(summary(plan)).toEqual([
      "update job:shop/staging/job-1: cpu 500 -> 750",
      "deploy job:shop/staging/job-1",
    ]);
    await carryOut(plan, 600_000);
    expect(summary(await deploying(shop + jobs(1) + job("job-1", "cpu: 750")))).toEqual([]);
  });

  test("managed services that were never deployed or are out of date, and no unmanaged services", async () => {
    await carryOut(await deploying(shop + jobs(2)), 600_000);
    await course.harness.reconcile(shop + job("job-0", "cpu: 750") + job("job-1", "cpu: 750") + job("new"));
    const plan = await deploying(shop + job("job-0", "cpu: 750") + job("new"));
    expect(
      plan.actions.flatMap((action) => (action.type === "deploy" ? [[action.id, action.reason]] : [])),
    ).toEqual([
      ["deploy job:shop/staging/job-0", "out_of_date"],
      ["deploy job:shop/staging/new", "never_deployed"],
    ]);
    const targeted = await deploying(shop + job("job-0", "cpu: 750") + job("new"), {
      targets: [
        {
          text: "",
          matches: ({ names }: { names: readonly string[] }) => names.at(-1) === "new",
          readsInside: () => true,
        },
      ],
    });
    expect(summary(targeted)).toEqual(["deploy job:shop/staging/new"]);
  });

  test("a managed service whose last deployment failed, although its configuration is the deployed one", async () => {
    await course.harness.api("POST", "/_emulator/faults", [
      { method: "POST", path: "/environment/*/service/deploy", fail_deployment: true, times: 1 },
    ]);
    await carryOut(await deploying(shop + jobs(2)), 600_000);
    const plan = await deploying(shop + jobs(1));
    expect(
      plan.actions.flatMap((action) => (action.type === "deploy" ? [[action.id, action.reason]] : [])),
    ).toEqual([["deploy job:shop/staging/job-0", "failed"]]);
    await carryOut(plan, 600_000);
    expect(summary(await deploying(shop + jobs(1)))).toEqual([]);
  });

  test("no service that was stopped", async () => {
    await carryOut(await deploying(shop + jobs(1)), 600_000);
    await course.harness.api("POST", `/environment/${await course.harness.idOf("shop/staging")}/stop`);
    expect(summary(await deploying(shop + jobs(1)))).toEqual([]);
  });

  test("nothing without the policy, and then reads no status", async () => {
    await course.harness.reconcile(shop + jobs(2));
    await course.harness.forgetRequests();
    expect(summary(await course.harness.plan(shop + jobs(2)))).toEqual([]);
    expect((await requests()).filter((request) => request.includes("status"))).toEqual([]);
  });

  test("an environment after it and its services have been cloned, because nothing is cloned during a deployment", async () => {
    await carryOut(await deploying(shop + jobs(1)), 600_000);
    const preview = `---\nkind: Environment\nproject: shop\nname: preview\nclone: { from: shop/staging }\n`;
    const second = `---\nkind: Environment\nproject: shop\nname: second\nclone: { from: shop/preview }\n`;
    const copy = `---\nkind: Job\nenvironment: shop/second\nname: copy\nclone: { from: shop/staging/job-0 }\n`;
    const plan = await deploying(shop + job("job-0", "cpu: 750") + preview + second + copy);
    const after = Object.fromEntries(plan.actions.map((action) => [action.id, action.after]));
    expect(after["deploy job:shop/staging/job-0"]).toEqual(
      expect.arrayContaining(["clone environment:shop/preview", "clone job:shop/second/copy"]),
    );
    expect(after["deploy environment:shop/preview"]).toContain("clone environment:shop/second");
    await carryOut(plan, 600_000);
    const clones = (await requests()).filter((request) => request.endsWith("/clone"));
    expect(clones).toHaveLength(3);
  });

  test("a cloned environment, as a whole and after its changes", async () => {
    await course.harness.reconcile(shop + jobs(2));
    const clone = `---\nkind: Environment\nproject: shop\nname: preview\nclone: { from: shop/staging }\n`;
    const plan = await deploying(shop + jobs(2) + clone + job("job-1", "cpu: 750", "shop/preview"), {
      targets: [
        {
          text: "",
          matches: ({ names }: { names: readonly string[] }) => names[1] === "preview",
          readsInside: () => true,
        },
      ],
    });
    const deployment = plan.actions.find(({ type }) => type === "deploy");
    expect(deployment).toMatchObject({
      id: "deploy environment:shop/preview",
      after: ["clone environment:shop/preview", "update job:shop/preview/job-1"],
    });
    const report = await carryOut(plan, 600_000);
    expect(statuses(report)).toEqual({ "deploy environment:shop/preview": "done" });
    expect(await requests()).toContain("POST /environment/{id}/deploy");
  });
});

test("20 services in a minute with at most 12 requests more than the apply", async () => {
  const plan = await deploying(shop + jobs(19) + application("api"));
  const report = await carryOut(plan, 1_800_000);
  expect(new Set(Object.values(statuses(report)))).toEqual(new Set(["done"]));
  const beyond = (await requests()).filter((request) => /status|deploy/.test(request));
  expect(beyond.length).toBeLessThanOrEqual(12);
  expect(beyond.filter((request) => request.startsWith("POST"))).toHaveLength(1);
});

describe("failures", () => {
  const fault = (...faults: object[]) => course.harness.api("POST", "/_emulator/faults", faults);

  test("a failed change leaves its environment undeployed", async () => {
    const plan = await deploying(shop + jobs(2));
    await fault({ method: "POST", path: "/environment/*/job", after: 1, status: 400 });
    const report = await carryOut(plan);
    expect(new Set(Object.values(statuses(report)))).toEqual(new Set(["skipped"]));
    expect(await requests()).not.toContain("POST /environment/{id}/service/deploy");
  });

  test("a lost response leads to one deployment", async () => {
    const plan = await deploying(shop + jobs(2));
    await fault({ method: "POST", path: "/environment/*/service/deploy", times: 1, drop: "after" });
    expect(new Set(Object.values(statuses(await carryOut(plan, 600_000))))).toEqual(new Set(["done"]));
    expect((await requests()).filter((request) => request.includes("service/deploy"))).toHaveLength(1);
    expect(await course.deployments(await course.harness.idOf("shop/staging"))).toBe(1);
  });

  test("a failed deployment makes the run incomplete, and the report contains the state and the last log lines", async () => {
    const plan = await deploying(shop + jobs(1) + application("api"));
    await fault({ method: "POST", path: "/environment/*/service/deploy", fail_deployment: true });
    const report = await carryOut(plan, 600_000);
    expect(reportJson(report, {})).toMatchObject({
      complete: false,
      outcomes: expect.arrayContaining([
        expect.objectContaining({
          id: "deploy application:shop/staging/api",
          status: "failed",
          code: "deployment",
          message: "its deployment has failed: DEPLOYMENT_ERROR",
          logs: [expect.objectContaining({ message: "deploy of api requested" }), expect.anything()],
        }),
      ]),
    });
    expect(text(report)).toContain("api: DEPLOYMENT_ERROR");
  });

  test("a deployment that exceeds the time limit, or that nobody waits for, continues and is pending", async () => {
    const plan = await deploying(shop + jobs(1));
    const report = await carryOut(plan, 10_000);
    expect(report.outcomes.at(-1)).toMatchObject({
      status: "pending",
      message: expect.stringContaining("the deployment was still running when the time to wait for it ended"),
    });
    await course.harness.api("POST", "/_emulator/clock", { advance_ms: 100_000 });
    const interruption = new AbortController();
    course.onWait = () => interruption.abort();
    const again = await carryOut(
      await deploying(shop + job("job-0", "cpu: 750")),
      600_000,
      interruption.signal,
    );
    expect(again.stopped?.reason).toBe("interrupted");
    expect(again.outcomes.at(-1)).toMatchObject({
      status: "pending",
      message: expect.stringContaining("continues"),
    });
  });

  test("after a killed run, the next run deploys", async () => {
    await course.harness.reconcile(shop + jobs(2));
    const plan = await deploying(shop + jobs(2));
    expect(summary(plan)).toEqual(["deploy job:shop/staging/job-0", "deploy job:shop/staging/job-1"]);
  });
});
