import { expect, test } from "vitest";
import { documentOf } from "../captured.ts";
import { steady, useFixture, writesOf } from "../fixture.ts";
import { cronJob, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture({ behaviour: { rate_limit: 12, rate_window_s: 3 } });

/** Its quota does not reset during a test, however slow the machine is. */
const hourly = useFixture({ behaviour: { rate_limit: 12, rate_window_s: 3600 } });

const jobs = Array.from({ length: 12 }, (_, index) => cronJob(`job-${index}`)).join("");

test("apply refuses a plan that costs more than the remaining quota before any write", async () => {
  await hourly.write("shop.yaml", shop + jobs);
  const { code, stdout, stderr } = await hourly.run(["apply", hourly.folder, "--yes"]);
  expect({ code, writes: writesOf(await hourly.takeRequests()) }).toEqual({ code: 4, writes: [] });
  expect(stderr).toMatch(
    /^\nerror: the plan needs about 14 requests, but the quota of the token has only \d+ left; it resets in \d+ min\n {2}even a full quota allows only 12 requests, too few for this run: apply a part of the plan with --target, or let infrasync wait/,
  );
  expect(stdout).toContain("Plan: 14 to create.");
});

test("a plan that needs more requests than are left says so, and how long an apply waits", async () => {
  await hourly.write("shop.yaml", shop + jobs);
  const { code, stdout } = await hourly.run(["plan", hourly.folder]);
  expect(code).toBe(0);
  expect(steady(stdout)).toMatch(
    /14 to apply; \d+ of 12 left, resets in N min\. The quota has fewer requests left: an apply with --on-quota wait waits about \d+ min for the reset/,
  );
  const other = await hourly.run(["plan", hourly.folder, "--output", "markdown"]);
  expect(other.stdout).toContain("The quota has fewer requests left");
});

test("apply advises a run after the reset when a full quota is enough for the plan", async () => {
  await hourly.write("shop.yaml", shop + ["a", "b", "c"].map((name) => cronJob(name)).join(""));
  await hourly.run(["plan", hourly.folder]);
  const { code, stderr } = await hourly.run(["apply", hourly.folder, "--yes"]);
  expect({ code, stderr }).toEqual({
    code: 4,
    stderr: expect.stringContaining(
      "\n  run again after the quota resets, apply a part of the plan with --target, or let infrasync wait",
    ),
  });
});

test("--on-quota wait announces the wait, shows its reason, and continues after the reset", async () => {
  await fixture.write("shop.yaml", shop + jobs);
  const { code, stderr } = await fixture.run(["apply", fixture.folder, "--yes", "--on-quota", "wait"]);
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /^\nNote: the plan needs about 14 requests, but the quota of the token has only \d+ left; it resets in \d s\. The run will wait until the quota resets/,
  );
  expect(steady(stderr)).toContain("The request quota is used up; continuing in N min, at HH:MM:SS UTC.");
});

test("--max-requests limits a run, and apply refuses before any write when the plan needs more", async () => {
  await fixture.write("shop.yaml", shop);
  const refused = await fixture.run(["apply", fixture.folder, "--yes", "--max-requests", "5"]);
  expect({ code: refused.code, writes: writesOf(await fixture.takeRequests()) }).toEqual({
    code: 4,
    writes: [],
  });
  expect(refused.stderr).toMatchInlineSnapshot(`
    "
    error: the plan needs about 2 requests, but this run may send only 1 more (--max-requests 5)
      apply a part of the plan with --target, or raise --max-requests to 10

    To allow all of this:
      infrasync apply manifests --yes --max-requests 10
    "
  `);
  expect(await fixture.run(["apply", fixture.folder, "--yes", "--max-requests", "6"])).toMatchObject({
    code: 0,
  });
});

test("planning that exceeds the limit ends with the same exit code", async () => {
  await fixture.write("shop.yaml", shop);
  const ran = await fixture.run(["plan", fixture.folder, "--max-requests", "1", "--output", "json"]);
  expect(ran.code).toBe(4);
  expect(documentOf(ran)).toMatchObject({ ok: false, error: { code: "quota" } });
});

test("a run without a terminal waits for a single 429 whose reset is close, whatever --on-quota says", async () => {
  await fixture.write("shop.yaml", shop);
  const limited = {
    method: "GET",
    path: "/organization/*/project",
    status: 429,
    headers: { "retry-after": "1" },
    times: 1,
  };
  await fixture.fault(limited);
  const patient = await fixture.run(["plan", fixture.folder, "--on-quota", "fail"]);
  expect(patient.stderr).toMatch(/^The server takes no requests for a while \(429\); continuing in \d s/);
  expect({ code: patient.code, faults: await fixture.takeFaults() }).toEqual({ code: 0, faults: 1 });

  await fixture.fault(limited);
  await fixture.write("infrasync.config.yaml", "quota_patience: 0s\n");
  const hasty = await fixture.run(["plan", fixture.folder]);
  expect({ code: hasty.code, faults: await fixture.takeFaults() }).toEqual({ code: 4, faults: 1 });
});
