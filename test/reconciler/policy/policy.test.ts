import { expect, test } from "vitest";
import { modeOf, readPolicy, rulesFor } from "../../../reconciler/policy/index.ts";

const read = (text: string) => readPolicy(Buffer.from(text), "infra/infrasync.reconcile.yaml");
const now = Date.parse("2026-11-22T12:00:00Z");
const rules = (text: string, environment = "shop/staging", operator = {}) => {
  const { policy, problems } = read(text);
  expect(problems).toEqual([]);
  return rulesFor(environment.split("/"), policy, operator, now);
};

test.each<[string, string, number, number]>([
  ["on_drfit: apply", 'a policy has no member "on_drfit"', 1, 1],
  ["on_drift: aply", 'on_drift must be one of off, report, apply, not "aply"', 1, 11],
  ["prune: maybe", "prune must be true or false", 1, 8],
  ["- apply", "the policy must be a mapping", 1, 1],
  ["on_drift: [", "", 1, 12],
  ["on_drift: apply\n---\non_drift: off", "the policy contains more than one document", 2, 1],
  ["environments: { shop/a/b: {} }", '"shop/a/b" is not a pattern of environments', 1, 17],
  ["environments: { 'job:shop/staging/a': {} }", "is not a pattern of environments", 1, 17],
  ["environments: { shop/staging: { on_comit: off } }", 'has no member "on_comit"', 1, 33],
  [
    "environments:\n  shop/staging:\n    suspend: { until: tomorrow, reason: x }",
    'environments."shop/staging".suspend.until: "tomorrow" is not a time with a time zone',
    3,
    23,
  ],
  [
    "environments: { shop/staging: { suspend: { until: 2026-02-30T00:00:00Z, reason: x } } }",
    "is not a time with a time zone",
    1,
    51,
  ],
  [
    "environments: { shop/staging: { suspend: { until: 2026-12-01T00:00:00Z } } }",
    "suspend.reason is missing",
    1,
    33,
  ],
])("the policy %j has a mistake with its place", (text, message, line, column) => {
  const { policy, problems } = read(text);
  expect(problems).toMatchObject([
    {
      message: expect.stringContaining(message),
      position: { file: "infra/infrasync.reconcile.yaml", line, column },
    },
  ]);
  expect(policy).toEqual({ defaults: {}, environments: [] });
});

test("without a policy, commits are applied, drift is reported, and the operator's consent to prune counts", () => {
  expect(rules("{}")).toEqual({
    onCommit: "apply",
    onDrift: "report",
    onFailure: "report",
    prune: true,
    promotions: [],
  });
  expect(rules("")).toEqual({
    onCommit: "apply",
    onDrift: "report",
    onFailure: "report",
    prune: true,
    promotions: [],
  });
});

test.each<[string, string, string, object]>([
  ["its own rules before the defaults", "on_drift: off", "shop/staging", { onDrift: "apply" }],
  ["the defaults where it declares nothing", "on_commit: report", "shop/staging", { onCommit: "report" }],
  ["the defaults where no pattern matches", "on_drift: off", "other/staging", { onDrift: "off" }],
])("an environment has %s", (_what, defaults, environment, expected) => {
  const text = `${defaults}\nenvironments: { shop/*: { on_drift: apply } }`;
  expect(rules(text, environment, { onDrift: "apply" })).toMatchObject(expected);
});

test("the strictest of the patterns that match holds, whatever their order", () => {
  const given = ["'**': { on_drift: apply, prune: true }", "SHOP/stag*: { on_drift: report, prune: false }"];
  for (const order of [given, given.toReversed()])
    expect(rules(`environments: { ${order.join(", ")} }`)).toMatchObject({ onDrift: "report", prune: false });
});

test("a project has the rules of patterns with **, and the defaults", () => {
  const text = "environments: { shop/*: { on_commit: off }, shop/**: { on_commit: report } }";
  expect(rules(text, "shop").onCommit).toBe("report");
  expect(rules(text, "other").onCommit).toBe("apply");
});

test.each([
  ["off", "apply", "off"],
  ["report", "apply", "report"],
  ["report", undefined, "report"],
  ["apply", undefined, "apply"],
  ["apply", "off", "off"],
] as const)("the operator says %s and the commit %s: %s", (operator, commit, result) => {
  const text = commit ? `{ on_commit: ${commit}, on_drift: ${commit} }` : "";
  const given = { onCommit: operator, onDrift: operator };
  expect(rules(text, "shop/staging", given)).toMatchObject({ onCommit: result, onDrift: result });
});

test.each([
  ["apply", "apply", "report"],
  ["report", "report", "report"],
  ["off", "off", "off"],
] as const)(
  "the operator says nothing and the commit %s: commits %s, drift %s",
  (commit, onCommit, onDrift) => {
    const text = `{ on_commit: ${commit}, on_drift: ${commit} }`;
    expect(rules(text, "shop/staging", {})).toMatchObject({ onCommit, onDrift });
  },
);

test("a suspended environment is only reported, until the time is over; the longest of several counts", () => {
  const suspended = (until: string) =>
    rules(
      `environments:
        "**": { on_drift: apply, suspend: { until: "${until}", reason: audit } }
        shop/staging: { suspend: { until: "2026-11-22T11:00:00Z", reason: over } }`,
      "shop/staging",
      { onDrift: "apply" },
    );
  const during = suspended("2026-11-22T14:00:00+01:00");
  expect(during.suspensions?.[0]).toEqual({ until: now + 3_600_000, reason: "audit" });
  expect([modeOf(during, true), modeOf(during, false)]).toEqual(["report", "report"]);
  const after = suspended("2026-11-22T13:00:00+01:00");
  expect([modeOf(after, true), modeOf(after, false)]).toEqual(["apply", "apply"]);
  expect(modeOf({ ...during, onDrift: "off" }, false)).toBe("off");
});

test("a commit waits for the environments that all matching patterns name in after", () => {
  const { promotions } = rules(
    `environments:
      "**": { promote: { after: shop/development, healthy_for: 10m } }
      shop/*: { promote: { after: shop/canary, healthy_for: 1h } }`,
    "shop/staging",
  );
  expect(promotions.map(({ after, healthyFor }) => [after.join("/"), healthyFor])).toEqual([
    ["shop/development", 600_000],
    ["shop/canary", 3_600_000],
  ]);
  for (const after of ["shop", '"shop/*"', "shop/staging/api"]) {
    const text = `environments: { shop/production: { promote: { after: ${after}, healthy_for: 10m } } }`;
    expect(readPolicy(Buffer.from(text), "policy.yaml").problems).toMatchObject([
      { message: expect.stringMatching(/after: ".*" is not an environment$/), position: { line: 1 } },
    ]);
  }
});
