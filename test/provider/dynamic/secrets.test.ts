import { expect, test } from "vitest";
import { kindOf } from "../../../core/model/kinds/index.ts";
import { secretPointers, withSecretInput } from "../../../provider/dynamic/secrets.ts";
import { inputSchema, type Properties } from "../../../provider/lifecycle/inputs.ts";
import { secretInputs } from "../../../provider/lifecycle/secrets.ts";
import { secretPrograms } from "../lifecycle/secret-programs.ts";

test.each(Object.entries(secretPrograms))(
  "a class marks %s as secret, and no input that is not",
  async (path, inputsFor) => {
    const [kind = ""] = path.split(".");
    const marks = secretInputs(inputSchema(kindOf(kind))).map(({ path: members, ...when }) => ({
      path: members.join("."),
      ...when,
    }));
    const pointers = (await secretPointers(marks.reduce<object>(withSecretInput, inputsFor("canary")))) ?? [];
    const places = [...placesOf(inputsFor("canary"))].filter(([, text]) => text === "canary");
    // A map of secrets is secret as a whole.
    expect(pointers).toEqual(places.map(([place]) => place.replace(/^\/secrets\/.*$/, "/secrets")));
  },
);

/** The texts in a value, by their JSON pointers. */
function* placesOf(value: Properties[string], pointer = ""): Generator<[string, string]> {
  if (typeof value === "string") yield [pointer, value];
  if (typeof value !== "object" || value === null) return;
  for (const [member, inner] of Object.entries(value)) yield* placesOf(inner, `${pointer}/${member}`);
}
