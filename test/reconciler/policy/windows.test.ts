import { expect, test } from "vitest";
import { strictestRules } from "../../../reconciler/policy/rules.ts";
import { modeOf, readPolicy, reasonToWait, rulesFor, waitEnd } from "../../../reconciler/policy/index.ts";

const rules = (windows: string, now: string) => {
  const text = `environments: { shop/*: { windows: ${windows} } }`;
  const { policy, problems } = readPolicy(Buffer.from(text), "policy.yaml");
  expect(problems).toEqual([]);
  return rulesFor(["shop", "production"], policy, { onDrift: "apply" }, Date.parse(now));
};

const office = '{ allow: "0 8 * * 1-5", duration: 9h, timezone: Europe/Paris }';
const friday = '{ deny: "0 14 * * 5", duration: 66h, timezone: Europe/Paris }';

// 2026-11-23 is a Monday. Paris is one hour ahead of UTC in winter and two in summer.
test.each([
  ["before it begins", `[${office}]`, "2026-11-23T06:59:59Z", "2026-11-23T07:00:00Z"],
  ["when it begins", `[${office}]`, "2026-11-23T07:00:00Z", undefined],
  ["before it ends", `[${office}]`, "2026-11-23T15:59:59Z", undefined],
  ["when it ends", `[${office}]`, "2026-11-23T16:00:00Z", "2026-11-24T07:00:00Z"],
  ["over the weekend", `[${office}]`, "2026-11-27T17:00:00Z", "2026-11-30T07:00:00Z"],
  ["in summer", `[${office}]`, "2026-07-06T06:00:00Z", undefined],
  ["where another one denies", `[${office}, ${friday}]`, "2026-11-27T13:30:00Z", "2026-11-30T07:00:00Z"],
  ["where only one denies", `[${friday}]`, "2026-11-28T12:00:00Z", "2026-11-30T07:00:00Z"],
  ["where one denies another time", `[${friday}]`, "2026-11-26T12:00:00Z", undefined],
])("a window %s", (_when, windows, now, opens) => {
  const found = rules(windows, now);
  const until = waitEnd(found);
  expect(found.closed !== undefined).toBe(opens !== undefined);
  expect(until === undefined ? undefined : new Date(until).toISOString().replace(".000Z", "Z")).toBe(opens);
  const mode = opens === undefined ? "apply" : "report";
  expect([modeOf(found, true), modeOf(found, false)]).toEqual([mode, mode]);
  if (opens) expect(reasonToWait(found)).toBe(`outside its windows until ${opens}`);
});

test("the windows of all patterns that match have to be open", () => {
  const text = `environments:
    shop/*: { windows: [{ allow: "0 8 * * *", duration: 4h }] }
    "**": { windows: [{ allow: "0 10 * * *", duration: 4h }] }`;
  const { policy } = readPolicy(Buffer.from(text), "policy.yaml");
  const at = (time: string) =>
    rulesFor(["shop", "production"], policy, {}, Date.parse(`2026-11-23T${time}Z`));
  expect(at("09:00:00").closed).toEqual({ until: Date.parse("2026-11-23T10:00:00Z") });
  expect(at("11:00:00").closed).toBeUndefined();
  expect(at("12:30:00").closed).toEqual({ until: Date.parse("2026-11-24T10:00:00Z") });
});

test("of two names of one environment, the stricter windows hold", () => {
  const open = rules("[]", "2026-11-23T12:00:00Z");
  const early = rules('[{ allow: "0 8 * * *", duration: 1h }]', "2026-11-23T12:00:00Z");
  const late = rules('[{ allow: "0 9 * * *", duration: 1h }]', "2026-11-23T12:00:00Z");
  expect(strictestRules(open, early).closed).toEqual(early.closed);
  expect(strictestRules(early, late).closed).toEqual(late.closed);
  expect(strictestRules(early, { ...late, closed: {} }).closed).toEqual({});
  expect(strictestRules(open, open).closed).toBeUndefined();
});

test("windows that never open together say so", () => {
  const found = rules(
    '[{ allow: "0 8 * * *", duration: 1h }, { deny: "0 8 * * *", duration: 2h }]',
    "2026-11-23T12:00:00Z",
  );
  expect(found.closed).toEqual({});
  expect(reasonToWait(found)).toBe("outside its windows, and no window opens");
});

test.each([
  ["[{ duration: 2h }]", "a window has either allow or deny"],
  ['[{ allow: "0 8 * * *", deny: "0 8 * * *", duration: 2h }]', "a window has either allow or deny"],
  ['[{ allow: "0 8 * * *" }]', "duration is missing"],
  ['[{ allow: "0 8 * *", duration: 2h }]', "has 4 fields instead of 5"],
  ['[{ allow: "0 8 * * *", duration: 2 hours }]', "is not a duration"],
  ['[{ allow: "0 8 * * *", duration: 2h, timezone: Paris }]', "time zone"],
])("the windows %s are a mistake", (windows, message) => {
  const text = `environments: { shop/*: { windows: ${windows} } }`;
  const { problems } = readPolicy(Buffer.from(text), "policy.yaml");
  expect(problems).toMatchObject([{ message: expect.stringContaining(message), position: { line: 1 } }]);
});

const minute = 60_000;

/** When a window is open in some days, as beginnings and ends in UTC, by asking each half hour. */
function openingsOf(window: string, from: string, days: number): string[] {
  const { policy } = readPolicy(
    Buffer.from(`environments: { shop/*: { windows: [${window}] } }`),
    "policy.yaml",
  );
  const found: string[] = [];
  let before: boolean | undefined;
  let promised: number | undefined;
  const start = Date.parse(from);
  for (let time = start; time <= start + days * 1440 * minute; time += 30 * minute) {
    const { closed } = rulesFor(["shop", "production"], policy, {}, time);
    const isOpen = closed === undefined;
    const text = new Date(time).toISOString().replace(":00.000Z", "Z");
    if (before !== undefined && before !== isOpen) found.push(`${isOpen ? "opens" : "closes"} ${text}`);
    // What was said while it was closed is true.
    if (isOpen && before === false) expect(promised).toBe(time);
    promised = closed?.until;
    before = isOpen;
  }
  return found;
}

// Paris leaves out 02:00 to 03:00 on 2026-03-29, and has it twice on 2026-10-25. Lord Howe moves by half an hour, on
// 2026-04-05 and 2026-10-04; Adelaide and Kolkata are half an hour beside the others.
test.each([
  [
    "begins after the lost hour",
    '{ allow: "0 8 * * *", duration: 2h, timezone: Europe/Paris }',
    "2026-03-28T00:00:00Z",
    [
      "opens 2026-03-28T07:00Z",
      "closes 2026-03-28T09:00Z",
      "opens 2026-03-29T06:00Z",
      "closes 2026-03-29T08:00Z",
    ],
  ],
  [
    "is open over the lost hour for as long as ever",
    '{ allow: "0 23 * * *", duration: 6h, timezone: Europe/Paris }',
    "2026-03-28T12:00:00Z",
    [
      "opens 2026-03-28T22:00Z",
      "closes 2026-03-29T04:00Z",
      "opens 2026-03-29T21:00Z",
      "closes 2026-03-30T03:00Z",
    ],
  ],
  [
    "is open over the doubled hour for as long as ever",
    '{ allow: "0 23 * * *", duration: 6h, timezone: Europe/Paris }',
    "2026-10-24T12:00:00Z",
    [
      "opens 2026-10-24T21:00Z",
      "closes 2026-10-25T03:00Z",
      "opens 2026-10-25T22:00Z",
      "closes 2026-10-26T04:00Z",
    ],
  ],
  [
    "of a zone that moves by half an hour",
    '{ allow: "0 8 * * *", duration: 1h, timezone: Australia/Lord_Howe }',
    "2026-10-03T00:00:00Z",
    [
      "opens 2026-10-03T21:00Z",
      "closes 2026-10-03T22:00Z",
      "opens 2026-10-04T21:00Z",
      "closes 2026-10-04T22:00Z",
    ],
  ],
  [
    "of a zone with half an hour",
    '{ allow: "0 8 * * *", duration: 1h, timezone: Asia/Kolkata }',
    "2026-10-24T00:00:00Z",
    [
      "opens 2026-10-24T02:30Z",
      "closes 2026-10-24T03:30Z",
      "opens 2026-10-25T02:30Z",
      "closes 2026-10-25T03:30Z",
    ],
  ],
  [
    "of a zone with half an hour, over its change",
    '{ allow: "0 8 * * *", duration: 1h, timezone: Australia/Adelaide }',
    "2026-10-03T00:00:00Z",
    [
      "opens 2026-10-03T21:30Z",
      "closes 2026-10-03T22:30Z",
      "opens 2026-10-04T21:30Z",
      "closes 2026-10-04T22:30Z",
    ],
  ],
])("over a change of daylight saving, a window %s", (_what, window, from, expected) => {
  expect(openingsOf(window, from, 2)).toEqual(expected);
});

test.each([
  // The clock goes from 02:00 to 03:00: what would begin in between begins at 03:00, whatever its minute.
  ["lost", "2026-03-28T12:00:00Z", ["opens 2026-03-29T01:00Z", "closes 2026-03-29T04:00Z"]],
  // The clock shows 02:30 at 00:30Z and at 01:30Z, and the window holds for its duration after both.
  ["doubled", "2026-10-24T12:00:00Z", ["opens 2026-10-25T00:30Z", "closes 2026-10-25T04:30Z"]],
])("a window that begins in the %s hour opens once", (_which, from, expected) => {
  expect(openingsOf('{ allow: "30 2 * * *", duration: 3h, timezone: Europe/Paris }', from, 1)).toEqual(
    expected,
  );
});

test.each(["00:35", "01:35"])(
  "a short window that denies holds in both of the doubled hours: %sZ",
  (time) => {
    const denied = '[{ deny: "30 2 * * *", duration: 10m, timezone: Europe/Paris }]';
    expect(rules(denied, `2026-10-25T${time}:00Z`).closed).toBeDefined();
    expect(rules(denied, "2026-10-25T00:45:00Z").closed).toBeUndefined();
  },
);

test("a window that allows names its second beginning in a doubled hour", () => {
  const allowed = '[{ allow: "30 2 * * *", duration: 10m, timezone: Europe/Paris }]';
  expect(rules(allowed, "2026-10-25T01:00:00Z").closed?.until).toBe(Date.parse("2026-10-25T01:30:00Z"));
});
