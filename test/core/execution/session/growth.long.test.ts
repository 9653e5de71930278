import picocolors from "picocolors";
import { expect, test } from "vitest";
import { renderReport } from "../../../../cli/render/report.ts";
import { LiveStore } from "../../../../core/index.ts";
import type { Fields } from "../../../../core/values/json.ts";
import { callsIn, grown } from "../../../fixtures/calls.ts";
import { job, shop } from "../../../fixtures/documents.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();

const jobs = (count: number, more: Fields = {}): Fields[] => [
  ...shop,
  ...Array.from({ length: count }, (_, index) => job(`shop/staging/j${index}`, more)),
];

const runs: [what: string, there: (size: number) => Fields[], desired: (size: number) => Fields[]][] = [
  ["creations", () => [], jobs],
  ["creations with variables", () => [], (size) => jobs(size, { variables: { A: "a", B: "b" } })],
  ["updates", jobs, (size) => jobs(size, { cpu: 750 })],
  [
    "new variables",
    (size) => jobs(size, { variables: { A: "a" } }),
    (size) => jobs(size, { variables: { A: "b", B: "b" } }),
  ],
  ["a destruction", jobs, jobs],
];

test.each(runs)(
  "no function is called four times as often to carry out twice as much: %s",
  async (what, there, desired) => {
    const prepared = async (size: number) => {
      await harness.api("POST", "/_emulator/reset");
      if (there(size).length > 0) await harness.reconcile(there(size));
      const live = new LiveStore();
      const plan = await harness.plan(desired(size), {}, what === "a destruction" ? "destroy" : "reconcile", {
        live,
      });
      return async () => {
        const report = await harness.apply(plan, { live });
        expect(report.outcomes.filter(({ status }) => status !== "done")).toEqual([]);
        renderReport(report, { colors: picocolors.createColors(false), budget: {}, now: 0 });
      };
    };
    await (
      await prepared(4)
    )();
    const few = await callsIn(await prepared(60));
    const many = await callsIn(await prepared(120));
    expect(grown(few, many)).toEqual([]);
  },
);
