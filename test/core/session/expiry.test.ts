import { beforeEach, expect, test } from "vitest";
import { parsePattern } from "../../../core/index.ts";
import type { Fields } from "../../../core/json.ts";
import { desiredOf } from "../../fixtures/desired.ts";
import { summary } from "../../fixtures/harness.ts";
import { useHarness } from "../../fixtures/use-harness.ts";

const harness = useHarness();
beforeEach(async () => {
  harness.clock.reset();
  await harness.reconcile(production);
});

const production: Fields[] = [
  { kind: "Project", name: "shop" },
  { kind: "Environment", project: "shop", name: "production", mode: "PRODUCTION", cluster: "eu-west" },
  {
    kind: "Job",
    environment: "shop/production",
    name: "migrate",
    source: { image: { registry: "docker-hub", image_name: "acme/report", tag: "1" } },
    schedule: { on_start: {} },
  },
];
const preview = (more: Fields = {}): Fields => ({
  kind: "Environment",
  project: "shop",
  name: "preview",
  mode: "PREVIEW",
  clone: { from: "shop/production", expires_after: "3d" },
  ...more,
});
const prune = { prune: true };
const day = 86_400_000;

/** Lets time pass, for the server and the machine alike. */
const advance = (milliseconds: number) => harness.advance(milliseconds);

/** The variable that keeps the end of the preview. */
async function mark(): Promise<Fields | undefined> {
  const id = await harness.idOf("shop/preview");
  const entries = await harness.results(`/variable?parent_id=${id}&scope=ENVIRONMENT`);
  return entries.find(({ key }) => key === "INFRASYNC_EXPIRES_AT");
}

const notesOf = async (documents: Fields[], policy = {}) =>
  (await harness.plan(documents, policy)).notes.map(({ message }) => message);

const hoursTo = (value: unknown): number =>
  Math.round((Date.parse(String(value)) - harness.client.serverTime) / 3_600_000);

test("the plan of the clone says when it ends, a variable keeps that, and the next plan is empty", async () => {
  const plan = await harness.reconcile([preview()]);
  const { value, description } = (await mark()) ?? {};
  expect(hoursTo(value)).toBe(72);
  expect(description).toBe("expires_after 3d: preview");
  expect(plan.notes.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    `expires: ends at ${String(value)}; a run that prunes deletes it after that`,
  ]);
  await advance(day);
  expect(summary(await harness.plan([preview()]))).toEqual([]);
});

test("a run that prunes deletes it after its end, with its contents, and no other run does", async () => {
  await harness.reconcile([preview()]);
  await advance(3 * day - 3_600_000);
  expect(summary(await harness.plan([preview()], prune))).toEqual([]);
  await advance(2 * 3_600_000);
  expect(summary(await harness.plan([preview()]))).toEqual([]);
  expect(await notesOf([preview()])).toEqual([expect.stringMatching(/^was to end at /)]);
  const plan = await harness.reconcile([preview()], prune);
  expect(summary(plan)).toEqual(["delete environment:shop/preview"]);
  expect(
    plan.actions.map((action) => action.type === "delete" && action.losses.map(({ name }) => name)),
  ).toEqual([["migrate", "INFRASYNC_EXPIRES_AT"]]);
  expect([...(await harness.everything()).keys()].filter((path) => path.includes("preview"))).toEqual([]);
});

test("the documents inside it go with it", async () => {
  const inside = { kind: "Job", environment: "shop/preview", name: "migrate", cpu: 100 };
  await harness.reconcile([preview(), inside]);
  await advance(4 * day);
  expect(summary(await harness.reconcile([preview(), inside], prune))).toEqual([
    "delete job:shop/preview/migrate",
    "delete environment:shop/preview",
  ]);
});

test("caps, protections and targets count as for any deletion", async () => {
  await harness.reconcile([preview()]);
  await advance(4 * day);
  // The preview counts as one, with all that is in it.
  const capped = await harness.plan([preview()], { ...prune, caps: { count: 0, percent: 100 } });
  expect(capped.problems.map(({ code }) => code)).toEqual(["too_many"]);
  const pattern = { ...prune, protect: [parsePattern("shop/preview")] };
  for (const [documents, policy] of [
    [[preview({ manage: { protect: true } })], prune],
    [[preview()], pattern],
  ] as const) {
    const plan = await harness.plan([...documents], policy);
    expect(summary(plan)).toEqual([]);
    expect(plan.notes.map(({ code }) => code)).toContain("protected");
  }
  const inside = { kind: "Job", environment: "shop/preview", name: "migrate", manage: { protect: true } };
  const refused = await harness.plan([preview(), inside], prune);
  expect(refused.problems.map(({ code }) => code)).toEqual(["protected"]);
  const elsewhere = { ...prune, targets: [parsePattern("environment:shop/production")] };
  expect(summary(await harness.plan([...production, preview()], elsewhere))).toEqual([]);
});

test("an environment of another mode does not end", async () => {
  await harness.reconcile([preview()]);
  await harness.api("PUT", `/environment/${await harness.idOf("shop/preview")}`, {
    name: "preview",
    mode: "STAGING",
  });
  await advance(4 * day);
  const plan = await harness.plan([preview({ mode: "STAGING" })], prune);
  expect(summary(plan)).toEqual([]);
  expect(plan.problems.map(({ message }) => message)).toEqual([
    "Environment shop/preview: only an environment of the mode PREVIEW or DEVELOPMENT may end by itself",
  ]);
});

test("an end that was written for another environment does not count", async () => {
  await harness.reconcile([preview()]);
  await advance(4 * day);
  const copy = { ...preview(), name: "copy", clone: { from: "shop/preview", expires_after: "3d" } };
  await harness.reconcile([{ ...copy, clone: { from: "shop/preview" } }]);
  expect(summary(await harness.reconcile([copy], prune))).toEqual([]);
});

test("a longer time moves the end by the difference, and an end that somebody moves is the one that counts", async () => {
  await harness.reconcile([preview()]);
  const first = await mark();
  await advance(day);
  const longer = preview({ clone: { from: "shop/production", expires_after: "5d" } });
  await harness.reconcile([longer]);
  const second = await mark();
  expect(Date.parse(String(second?.["value"])) - Date.parse(String(first?.["value"]))).toBe(2 * day);
  const moved = "2099-01-01T00:00:00Z";
  await harness.api("PUT", `/variable/${String(second?.["id"])}`, {
    key: "INFRASYNC_EXPIRES_AT",
    value: moved,
    description: String(second?.["description"]),
  });
  await advance(30 * day);
  const plan = await harness.plan([longer], prune);
  expect(summary(plan)).toEqual([]);
  expect(plan.notes.map(({ message }) => message)[0]).toContain(moved);
});

test("an environment that exists without an end never gets one", async () => {
  await harness.reconcile([preview({ clone: { from: "shop/production" } })]);
  expect(summary(await harness.reconcile([preview()], prune))).toEqual([]);
  expect(await notesOf([preview()])).toEqual([expect.stringMatching(/^does not end by itself: /)]);
  await advance(30 * day);
  expect(summary(await harness.plan([preview()], prune))).toEqual([]);
  expect(await mark()).toBeUndefined();
});

test("a clone that somebody else has made since the plan gets no end", async () => {
  const plan = await harness.plan([preview()]);
  await harness.reconcile([preview({ clone: { from: "shop/production" } })]);
  const { outcomes } = await harness.apply(plan);
  expect(outcomes.map(({ status }) => status)).toEqual(["done"]);
  expect(await mark()).toBeUndefined();
});

test.each([
  ["the number 0", { value: "0" }],
  ["a day without a time", { value: "2020-01-01" }],
  ["a time in another form", { value: "2020-01-01T00:00:00.000Z" }],
  ["a time with seconds", { value: "2020-01-01T00:00:01Z" }],
  ["an empty value", { value: "" }],
  ["another description", { value: "2020-01-01T00:00:00Z", description: "expires_after: preview" }],
  ["a lifetime that is none", { value: "2020-01-01T00:00:00Z", description: "expires_after 0d: preview" }],
])("a marker that infrasync would not have written deletes nothing: %s", async (_what, change) => {
  await harness.reconcile([preview()]);
  const { id, key, description } = (await mark()) ?? {};
  await harness.api("PUT", `/variable/${String(id)}`, { key, description, ...change });
  const plan = await harness.plan([preview()], prune);
  expect(summary(plan)).toEqual([]);
  expect(plan.notes.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^does not end by itself: /),
  ]);
});

test.each([2, -2])("nothing ends while the clocks differ by %i hours", async (hours) => {
  await harness.reconcile([preview()]);
  await advance(4 * day);
  harness.clock.advance(hours * 3_600_000);
  const plan = await harness.plan([preview()], prune);
  expect(summary(plan)).toEqual([]);
  expect(plan.notes.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^not deleted, .*clocks of this machine and of the server differ/),
  );
  harness.clock.advance(-hours * 3_600_000);
  expect(summary(await harness.plan([preview()], prune))).toEqual(["delete environment:shop/preview"]);
});

test.each([
  [2, 74],
  [-2, 72],
])("the end counts from the later clock if that of the machine is %i hours ahead", async (hours, lasts) => {
  harness.clock.advance(hours * 3_600_000);
  await harness.reconcile([preview()]);
  expect(hoursTo((await mark())?.["value"])).toBe(lasts);
});

test("a lifetime with a space before its unit is marked, and is over in time", async () => {
  const spaced = preview({ clone: { from: "shop/production", expires_after: "72 h" } });
  await harness.reconcile([spaced]);
  expect(await mark()).toMatchObject({ description: "expires_after 72h: preview" });
  expect(summary(await harness.plan([spaced], prune))).toEqual([]);
  await advance(3.1 * day);
  expect(summary(await harness.plan([spaced], prune))).toEqual(["delete environment:shop/preview"]);
});

test.each([
  ["3x", '"3x" is not a duration'],
  ["-1d", '"-1d" is not a duration'],
  ["0d", '"0d" is not a duration'],
  ["", '"" is not a duration'],
])("expires_after: %j is a mistake", (text, message) => {
  const { problems } = desiredOf([preview({ clone: { from: "shop/production", expires_after: text } })]);
  expect(problems.map((problem) => problem.message)).toEqual([expect.stringContaining(message)]);
  expect(problems[0]?.advice).toBe(
    "write a whole number and a unit (s, m, h, d or w), such as 90s, 12h or 3d",
  );
});

test("expires_after is a mistake wherever there is no clone of an environment", () => {
  const job: Fields = {
    kind: "Job",
    environment: "shop/production",
    name: "copy",
    clone: { from: "shop/production/migrate", expires_after: "3d" },
  };
  const advice = (document: Fields) => desiredOf([document]).problems.map((problem) => problem.advice);
  expect(advice(job)).toEqual(["leave it out: only a clone of the kind Environment ends by itself"]);
  const { clone: _clone, ...plain } = preview();
  expect(advice({ ...plain, expires_after: "3d" })).toEqual([
    "it belongs at clone.expires_after: only a clone ends by itself",
  ]);
});
