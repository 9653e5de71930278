import Type, { type Static, type TSchema } from "typebox";
import { rewritings } from "../../model/fields/normalization.ts";
import { type ActionType, deleteReasons, deployReasons, lossSorts } from "../../planning/plan/index.ts";
import {
  addressText,
  anyValue,
  choice,
  count,
  fieldsForm,
  form,
  list,
  listOf,
  optional,
  part,
  text,
  flag,
  texts,
} from "./forms.ts";

const change = form("One field that differs.", {
  path: texts("Members from the top of the document down; an element of a set is `[KEY]`."),
  before: optional(anyValue("Absent: the field has no value.")),
  after: optional(anyValue("Absent: the value will be removed.")),
  replaces: optional(text("Why the change needs a replacement; absent where an update does it.")),
  normalized: optional(
    choice(
      rewritings,
      "How the server may have turned `after` into `before`. If the next plan shows the change again, the server does not keep the value.",
    ),
  ),
});

export const lossForm = form("Something that becomes unreadable, smaller or gone because of an action.", {
  sort: choice(
    lossSorts,
    "`resource`: with all that is in it. `part`: a variable, a secret, a domain. `data`: all data of a field, such as a volume. `size`: a part of such data. `version`: data that a lower version may not read. `value`: a secret in a field. `overwritten`: a value that another one replaces.",
  ),
  what: text("`variable`, `custom domain`, `volume`, or the type of a service."),
  name: text("Name or key; empty: the resource has only one."),
  of: optional(text("The name of the resource that has it, within the resource of the action.")),
  extent: optional(text("How much there is, or how it changes: `20 GB`, `50 GB -> 10 GB`.")),
  content: optional(
    text(
      "A hash of the lost content, such as the time at which a variable was written: an approval ends when it changes.",
    ),
  ),
  words: text("The loss in words: `its data (20 GB)`."),
  address: optional(addressText),
  live_address: optional(text("The present address of the resource, if it differs.")),
  id: optional(text("Id of the resource; absent for a variable or a domain.")),
  owner: part("Of a variable, a domain or a volume: the resource that has it.", {
    id: text("Id."),
    address: addressText,
    live_address: optional(text("Present address, if it differs.")),
  }),
  path: optional(texts("The path of the change that causes the loss.")),
  recreated: flag("Whether an action of this plan creates it again."),
  restorable: flag(
    "Whether it can be created again from the values that the server shows. Data and secrets cannot be restored.",
  ),
});

const pendingClone = form("The clone of an earlier run that may still create the resource.", {
  address: addressText,
  since: text("When that clone was created."),
  last: optional(text("When the newest of its services was created.")),
});

const actionIdText = text("Id of an action of this plan.");

const base = {
  id: text(
    "Id of the action, unique in the plan; do not parse it, because a resource can have several actions.",
  ),
  address: addressText,
  kind: text("Kind of the resource: `Job`."),
  name: text("Name of the resource."),
  parent: Type.Union(
    [
      form({ id: text("Id of a live resource.") }),
      form({ made_by: actionIdText }),
      form({ brought_by: actionIdText }),
    ],
    {
      description:
        "The parent of the resource: `id`, `made_by` if an action of this plan creates the parent, or `brought_by` if the parent is part of a clone of this plan.",
    },
  ),
  after: texts("Ids of the actions that have to be done before."),
  along_with: optional(
    text(
      "Id of the action whose request also carries out this one: the clone or the deletion of the parent.",
    ),
  ),
  cost: count("Number of requests that it needs, as an estimate."),
};

const changes = list(change, "Fields that change; for a clone, its differences from the source.");
const expected = fieldsForm("The resource after the action; references are `{id, name}`.");
const declared = fieldsForm("The fields that the manifest declares.");
const fingerprint = text("Fingerprint of the state that the plan is based on.");
const losses = list(lossForm, "Everything that is deleted with the resource and has no deletion of its own.");
const contentIds = texts("Ids of all resources inside, all levels deep.");
const liveAddress = optional(text("The present address, if it differs."));
const resourceId = text("Id of the live resource.");

/** The JSON form of each type of action: an action has more members than its form shows. */
export const actionForms = {
  create: form("Creates the resource.", {
    ...base,
    type: Type.Literal("create"),
    may_come_with: optional(pendingClone),
    expected,
  }),
  clone: form("Creates the resource as a clone.", {
    ...base,
    type: Type.Literal("clone"),
    may_come_with: optional(pendingClone),
    source: form(
      "The resource that is cloned: live (`id`), created by an action of this plan (`made_by`), or part of another clone of this plan (`brought_by`).",
      {
        address: addressText,
        id: optional(text("Id of the source, if it is live.")),
        made_by: optional(actionIdText),
        brought_by: optional(actionIdText),
      },
    ),
    declared,
    changes,
    brings: listOf("The services that the clone creates: copies of those of its source.", {
      kind: text("Kind or type of the service: `Job`."),
      name: text("Name."),
    }),
    carries: listOf(
      "The variables, secrets and domains that the server copies from the source; of a service, only the known ones.",
      {
        what: text("Type of the entries: `variable`, `secret`."),
        keys: texts("Their keys."),
        is_readable: flag("Whether their values can be read; the server copies them in any case."),
      },
    ),
    expected,
  }),
  update: form("Changes fields of the resource.", {
    ...base,
    type: Type.Literal("update"),
    resource_id: optional(resourceId),
    declared,
    changes,
    expected,
    losses: optional(
      list(
        lossForm,
        "Everything that becomes unreadable, smaller or gone with the changes, in resources inside too.",
      ),
    ),
    reaches: optional(
      texts(
        "Addresses of the services inside that have the changes from their next deployment on, such as those of an environment whose variables change; an environment stands for all of its services.",
      ),
    ),
    fingerprint: optional(fingerprint),
  }),
  replace: form("Deletes the resource and creates it again.", {
    ...base,
    type: Type.Literal("replace"),
    resource_id: resourceId,
    live_address: liveAddress,
    expected,
    changes,
    reasons: texts("Why an update cannot make the change."),
    losses,
    content_ids: contentIds,
    fingerprint,
  }),
  delete: form("Deletes the resource.", {
    ...base,
    type: Type.Literal("delete"),
    after_others: flag(
      "Whether it runs last: after the actions in `after` have succeeded, and all other actions in its environment that do not run last have ended, whether they succeeded or not.",
    ),
    resource_id: resourceId,
    live_address: liveAddress,
    reason: choice(
      deleteReasons,
      "Why the resource is deleted: no document declares it, or the command is `destroy`.",
    ),
    losses,
    content_ids: contentIds,
    fingerprint,
  }),
  none: form("Leaves the resource unchanged.", {
    ...base,
    type: Type.Literal("none"),
    resource_id: optional(resourceId),
  }),
  deploy: form(
    "Deploys the resource, once everything in its environment has been changed. The deployments of an environment are one request: that of the action which the others name in `along_with`.",
    {
      ...base,
      type: Type.Literal("deploy"),
      subject: Type.Union([form({ id: text("Id of a live resource.") }), form({ made_by: actionIdText })], {
        description: "The deployed resource: `id`, or `made_by` if an action of this plan creates it.",
      }),
      reason: choice(
        deployReasons,
        "Why it is deployed: this plan creates or changes it, it was never deployed, an older version of it runs, its last deployment failed, or variables or secrets of its environment or project have changed since (`changed_around`).",
      ),
    },
  ),
} satisfies Record<ActionType, TSchema>;

export const actionForm = Type.Unsafe<ActionForm>(
  Type.Union(Object.values(actionForms), { description: "One action on one resource." }),
);

export type ActionForm = Static<(typeof actionForms)[ActionType]>;

type MemberOf<Form, Member> = Form extends unknown
  ? Member extends keyof Form
    ? Form[Member]
    : never
  : never;

export type AnyActionForm = {
  [Member in ActionForm extends infer Form ? (Form extends unknown ? keyof Form : never) : never]?:
    | MemberOf<ActionForm, Member>
    | undefined;
};
