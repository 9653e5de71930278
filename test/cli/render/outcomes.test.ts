import { expect, test } from "vitest";
import { countEffects } from "../../../cli/render/outcomes.ts";
import { kindOf } from "../../../core/model/kinds/index.ts";
import type { Outcome } from "../../../core/execution/execute/report.ts";

const outcome = (type: Outcome["type"], status: Outcome["status"], more: Partial<Outcome> = {}): Outcome => ({
  id: `${type} job:shop/staging/a`,
  address: { kind: kindOf("Job"), names: ["shop", "staging", "a"] },
  type,
  status,
  ...more,
});
const lost = { fields: {} };

test.each<[Outcome[], string[]]>([
  [[], []],
  [
    [outcome("create", "failed"), outcome("clone", "skipped"), outcome("update", "failed", { code: "busy" })],
    [],
  ],
  [
    [outcome("create", "done"), outcome("update", "done"), outcome("create", "done")],
    ["2 created", "1 updated"],
  ],
  [
    [outcome("create", "done", { already: true }), outcome("delete", "done", { already: true })],
    ["2 already as planned"],
  ],
  [
    [outcome("clone", "pending"), outcome("delete", "pending"), outcome("clone", "pending")],
    ["2 clones requested and pending", "1 deletion requested and pending"],
  ],
  [
    [outcome("create", "failed", { code: "unclear" }), outcome("clone", "pending", { code: "unclear" })],
    ["2 of unknown outcome"],
  ],
  [[outcome("create", "failed", { code: "value_lost" })], ["1 with a lost value"]],
  [[outcome("replace", "failed", { code: "lost", lost })], ["1 deleted and not created again"]],
])("outcomes %# are shown by what the run has changed", (outcomes, effects) => {
  expect(countEffects(outcomes)).toEqual(effects);
});
