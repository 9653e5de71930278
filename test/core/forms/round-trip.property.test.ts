import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodePlan, encodePlan, isPlanForm } from "../../../core/forms/index.ts";
import { plans } from "./arbitrary-plan.ts";
import { tries } from "../../fixtures/random-cases.ts";

const published = new Ajv({ strict: true, strictRequired: false }).compile(
  JSON.parse(readFileSync("schemas/plan.schema.json", "utf8")) as object,
);

test("any plan is unchanged after it is written as JSON and read again", () => {
  fc.assert(
    fc.property(plans, (plan) => {
      const read: unknown = JSON.parse(JSON.stringify(encodePlan(plan)));
      if (!isPlanForm(read)) throw new Error("it is not in the form of a plan");
      expect(decodePlan(read)).toEqual(plan);
      expect(published(read), JSON.stringify(published.errors)).toBe(true);
    }),
    { numRuns: tries(500) },
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
  const [plan] = fc.sample(
    plans.filter(({ actions: [first, second] }) => second?.after.includes(first?.id ?? "") === true),
    1,
  );
  if (!plan) throw new Error("there is no such plan");
  const form = structuredClone(encodePlan(plan));
  spoil(form.actions);
  expect(() => decodePlan(form)).toThrow(message);
});
