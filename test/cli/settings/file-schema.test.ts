import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { settingsFileSchema } from "../../../cli/settings/file-schema.ts";
import { fileMembers } from "../../../cli/settings/names.ts";

const accepts = new Ajv({ allowUnionTypes: true }).compile(settingsFileSchema());

test("the schema of the settings file has every member that the file may have, and no other", () => {
  const { properties } = settingsFileSchema() as { properties: object };
  expect(Object.keys(properties).toSorted()).toEqual([...fileMembers].toSorted());
});

test.each<[object, boolean]>([
  [
    {
      base_url: "https://api.example.com",
      organization: "acme",
      max_deletes: "10,30%",
      parallelism: 5,
      strict: true,
    },
    true,
  ],
  [{ protect: ["environment:*/production"] }, true],
  [{ policies: [{ built_in: "cpu-bounds", with: { max: 1 } }] }, true],
  [{ policies: [{ name: "a", when: "true", message: "m", kinds: ["Job"] }] }, true],
  [{ policies: [{ built_in: "nothing" }] }, false],
  [{ policies: [{ name: "a", kinds: ["Jib"], message: "m" }] }, false],
  [{ on_quota: "wait" }, true],
  [{ on_quota: "perhaps" }, false],
  [{ token: "x" }, false],
  [{ strict: "yes" }, false],
])("%j: %s", (file, isAccepted) => {
  expect(accepts(file)).toBe(isAccepted);
});
