import { expect, test } from "vitest";
import { Hostile, type Treatment } from "../../fixtures/hostile-server.ts";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { nightly, services } = staging;
const inputs = (): Properties => ({ ...nightly(), name: "Nightly Report" });

const rewriting =
  (status?: number): Treatment =>
  async ({ method, path, body, pass }) => {
    if (method === "GET" || !body.includes('"Nightly Report"')) return undefined;
    const reply = await pass(body.replace('"Nightly Report"', '"nightly-report"'));
    return status === undefined || !path.endsWith("/job") ? reply : { status, body: "" };
  };

async function through<Result>(
  treat: Treatment,
  action: (pass: Awaited<ReturnType<typeof staging.pass>>) => Promise<Result>,
): Promise<Result> {
  await using hostile = await Hostile.open(staging.server.emulator.url, treat);
  return await action(await staging.pass({ "infrasync:baseUrl": hostile.url }));
}

test.each([undefined, 502])(
  "a resource that the server created under another name is remembered, and not created twice (status %s)",
  async (status) => {
    const entry = await through(rewriting(status), (pass) => pass.create("Job", inputs()));
    const [made] = await services();
    expect(entry.id).toBe(made?.["id"]);
    expect(entry.initErrors.join()).toContain('under another name, "nightly-report"');
    await through(rewriting(), (pass) => pass.up(entry, inputs()));
    expect(await services()).toHaveLength(1);
  },
);

test("a resource missing from the state is found under its other name, and not created twice", async () => {
  await through(rewriting(), (pass) => pass.create("Job", inputs()));
  await expect(through(rewriting(), (pass) => pass.create("Job", inputs()))).rejects.toThrow(
    /"nightly-report" \(.*\) does, with the same fields/,
  );
  await (await staging.pass()).create("Job", { ...inputs(), cpu: 700 });
  expect(await services()).toHaveLength(2);
});
