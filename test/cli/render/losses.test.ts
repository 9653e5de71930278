import picocolors from "picocolors";
import { describe, expect, test } from "vitest";
import { planJson } from "../../../cli/render/json.ts";
import { planMarkdown } from "../../../cli/render/plan-markdown.ts";
import { renderPlan } from "../../../cli/render/plan.ts";
import type { Plan } from "../../../core/planning/plan/index.ts";
import { changesOf } from "../../../reconciler/decide/changes.ts";
import { allow } from "../../fixtures/policy.ts";
import { World } from "../../core/planning/plan/world.ts";

const budget = { limit: undefined, remaining: undefined, resetAt: undefined };
const view = { budget, now: 0, colors: picocolors.createColors(false) };

const live = `
project:shop:
environment:shop/production:
database:shop/production/orders: { type: POSTGRESQL, version: "16", mode: CONTAINER, storage: 20 }
application:shop/production/api: { storage: [{ mount_point: /data, size: 50, type: FAST_SSD }] }
`;
const orders = (fields: string) => `kind: Database\nenvironment: shop/production\nname: orders\n${fields}`;

/** Plans that take data, and what each format has to say. */
const plans: [name: string, plan: () => Plan, address: string, words: string][] = [
  [
    "a replacement of a database",
    () => World.of(live).plan(orders("mode: MANAGED"), allow("**")),
    "Database shop/production/orders",
    "its data (20 GB)",
  ],
  [
    "a deletion of a database",
    () => World.of(live).plan(orders(""), {}, "destroy"),
    "Database shop/production/orders",
    "its data (20 GB)",
  ],
  [
    "storage that shrinks",
    () => World.of(live).plan(orders("storage: 5"), allow("**")),
    "Database shop/production/orders",
    "part of its data (20 GB -> 5 GB)",
  ],
  [
    "a volume that is removed",
    () =>
      World.of(live).plan(
        "kind: Application\nenvironment: shop/production\nname: api\nstorage: []",
        allow("**"),
      ),
    "Application shop/production/api",
    "the volume /data (50 GiB)",
  ],
];

describe.each(plans)(
  "%s says what nobody can restore, before the changes",
  (_name, planned, title, words) => {
    const plan = planned();
    const unescaped = (text: string) => text.replaceAll("\\", "").replaceAll("&gt;", ">");

    test("in text", async () => {
      const [first = "", ...others] = (await renderPlan(plan, view)).split("\n\n");
      expect(first).toBe(`Lost for good (nobody can restore this data):\n  ${title}: ${words}`);
      expect(others[0]).toMatch(/^infrasync will make these changes/);
    });

    test("in Markdown, as a warning", () => {
      const parts = planMarkdown(plan, view).split("\n\n");
      const [kind = "", reference = ""] = title.split(" ");
      expect(parts[1]).toMatch(/^> \[!CAUTION\]\n> - /);
      expect(unescaped(parts[1] ?? "")).toContain(`- ${kind} \`${reference}\``);
      expect(unescaped(parts[1] ?? "")).toContain(words);
      expect(parts[2]).toMatch(/^\|/);
    });

    test("in JSON", () => {
      const { actions } = planJson(plan, budget);
      const losses = actions.flatMap((action) => ("losses" in action ? (action.losses ?? []) : []));
      expect(losses.map((loss) => loss.words)).toContain(words);
    });

    test("in the status of a reconciler and on its page", () => {
      expect(changesOf(plan.actions).flatMap(({ losses = [] }) => losses)).toEqual([words]);
    });
  },
);

test.each([50, 80])("the lists of a plan fill the lines of a terminal with %i columns", async (width) => {
  const keys = Array.from({ length: 12 }, (_, index) => `LEVEL_${index}`);
  const variables = `variables: [${keys.join(", ")}]`;
  const plan = World.of(`${live}job:shop/production/report: { ${variables} }`).plan(
    "kind: Job\nenvironment: shop/production\nname: report",
    {},
    "destroy",
  );
  const lines = (await renderPlan(plan, { ...view, width })).split("\n");
  const start = lines.findIndex((line) => line.includes("also deletes:"));
  const list = lines.slice(start, lines.findIndex((line) => line.includes("LEVEL_11")) + 1);
  expect(list.length).toBeGreaterThan(1);
  for (const [index, line] of list.entries()) {
    const next = list[index + 1]?.trim().split(" ")[0];
    expect(line.length).toBeLessThanOrEqual(width);
    if (next !== undefined) expect(`${line} ${next}`.length).toBeGreaterThan(width - 3);
  }
});
