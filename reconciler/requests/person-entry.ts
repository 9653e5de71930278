import Type, { type TSchema } from "typebox";
import type { StoredForm } from "../../core/files/stored-form.ts";
import { choice, type form, optional } from "../../core/outputs/forms/forms.ts";
import { identityForm } from "../identity.ts";

const text = Type.String();
const by = identityForm;

/** The members of each type of entry about a person. `client`: where the person is, `203.0.113.9`. */
export const personMembers = {
  /** A person has requested something, which is about to be done. */
  requested: { request: text, environment: optional(text), by, client: text, detail: optional(text) },
  refused: { request: text, environment: optional(text), by, client: text, reason: text },
  signed_in: { by, client: text },
  signed_out: { by, client: text },
  /** A request is over; `on_failure`: the policy has wanted a rollback. */
  ended: {
    request: choice(["sync", "approve", "rollback", "on_failure"], ""),
    environment: text,
    by,
    isCarriedOut: Type.Boolean(),
    reasons: Type.Array(text),
    commit: optional(text),
  },
} satisfies Record<string, Record<string, TSchema>>;

/** What a person has done, or was not allowed to, and what became of a request. */
export type PersonEntry = {
  [Type in keyof typeof personMembers]: { readonly type: Type } & StoredForm<
    ReturnType<typeof form<(typeof personMembers)[Type]>>
  >;
}[keyof typeof personMembers];

/** What people have done, as it was written down. `at`: milliseconds since 1970. */
export interface AuditTrail {
  /** Writes down what somebody does, before it is done: what cannot be written down is not done. */
  add(entry: PersonEntry): Promise<void>;
  /** The newest first; `damaged`: how many lines among the newest nobody can read. */
  newest(): Promise<{
    entries: (PersonEntry & { readonly id: number; readonly at: number })[];
    damaged: number;
  }>;
}
