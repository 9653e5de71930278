import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodePlan, encodePlan, isPlanForm } from "../../../core/forms/index.ts";
import type { PlanForm } from "../../../core/forms/plan-form.ts";
import { planForms } from "./arbitrary-plan.ts";
import { tries } from "../../fixtures/random-cases.ts";

const published = new Ajv({ strict: true, strictRequired: false }).compile(
  JSON.parse(readFileSync("schemas/plan.schema.json", "utf8")) as object,
);

/** What a form says, without members that follow from others and lists that are empty. */
function stated({ goal, organization, actions, problems, notes }: PlanForm): unknown {
  const said = {
    goal,
    organization,
    problems,
    actions: actions.map(({ kind: _kind, name: _name, cost: _cost, ...action }) => action),
    notes: notes.map(({ advice: _advice, ...note }) => note),
  };
  return JSON.parse(
    JSON.stringify(said, (member, value: unknown) =>
      member === "words" || (Array.isArray(value) && value.length === 0) ? undefined : value,
    ),
  );
}

test("any plan is unchanged after it is read from JSON and written again", () => {
  fc.assert(
    fc.property(planForms, (form) => {
      const plan = decodePlan(form);
      const written: unknown = JSON.parse(JSON.stringify(encodePlan(plan)));
      if (!isPlanForm(written)) throw new Error("it is not in the form of a plan");
      expect(stated(written)).toEqual(stated(form));
      expect(decodePlan(written)).toEqual(plan);
      expect(published(written), JSON.stringify(published.errors)).toBe(true);
    }),
    { numRuns: tries(200) },
  );
});

test.each<
  [string, (form: { id: string; after: string[]; along_with?: string | undefined }[]) => void, string]
>([
  ["a circle", ([first, second]) => first && second && first.after.push(second.id), "wait for each other"],
  ["an id that no action has", ([first]) => first?.after.push("nothing"), 'waits for "nothing"'],
  [
    "a parent's action that there is not",
    ([first]) => first && Object.assign(first, { along_with: "nothing" }),
    'waits for "nothing"',
  ],
  ["two actions of one id", ([first, second]) => first && second && (second.id = first.id), "have the id"],
])("actions that cannot be carried out in any order are refused: %s", (_, spoil, message) => {
  const [form] = fc.sample(
    planForms.filter(({ actions: [first, second] }) => second?.after.includes(first?.id ?? "") === true),
    1,
  );
  if (!form) throw new Error("there is no such plan");
  spoil(form.actions);
  expect(() => decodePlan(form)).toThrow(message);
});
