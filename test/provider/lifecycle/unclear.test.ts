import { expect, test } from "vitest";
import type { Entry } from "./pass.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, nightly, services } = staging;

test.each(["/organization", "/organization/*/containerRegistry"])(
  "a failure to read %s is not remembered",
  async (path) => {
    const first = await pass();
    await staging.server.api("POST", "/_emulator/faults", [{ path, status: 403, times: 1 }]);
    await expect(first.create("Job", nightly())).rejects.toThrow("403");
    expect((await first.create("Job", { ...nightly(), name: "other" })).initErrors).toEqual([]);
  },
);

test("an unclear creation is looked for before it is sent again", async () => {
  await staging.server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/environment/*/job", drop: "after", times: 1 },
  ]);
  const job = await (await pass()).create("Job", nightly());
  expect((await services()).map(({ id }) => id)).toEqual([job.id]);
});

/** A creation whose outcome cannot be found out, as looking is refused afterwards. */
async function unclearJob(drop: "before" | "after"): Promise<Entry> {
  const faults = [
    { method: "POST", path: "/environment/*/job", drop },
    { method: "GET", path: "/environment/*/services", status: 403, after: 1 },
  ];
  await staging.server.api("POST", "/_emulator/faults", faults);
  const entry = await (await pass()).create("Job", nightly());
  await staging.server.api("DELETE", "/_emulator/faults");
  expect(entry.initErrors.join()).toMatch(
    /^it is not known whether it has been made: .*; run `pulumi up` again/,
  );
  return entry;
}

test("what may have been made and has not is made by the next up", async () => {
  const unclear = await unclearJob("before");
  const { entry, step } = await (await pass()).up(unclear, nightly());
  expect(step).toBe("replace");
  expect((await services()).map(({ id }) => id)).toEqual([entry.id]);
  expect(await (await pass()).refresh(unclear)).toMatchObject({ id: entry.id });
});

test("what may have been made and has is found by a refresh, and never deleted by its name", async () => {
  const unclear = await unclearJob("after");
  await expect((await pass()).up(unclear, nightly())).rejects.toThrow("run `pulumi refresh`");
  const refreshed = await (await pass()).refresh(unclear);
  const [made] = await services();
  expect(refreshed).toMatchObject({ id: made?.["id"], outputs: { cpu: 500 } });
  if (!refreshed) return;
  const { entry, step } = await (await pass()).up(refreshed, nightly());
  expect(step).toBe("update");
  expect((await (await pass()).up(entry, nightly())).step).toBe("same");
});

test("what may have been made and is not there is gone", async () => {
  expect(await (await pass()).refresh(await unclearJob("before"))).toBeUndefined();
});
