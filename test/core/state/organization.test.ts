import { expect, test } from "vitest";
import { UnexpectedAnswerError } from "../../../core/api/index.ts";
import { chooseOrganization } from "../../../core/state/organization.ts";

test.each([{ name: "acme" }, { id: "1" }, "acme", null])(
  "a list with the organization %j blames the answer, not the token",
  (element) => {
    expect(() => chooseOrganization([element], undefined)).toThrow(UnexpectedAnswerError);
  },
);

test("an organization that is whole is chosen beside one that is not", () => {
  const whole = { id: "1", name: "acme" };
  expect(chooseOrganization([whole, { name: "shop" }], "acme")).toEqual(whole);
});
