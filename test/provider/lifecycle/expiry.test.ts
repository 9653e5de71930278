import { expect, onTestFinished, test } from "vitest";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";
import { type Clock, systemClock } from "../../../core/api/index.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();

const hour = 3_600_000;

/** When an environment ends, as the variable of it says. */
async function endOf(id: string): Promise<{ value: string; description: string } | undefined> {
  const path = `/variable?parent_id=${id}&scope=ENVIRONMENT`;
  const { results } = (await staging.server.api("GET", path)) as {
    results: { key: string; value: string; description: string }[];
  };
  return results.find(({ key }) => key === "INFRASYNC_EXPIRES_AT");
}

test("a clone says when it ends, another limit moves the end, and without one it has none", async () => {
  const project = String(staging.environment.outputs["project"]);
  const inputs = { project, name: "preview", cloneFrom: staging.environment.id, mode: "PREVIEW" };
  const begun = Date.now();
  const preview = await (await staging.pass()).create("Environment", { ...inputs, expiresAfter: "12h" });
  const end = await endOf(preview.id);
  expect(end?.description).toBe("expires_after 12h: preview");
  const after = Date.parse(end?.value ?? "") - begun;
  expect(after).toBeGreaterThanOrEqual(12 * hour);
  expect(after).toBeLessThan(12 * hour + 5 * 60_000);
  expect((await (await staging.pass()).up(preview, preview.inputs)).step).toBe("same");
  const refreshed = await (await staging.pass()).refresh(preview);
  expect(refreshed?.inputs).toEqual(preview.inputs);

  const longer = await (await staging.pass()).up(refreshed ?? preview, { ...inputs, expiresAfter: "1d" });
  expect(longer.step).toBe("update");
  const moved = await endOf(preview.id);
  expect(Date.parse(moved?.value ?? "") - Date.parse(end?.value ?? "")).toBe(12 * hour);
  const { entry } = await (await staging.pass()).up(longer.entry, inputs);
  expect(await endOf(preview.id)).toBeUndefined();
  expect((await (await staging.pass()).up(entry, inputs)).step).toBe("same");
});

test("only a clone of a kind that can end by itself has a limit", async () => {
  const project = String(staging.environment.outputs["project"]);
  const create = async (inputs: object) =>
    (await staging.pass()).create("Environment", { project, name: "other", expiresAfter: "1d", ...inputs });
  await expect(create({})).rejects.toThrow("expiresAfter: only a clone ends by itself; state cloneFrom");
  const cloneFrom = staging.environment.id;
  await expect(create({ cloneFrom, mode: "PRODUCTION" })).rejects.toThrow("expiresAfter: ");
  await expect(create({ cloneFrom, expiresAfter: "soon" })).rejects.toThrow(
    "write a whole number and a unit",
  );
});

test("an adopted environment gets no end", async () => {
  const project = String(staging.environment.outputs["project"]);
  const { id } = await (
    await staging.pass()
  ).create("Environment", { project, name: "theirs", mode: "DEVELOPMENT" });
  const inputs = {
    project,
    name: "theirs",
    cloneFrom: staging.environment.id,
    adopt: true,
    mode: "DEVELOPMENT",
    expiresAfter: "1d",
  };
  const adopted = await (await staging.pass()).create("Environment", inputs);
  expect(adopted.id).toBe(id);
  await (await staging.pass()).up(adopted, { ...inputs, expiresAfter: "2d" });
  expect(await endOf(id)).toBeUndefined();
});

test("a preview warns of a clone whose time is over", async () => {
  const project = String(staging.environment.outputs["project"]);
  const inputs = {
    project,
    name: "old",
    cloneFrom: staging.environment.id,
    mode: "PREVIEW",
    expiresAfter: "1h",
  };
  const { id, outputs } = await (await staging.pass()).create("Environment", inputs);
  const warnings: string[] = [];
  const later: Clock = { ...systemClock, now: () => Date.now() + 2 * hour };
  const lifecycle = new Lifecycle({}, (message) => warnings.push(message), later);
  onTestFinished(() => lifecycle.cancel());
  await lifecycle.diff("Environment", id, outputs, inputs, undefined);
  expect(warnings).toEqual([
    expect.stringMatching(
      /^the Environment "old": was to end at \S+Z \(expiresAfter\): run `pulumi destroy`/,
    ),
  ]);
});
