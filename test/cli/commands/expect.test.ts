import { beforeEach, expect, test } from "vitest";
import { useFixture, writesOf } from "../fixture.ts";
import { cronJob, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture();
const documents = (cpu: number) => shop + cronJob("a").replace("cpu: 500", `cpu: ${cpu}`);

/** The digest of the plan for the folder, as text and JSON say. */
async function digestOf(...args: string[]): Promise<string> {
  const { stdout } = await fixture.run(["plan", fixture.folder, ...args]);
  const [, digest = ""] = /^Digest: ([0-9a-f]{64})$/m.exec(stdout) ?? [];
  const json = await fixture.run(["plan", fixture.folder, "--output", "json", ...args]);
  expect(JSON.parse(json.stdout)).toMatchObject({ actions_digest: digest });
  return digest;
}

const apply = (...args: string[]) => fixture.run(["apply", fixture.folder, "--yes", ...args]);

beforeEach(async () => {
  await fixture.write("shop.yaml", documents(500));
  await apply();
  await fixture.write("shop.yaml", documents(750));
  await fixture.takeRequests();
});

test("apply goes on with the digest of the plan that was reviewed, also when other fields have changed meanwhile", async () => {
  const digest = await digestOf();
  const [job] = (await fixture.request("GET", `/environment/${await environmentId()}/job`))["results"] as [
    { id: string; description?: string },
  ];
  await fixture.request("PUT", `/job/${job.id}`, { ...(await requestForm(job.id)), description: "manually" });
  expect(await apply("--expect", digest)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Done: 1 updated."),
  });
});

test.each([
  ["another value", () => fixture.write("shop.yaml", documents(800))],
  ["one more document", () => fixture.write("b.yaml", cronJob("b"))],
  ["nothing left to do", () => apply()],
])("with %s, apply --expect sends nothing, shows the new plan and exits with 3", async (_what, change) => {
  const digest = await digestOf();
  await change();
  await fixture.takeRequests();
  const ran = await apply("--expect", digest);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain(`not ${digest}`);
  expect(ran.stdout).toMatch(/^(?:infrasync will make these changes|No changes)/);
  expect(writesOf(await fixture.requests())).toEqual([]);
  const json = JSON.parse((await apply("--expect", digest, "--output", "json")).stdout) as object;
  expect(json).toMatchObject({
    ok: false,
    error: { code: "stale_plan" },
    plan: { format: "infrasync-plan" },
  });
});

test("--expect refuses a text that is not a digest before requests are spent", async () => {
  await fixture.takeRequests();
  expect(await apply("--expect", "v1.2.3")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('--expect "v1.2.3" is not a digest'),
  });
  expect(await fixture.requests()).toEqual([]);
});

test("a saved plan and --expect exclude each other: each says what is applied", async () => {
  expect(await fixture.run(["apply", "--plan", "plan.json", "--expect", "0".repeat(64)])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("cannot be combined with --expect"),
  });
});

async function environmentId(): Promise<string> {
  const [organization] = (await fixture.request("GET", "/organization"))["results"] as [{ id: string }];
  const all = (await fixture.request("GET", `/organization/${organization.id}/environments`))["results"] as [
    { id: string },
  ];
  return all[0].id;
}

async function requestForm(id: string): Promise<Record<string, unknown>> {
  const { source, ...job } = (await fixture.request("GET", `/job/${id}`)) as {
    source: { image: { registry: { id: string } } };
  };
  const { registry, ...image } = source.image;
  return { ...job, source: { image: { ...image, registry_id: registry.id } } };
}
