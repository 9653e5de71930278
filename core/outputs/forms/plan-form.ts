import Type, { type Static } from "typebox";
import { actionForm } from "./action-form.ts";
import {
  addressText,
  budgetForm,
  choice,
  count,
  form,
  list,
  optional,
  part,
  text,
  flag,
  texts,
} from "./forms.ts";
import { codesOf, noteCodes } from "../../problems/codes.ts";
import { type ActionType, allActionTypes } from "../../planning/plan/index.ts";
import { planFormat, planVersion } from "../../model/plan-format.ts";
import { problemForm } from "./problem-form.ts";

export const noteForm = form({
  code: choice(codesOf(noteCodes), "The sort of note; see below."),
  message: text("The note."),
  advice: optional(text("The advice.")),
  address: optional(addressText),
  resources: optional(texts("Addresses of the resources that it applies to, if there are several.")),
});

const compared = form("A part of an action.", {
  action: text("Type of the action: `update`."),
  address: addressText,
  fields: optional(texts("Fields of this part.")),
});

/** An unread sort of contents of a resource. */
export const unreadForm = form({ address: addressText, sort: text("The parts: `variables and secrets`.") });

/** A plan as JSON. */
export const planForm = form("The actions of an apply.", {
  ok: optional(flag("Whether the command has done its work: `false` where an apply would be refused.")),
  error: part("Why `ok` is `false`.", { code: Type.Literal("not_approved"), message: Type.String() }),
  format: Type.Literal(planFormat),
  version: Type.Literal(planVersion),
  goal: choice(
    ["reconcile", "destroy"],
    "`reconcile`: make the organization match the documents; `destroy`: delete the resources that they declare.",
  ),
  organization: form("The organization of the plan.", {
    id: text("Id."),
    name: optional(text("Name; absent if the setting `organization` is an id.")),
  }),
  has_changes: flag("Whether an apply would change anything."),
  applicable: flag("Whether an apply would carry out the plan: `false` if `problems` has an entry."),
  counts: Type.Unsafe<Record<ActionType | "lost", number>>(
    form("Numbers of actions, by type.", {
      ...Object.fromEntries(
        allActionTypes.map((type) => [type, count(`Number of actions of the type \`${type}\`.`)]),
      ),
      lost: count("Number of resources that are deleted with others and have no action of their own."),
    }),
  ),
  actions: list(actionForm, "The actions, in a possible order."),
  problems: list(problemForm, "The reasons why an apply would be refused, such as a missing approval."),
  notes: list(noteForm, "Notes for the user; a note causes no action."),
  set: optional(
    texts("Fields that the command line sets, and no manifest: `job:shop/production/web:source.image.tag`."),
  ),
  base: part("If a base is given: the plan compared with that of the base.", {
    name: text("The base, as it was named: a reference or a folder."),
    own: list(compared, "Actions of the change itself."),
    earlier: list(
      compared,
      "Actions that were already due before the change; an apply carries them out too.",
    ),
    settled: list(compared, "Actions of an apply of the base that this plan does not have."),
  }),
  actions_digest: optional(
    text(
      "64 hexadecimal digits, equal for plans that do the same to the same resources: an apply can expect them.",
    ),
  ),
  cost: form("The cost in requests.", {
    planning: count("Requests spent on planning."),
    applying: count("Requests that an apply needs, as an estimate."),
  }),
  unread: optional(
    list(
      unreadForm,
      "Where the plan has not looked in managed resources: parts, `contents` and `deployments`. Something may be set there that no manifest declares, or may not run.",
    ),
  ),
  cached: part("Lists from the cache of earlier runs: no event since then names a change.", {
    resources: count(
      "Number of resources whose variables, secrets, domains and settings were read by an earlier run.",
    ),
    of: count("Number of resources whose parts the plan needs."),
    oldest: text("When the oldest of these lists was read, as ISO 8601."),
  }),
  budget: optional(budgetForm),
});

/** The output of `plan --format json`. */
export type PlanForm = Static<typeof planForm>;
