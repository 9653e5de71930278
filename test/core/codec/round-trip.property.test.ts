import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodePlan, encodePlan, isPlanForm } from "../../../core/codec/index.ts";
import { plans } from "./arbitrary-plan.ts";

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
    { numRuns: 500 },
  );
});
