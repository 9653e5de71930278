import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { KeptParts, type KeptSettings } from "../../../../core/live/index.ts";
import { propose, startRun } from "../../../../core/session/index.ts";
import type { Plan } from "../../../../core/index.ts";
import { desiredOf } from "../../../fixtures/desired.ts";
import { summary } from "../../../fixtures/harness.ts";
import { openPolicy } from "../../../fixtures/policy.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();
const minute = 60_000;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "infrasync-parts-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Environments with jobs that have two variables each. */
function jobs(environments: number, count: number, value = (name: string) => `value of ${name}`): string {
  const names = Array.from({ length: environments }, (_, index) => `e${index}`);
  return [
    "kind: Project\nname: shop\n",
    ...names.map((name) => `kind: Environment\nproject: shop\nname: ${name}\nmode: STAGING\n`),
    ...names.flatMap((name) =>
      Array.from(
        { length: count },
        (_, index) =>
          `kind: Job\nenvironment: shop/${name}\nname: j${index}\n` +
          "source: { image: { registry: docker-hub, image_name: acme/report, tag: 1.4.2 } }\n" +
          `schedule: { cronjob: { scheduled_at: "0 3 * * *" } }\n` +
          `variables: { NAME: "${value(`${name}/j${index}`)}", LEVEL: info }\n`,
      ),
    ),
  ].join("---\n");
}

/** A run of its own, as a process has it. */
function run(settings: Partial<KeptSettings> = {}) {
  const { emulator } = harness;
  const kept = new KeptParts({
    folder,
    token: emulator.tokens.admin,
    baseUrl: emulator.url,
    maxAge: 60 * minute,
    fresh: false,
    ...settings,
  });
  return { ...harness.context(), live: startRun(harness.client, { kept }).live };
}

/** A plan of a run of its own, and how many requests it has sent. */
async function planned(
  text: string,
  settings?: Partial<KeptSettings>,
): Promise<{ plan: Plan; requests: number }> {
  await harness.forgetRequests();
  const { plan } = await propose(
    run(settings),
    harness.organization,
    "reconcile",
    desiredOf(text).resources,
    openPolicy,
  );
  return { plan, requests: (await harness.seen()).length };
}

async function settled(text: string): Promise<void> {
  await harness.reconcile(text);
  await harness.advance(minute);
}

test("plans of 5 x 20 jobs with variables cost what has changed", async () => {
  const text = jobs(5, 20);
  await settled(text);
  const first = await planned(text);
  expect(summary(first.plan)).toEqual([]);
  expect(first.plan.remembered).toBeUndefined();
  const second = await planned(text);
  expect(summary(second.plan)).toEqual([]);
  expect(second.plan.remembered).toMatchObject({ resources: 100, of: 100 });
  expect([first.requests, second.requests]).toEqual([107, 8]);

  await changeVariable("j3", "changed by hand");
  await harness.advance(minute);
  const third = await planned(text);
  expect(summary(third.plan)).toHaveLength(1);
  expect(third.plan.actions.flatMap(({ changes }) => changes)).toMatchObject([{ before: "changed by hand" }]);
  expect(third.requests).toBe(9);

  await harness.reconcile(text);
  await harness.advance(minute);
  const edited = text.replace("value of e0/j0", "another value");
  const fourth = await planned(edited);
  expect(fourth.plan.actions.flatMap(({ changes }) => changes)).toMatchObject([
    { before: "value of e0/j0", after: "another value" },
  ]);
  // One list for the job that changed by hand and was changed back, and one for the edited one.
  expect(fourth.requests).toBe(10);
});

/** Changes a variable of a job, as a person would. */
async function changeVariable(name: string, value: string): Promise<void> {
  const id = await harness.idOf(`shop/e0/JOB ${name}`);
  const variables = await harness.results(`/variable?parent_id=${id}&scope=JOB`);
  const variable = variables.find(({ key }) => key === "NAME");
  await harness.api("PUT", `/variable/${String(variable?.["id"])}`, { key: "NAME", value });
}
