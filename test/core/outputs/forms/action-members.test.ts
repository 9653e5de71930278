import { expect, test } from "vitest";
import { actionForms } from "../../../../core/outputs/forms/action-form.ts";
import { actionMembers } from "../../../../core/outputs/forms/encode-plan.ts";
import { allActionTypes } from "../../../../core/planning/plan/index.ts";

test.each(allActionTypes)("the encoder of an action %s writes the members of its form", (type) => {
  expect(actionMembers[type].toSorted()).toEqual(Object.keys(actionForms[type].properties).toSorted());
});
