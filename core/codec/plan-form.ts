import Type, { type Static } from "typebox";
import {
  addressText,
  anyValue,
  budgetForm,
  choice,
  count,
  fieldsForm,
  form,
  list,
  optional,
  text,
} from "./forms.ts";
import { rewritings } from "../fields/rewriting.ts";
import { planFormat } from "../plan-format.ts";
import { problemForm, remediesForm } from "./problem.ts";

/** It grows when a member goes or changes its meaning. */
export const planVersion = 2;

const change = form(
  {
    path: list(Type.String(), "Members from the top; an element of a set is `[KEY]`."),
    before: optional(anyValue("Absent: there is none.")),
    after: optional(anyValue("Absent: it will be removed.")),
    replaces: optional(text("Why the change needs a replacement; absent where an update does it.")),
    unkept: optional(
      choice(
        rewritings,
        "In what way the server may have made `before` of `after`. If the next plan has the change again, the server does not keep the value.",
      ),
    ),
  },
  "One field that differs.",
);

const loss = form(
  {
    what: text("`variable`, `custom domain`, or the type of a service."),
    name: text("Its name."),
    address: optional(addressText),
    live_address: optional(text("The address that the resource has now, where that is another.")),
    id: optional(text("Of a resource.")),
    described: Type.Boolean({ description: "Whether an action of this plan makes it again." }),
  },
  "What goes with a resource that is deleted.",
);

const mayComeWith = form(
  { address: addressText, since: text("When that clone was made.") },
  "The clone of an earlier run that may still bring the resource.",
);

const note = form({
  message: Type.String(),
  remedies: optional(remediesForm),
  address: optional(addressText),
});

const actionIdText = text("Id of an action of this plan.");

const base = {
  id: text("Unique in the plan: a resource can have several actions. It says nothing else."),
  address: addressText,
  kind: text("Kind of the resource: `Job`."),
  name: text("Name of the resource."),
  parent: Type.Union([form({ id: text("Id of a live resource.") }), form({ made_by: actionIdText })], {
    description: "What holds the resource: `id`, or `made_by` when an action of this plan makes it.",
  }),
  after: list(Type.String(), "Ids of the actions that have to be done before."),
  along_with: optional(
    text(
      "Id of the action whose request brings the resource (a clone of its parent) or takes it along (a deletion).",
    ),
  ),
  cost: count("Requests that it will take, as far as can be told."),
};

const changes = list(change, "Fields that change.");
const expected = fieldsForm("What the resource will be; references are `{id, name}`.");
const stated = fieldsForm("What the manifest states.");
const fingerprint = text("Of the state that the plan has seen.");
const losses = list(loss, "What goes with the resource.");
const contentIds = list(Type.String(), "Ids of all that the resource contains now.");
const liveAddress = optional(text("The address that it has now, where that is another."));
const resourceId = text("Id of the live resource.");

const action = Type.Union(
  [
    form(
      { ...base, type: Type.Literal("create"), may_come_with: optional(mayComeWith), expected },
      "Creates it.",
    ),
    form(
      {
        ...base,
        type: Type.Literal("clone"),
        may_come_with: optional(mayComeWith),
        source: form(
          {
            address: addressText,
            id: optional(text("Id of the source, when it is live.")),
            made_by: optional(actionIdText),
            brought_by: optional(actionIdText),
          },
          "What is cloned: live, made by an action of this plan, or brought by a clone of it.",
        ),
        stated,
        changes: list(change, "In what the clone will differ from its source."),
        brings: list(form({ kind: Type.String(), name: Type.String() }), "The services that come with it."),
        expected,
      },
      "Clones it.",
    ),
    form(
      {
        ...base,
        type: Type.Literal("update"),
        resource_id: optional(resourceId),
        stated,
        changes,
        expected,
        fingerprint: optional(fingerprint),
      },
      "Changes fields of it.",
    ),
    form(
      {
        ...base,
        type: Type.Literal("replace"),
        resource_id: resourceId,
        live_address: liveAddress,
        expected,
        changes,
        reasons: list(Type.String(), "Why an update cannot do it."),
        losses,
        content_ids: contentIds,
        fingerprint,
      },
      "Deletes it and makes it again.",
    ),
    form(
      {
        ...base,
        type: Type.Literal("delete"),
        resource_id: resourceId,
        live_address: liveAddress,
        reason: choice(["prune", "destroy"], "Why it is deleted."),
        losses,
        content_ids: contentIds,
        fingerprint,
      },
      "Deletes it.",
    ),
    form({ ...base, type: Type.Literal("none"), resource_id: optional(resourceId) }, "Leaves it as it is."),
  ],
  { description: "What will be done to a resource." },
);

/** A plan, as `plan --output json` shows it and as a file keeps it. */
export const planForm = form(
  {
    ok: optional(Type.Literal(true, { description: "The command has done its work." })),
    format: Type.Literal(planFormat),
    version: Type.Literal(planVersion),
    goal: choice(["reconcile", "destroy"], "What is wanted: all as described, or nothing of it left."),
    organization: form(
      { id: Type.String(), name: optional(Type.String()) },
      "The organization that it is for.",
    ),
    has_changes: Type.Boolean({ description: "Whether an apply would change anything." }),
    applicable: Type.Boolean({
      description: "Whether an apply would carry it out: `false` while `problems` has an entry.",
    }),
    counts: form(
      {
        create: count("How many create."),
        clone: count("How many clone."),
        update: count("How many update."),
        replace: count("How many replace."),
        delete: count("How many delete."),
        none: count("How many leave a resource as it is."),
        lost: count("Resources that go with what is deleted or replaced, and have no action of their own."),
      },
      "How many actions there are of each `type`.",
    ),
    actions: list(action, "In an order in which they can be done."),
    problems: list(problemForm, "What forbids the plan, such as a missing consent."),
    notes: list(note, "What the plan mentions and does nothing about."),
    cost: form(
      {
        planning: count("Requests spent on planning."),
        applying: count("Requests that an apply will take, as far as can be told."),
      },
      "Requests.",
    ),
    budget: optional(budgetForm),
    base_url: optional(text("Of a saved plan: the API that it is for.")),
    digest: optional(text("Of a saved plan: SHA-256 of all the rest. A file that was edited is refused.")),
  },
  "What will be done.",
);

export type PlanForm = Static<typeof planForm>;
export type ActionForm = Static<typeof action>;
export type NoteForm = Static<typeof note>;
export type LossForm = Static<typeof loss>;
