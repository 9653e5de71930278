import type { Static } from "typebox";
import type { ActionType } from "../plan/index.ts";
import type { actionForms } from "./action-form.ts";

/** When the JSON form of an action has a member. */
export type Presence = "always" | "unless empty";

type MembersOf<Form> = {
  [Member in keyof Form]-?: object extends Pick<Form, Member> ? "unless empty" : "always";
};

const ofAll = {
  type: "always",
  id: "always",
  address: "always",
  kind: "always",
  name: "always",
  parent: "always",
  after: "always",
  along_with: "unless empty",
  cost: "always",
} as const;

/**
 * The members of the JSON form of each type of action. The compiler holds it against `actionForms`, which a plan does not
 * load: schemas take longer to make than a small plan.
 */
export const actionMembers: { [Type in ActionType]: MembersOf<Static<(typeof actionForms)[Type]>> } = {
  create: { ...ofAll, may_come_with: "unless empty", expected: "always" },
  clone: {
    ...ofAll,
    may_come_with: "unless empty",
    source: "always",
    stated: "always",
    changes: "always",
    brings: "always",
    carries: "always",
    expected: "always",
  },
  update: {
    ...ofAll,
    resource_id: "unless empty",
    stated: "always",
    changes: "always",
    expected: "always",
    losses: "unless empty",
    reaches: "unless empty",
    fingerprint: "unless empty",
  },
  replace: {
    ...ofAll,
    resource_id: "always",
    live_address: "unless empty",
    expected: "always",
    changes: "always",
    reasons: "always",
    losses: "always",
    content_ids: "always",
    fingerprint: "always",
  },
  delete: {
    ...ofAll,
    after_others: "always",
    resource_id: "always",
    live_address: "unless empty",
    reason: "always",
    losses: "always",
    content_ids: "always",
    fingerprint: "always",
  },
  none: { ...ofAll, resource_id: "unless empty" },
  deploy: { ...ofAll, subject: "always", reason: "always" },
};
