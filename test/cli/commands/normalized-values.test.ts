import { expect, test } from "vitest";
import { type Fields, isFields } from "../../../core/values/json.ts";
import { cronJob } from "../../fixtures/manifests.ts";
import { Hostile } from "../../fixtures/hostile-server.ts";
import { steady, useFixture } from "../fixture.ts";

const fixture = useFixture({
  seed: {
    organization: { name: "acme" },
    projects: [{ name: "shop", environments: [{ name: "staging", mode: "STAGING", cluster: "eu-west" }] }],
  },
});

/** A server that rounds, trims, reorders and drops the values of a job. */
function kept(body: Fields): Fields {
  const { cpu, description, max_duration_seconds: _dropped, ...others } = body;
  const schedule = isFields(body["schedule"]) ? body["schedule"] : {};
  const cronjob = isFields(schedule["cronjob"]) ? schedule["cronjob"] : {};
  const list = Array.isArray(cronjob["arguments"]) ? cronjob["arguments"] : [];
  return {
    ...others,
    cpu: typeof cpu === "number" ? Math.floor(cpu / 100) * 100 : 500,
    description: String(description ?? "").trim(),
    schedule: { cronjob: { ...cronjob, arguments: list.map(String).toSorted() } },
  };
}

async function behindKeeper<Result>(
  work: (run: (...args: string[]) => ReturnType<typeof fixture.run>) => Promise<Result>,
): Promise<Result> {
  await using hostile = await Hostile.open(fixture.emulator.url, async ({ method, body, pass }) =>
    method === "GET" || body === "" ? undefined : pass(JSON.stringify(kept(JSON.parse(body) as Fields))),
  );
  const env = { INFRASYNC_BASE_URL: hostile.url };
  return await work((...args) => fixture.run(args, { env }));
}

const manifest = cronJob("nightly", 'description: "nightly "\nmax_duration_seconds: 60\n')
  .replace("cpu: 500", "cpu: 510")
  .replace("cronjob: { ", "cronjob: { arguments: [b, a], ");

test("report and plan name the values that a server rounds, trims, reorders or drops, with advice", async () => {
  const file = await fixture.write("shop.yaml", manifest);
  await behindKeeper(async (run) => {
    const created = await run("apply", file, "--yes");
    expect(created.stdout).toContain("the server kept 500 instead of 510 for cpu");
    expect(created.stdout).toContain("kept [a, b] instead of [b, a] for schedule.cronjob.arguments");
    expect(created.stdout).toContain("does not have max_duration_seconds");
    expect(created.code).toBe(0);

    const planned = await run("plan", file);
    expect(steady(planned.stdout)).toMatchInlineSnapshot(`
      "infrasync will make these changes in acme:

        ~ Job shop/staging/nightly
            description                 nightly -> "nightly "
            schedule.cronjob.arguments  [a, b] -> [b, a]
            cpu                         500m -> 510m
            max_duration_seconds        (none) -> 60
            note: the server may not keep description (only white space differs), schedule.cronjob.arguments
              (only the order differs) and max_duration_seconds (the server has not shown the value). If the
              next plan shows this change again, the server does not keep the values, and another apply will
              not change that: write the values as the server has them, or list the fields in manage.ignore

      Plan: 1 to update.
      Not checked: settings of 1 resource, variables and secrets of 1, deployments of 1 (use --strict).
      Requests: 4 spent on planning, 2 to apply; 989 of 1000 left, resets in N min.
      Digest: {digest}
      "
    `);

    const json = JSON.parse((await run("plan", file, "--output", "json")).stdout) as {
      actions: { changes?: { path: string[]; normalized?: string }[] }[];
    };
    const changes = json.actions.flatMap((action) => action.changes ?? []);
    expect(Object.fromEntries(changes.map(({ path, normalized }) => [path.join("."), normalized]))).toEqual({
      cpu: undefined,
      description: "white_space",
      max_duration_seconds: "not_shown",
      "schedule.cronjob.arguments": "order",
    });

    const updated = await run("apply", file, "--yes", "--output", "json");
    const { report } = JSON.parse(updated.stdout) as { report: { outcomes: { normalized?: object[] }[] } };
    expect(report.outcomes[0]?.normalized).toEqual([
      { path: ["description"], sent: "nightly ", kept: "nightly" },
      { path: ["schedule", "cronjob", "arguments"], sent: ["b", "a"], kept: ["a", "b"] },
      { path: ["cpu"], sent: 510, kept: 500 },
      { path: ["max_duration_seconds"], sent: 60 },
    ]);
  });
});

test("fields in manage.ignore are neither planned nor sent again", async () => {
  const ignoring = `${manifest}manage: { ignore: [cpu, description, max_duration_seconds, schedule.cronjob.arguments] }\n`;
  const file = await fixture.write("shop.yaml", ignoring);
  await behindKeeper(async (run) => {
    await run("apply", file, "--yes");
    const planned = await run("plan", file, "--detailed-exitcode");
    expect(planned.stdout).toContain("No changes");
    expect(planned.code).toBe(0);
  });
});
