import Type, { type Static, type TSchema } from "typebox";
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
import { codesOf, noteCodes } from "../codes.ts";
import { rewritings } from "../fields/rewriting.ts";
import { type ActionType, allActionTypes, deleteReasons, deployReasons, lossSorts } from "../plan/index.ts";
import { planFormat, planVersion } from "../plan-format.ts";
import { problemForm, remediesForm } from "./problem-form.ts";

const change = form(
  {
    path: list(Type.String(), "Members from the top of the document down; an element of a set is `[KEY]`."),
    before: optional(anyValue("Absent: the field has no value.")),
    after: optional(anyValue("Absent: the value will be removed.")),
    replaces: optional(text("Why the change needs a replacement; absent where an update does it.")),
    unkept: optional(
      choice(
        rewritings,
        "How the server may have turned `after` into `before`. If the next plan shows the change again, the server does not keep the value.",
      ),
    ),
  },
  "One field that differs.",
);

export const lossForm = form(
  {
    sort: choice(
      lossSorts,
      "`resource`: with all that is in it. `part`: a variable, a secret, a domain. `data`: all data of a field, such as a volume. `size`: a part of such data. `version`: data that a lower version may not read. `value`: a secret in a field. `overwritten`: a value that another one takes the place of.",
    ),
    what: text("`variable`, `custom domain`, `volume`, or the type of a service."),
    name: text(
      "Its name or key, seen from the resource of the action; empty: that resource has one such thing.",
    ),
    extent: optional(text("How much there is, or how it changes: `20 GB`, `50 GB -> 10 GB`.")),
    content: optional(
      text(
        "A hash of what is lost, so that a consent ends when it changes: of the time at which a variable was written.",
      ),
    ),
    words: text("The loss in words: `its data (20 GB)`."),
    address: optional(addressText),
    live_address: optional(text("The present address of the resource, if it differs.")),
    id: optional(text("Id of the resource; absent for a variable or a domain.")),
    owner: optional(
      form(
        {
          id: text("Its id."),
          address: addressText,
          live_address: optional(text("Its present address, if it differs.")),
        },
        "Of a variable, a domain or a volume: the resource that has it.",
      ),
    ),
    path: optional(list(Type.String(), "The path of the change that takes it.")),
    described: Type.Boolean({ description: "Whether an action of this plan creates it again." }),
    restorable: Type.Boolean({
      description:
        "Whether somebody could make it again from what the server shows now. Nobody can restore data and secrets.",
    }),
  },
  "Something that becomes unreadable, smaller or gone because of an action.",
);

const pendingClone = form(
  {
    address: addressText,
    since: text("When that clone was created."),
    last: optional(text("When the newest of its services came with it.")),
  },
  "The clone of an earlier run that may still create the resource.",
);

const note = form({
  code: choice(codesOf(noteCodes), "The sort of note; see below."),
  message: text("The note."),
  advice: optional(text("What would help.")),
  remedies: optional(remediesForm),
  address: optional(addressText),
  resources: optional(
    list(Type.String(), "Addresses of the resources that it is about, if it is about several."),
  ),
});

const savedInputs = form(
  {
    documents: list(
      fieldsForm("A manifest, without values of secrets."),
      "The manifests, as `infrasync render` prints them.",
    ),
    targets: list(Type.String(), "The patterns that choose what is planned; empty: all."),
    elsewhere: optional(
      list(Type.String(), "What other environments of the settings file describe: it is never undescribed."),
    ),
    prune: Type.Boolean({ description: "Whether resources that no document describes are deleted." }),
    allow_replace: list(Type.String(), "The patterns of the resources that may be replaced."),
    infrastructure: optional(
      list(Type.String(), "The clusters and credentials that may be changed; absent: none."),
    ),
    rotate: list(Type.String(), "The secrets that are written again."),
    planned_at: text("When it was planned, by the clock of the server: documents count from then."),
    strict: Type.Boolean({ description: "Whether fields that are not stated are mentioned." }),
    deploy: Type.Boolean({ description: "Whether services are deployed." }),
    folder: optional(
      text(
        "The working directory in which it was made, seen from the folder of the plan file: paths start there.",
      ),
    ),
    sources: optional(
      list(
        Type.String(),
        "The files and folders of the manifests: an apply asks the settings that they lead to.",
      ),
    ),
    settings_file: optional(text("The settings file that was named: an apply asks what it forbids.")),
    max_deletes: optional(
      text(
        "The cap on deletions that was stated for the plan: it holds for an apply too, unless a settings file is stricter.",
      ),
    ),
  },
  "In a saved plan: what it was made of. An apply plans again from this, and compares.",
);

const seen = form({
  by: text("Id of the action that changes or deletes it."),
  title: text("The resource, or the part and the resource that has it."),
  id: text("Its id."),
  state: text("Equal while nobody has changed it."),
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
  after: list(Type.String(), "Ids of the actions that have to be done before."),
  along_with: optional(
    text(
      "Id of the action whose request also carries out this one: the clone or the deletion of the parent.",
    ),
  ),
  cost: count("Number of requests that it needs, as an estimate."),
};

const changes = list(change, "Fields that change; for a clone, its differences from the source.");
const expected = fieldsForm("The resource after the action; references are `{id, name}`.");
const stated = fieldsForm("The fields that the manifest states.");
const fingerprint = text("Fingerprint of the state that the plan is based on.");
const losses = list(lossForm, "Everything that is deleted with the resource and has no deletion of its own.");
const contentIds = list(Type.String(), "Ids of all resources inside, all levels deep.");
const liveAddress = optional(text("The present address, if it differs."));
const resourceId = text("Id of the live resource.");

/** The JSON form of each type of action: an action has more members than its form shows. */
export const actionForms = {
  create: form(
    { ...base, type: Type.Literal("create"), may_come_with: optional(pendingClone), expected },
    "Creates the resource.",
  ),
  clone: form(
    {
      ...base,
      type: Type.Literal("clone"),
      may_come_with: optional(pendingClone),
      source: form(
        {
          address: addressText,
          id: optional(text("Id of the source, if it is live.")),
          made_by: optional(actionIdText),
          brought_by: optional(actionIdText),
        },
        "The resource that is cloned: live (`id`), created by an action of this plan (`made_by`), or part of another clone of this plan (`brought_by`).",
      ),
      stated,
      changes,
      brings: list(
        form({ kind: text("Kind or type of the service: `Job`."), name: text("Its name.") }),
        "The services that the clone creates: copies of those of its source.",
      ),
      carries: list(
        form({
          what: text("What they are: `variable`, `secret`."),
          keys: list(Type.String(), "Their keys."),
          is_readable: Type.Boolean({
            description: "Whether their values can be read; the server copies them in any case.",
          }),
        }),
        "The variables and the like that the server copies from the source. For a service: as far as they are known.",
      ),
      expected,
    },
    "Creates the resource as a clone.",
  ),
  update: form(
    {
      ...base,
      type: Type.Literal("update"),
      resource_id: optional(resourceId),
      stated,
      changes,
      expected,
      losses: optional(
        list(
          lossForm,
          "Everything that becomes unreadable, smaller or gone with the changes, in resources inside too.",
        ),
      ),
      reaches: optional(
        list(
          Type.String(),
          "Addresses of the services inside that have the changes from their next deployment on, such as those of an environment whose variables change; an environment stands for all of its services.",
        ),
      ),
      fingerprint: optional(fingerprint),
    },
    "Changes fields of the resource.",
  ),
  replace: form(
    {
      ...base,
      type: Type.Literal("replace"),
      resource_id: resourceId,
      live_address: liveAddress,
      expected,
      changes,
      reasons: list(Type.String(), "Why an update cannot make the change."),
      losses,
      content_ids: contentIds,
      fingerprint,
    },
    "Deletes the resource and creates it again.",
  ),
  delete: form(
    {
      ...base,
      type: Type.Literal("delete"),
      after_others: Type.Boolean({
        description:
          "Whether it runs last: after the actions in `after` have succeeded, and all other actions in its environment that do not run last have ended, whether they succeeded or not.",
      }),
      resource_id: resourceId,
      live_address: liveAddress,
      reason: choice(
        deleteReasons,
        "Why the resource is deleted: no document describes it, the command is `destroy`, or its `clone.expires_after` is over.",
      ),
      losses,
      content_ids: contentIds,
      fingerprint,
    },
    "Deletes the resource.",
  ),
  none: form(
    { ...base, type: Type.Literal("none"), resource_id: optional(resourceId) },
    "Leaves the resource unchanged.",
  ),
  deploy: form(
    {
      ...base,
      type: Type.Literal("deploy"),
      subject: Type.Union([form({ id: text("Id of a live resource.") }), form({ made_by: actionIdText })], {
        description: "What is deployed: `id`, or `made_by` if an action of this plan creates it.",
      }),
      reason: choice(
        deployReasons,
        "Why it is deployed: this plan creates or changes it, it was never deployed, an older version of it runs, its last deployment failed, or variables or secrets of its environment or project have changed since (`changed_around`).",
      ),
    },
    "Deploys the resource, once everything in its environment has been changed. The deployments of an environment are one request: that of the action which the others name in `along_with`.",
  ),
} satisfies Record<ActionType, TSchema>;

const action = Type.Unsafe<ActionForm>(
  Type.Union(Object.values(actionForms), { description: "One action on one resource." }),
);

const part = form(
  {
    action: text("Type of the action: `update`."),
    address: addressText,
    fields: optional(list(Type.String(), "Fields of this part.")),
  },
  "A part of an action.",
);

/** A plan, as `plan --output json` shows it and as a file keeps it. */
export const planForm = form(
  {
    ok: optional(
      Type.Boolean({
        description: "Whether the command has done its work: `false` where an apply would be refused.",
      }),
    ),
    error: optional(form({ code: Type.Literal("consent"), message: Type.String() }, "Why `ok` is `false`.")),
    format: Type.Literal(planFormat),
    version: Type.Literal(planVersion),
    goal: choice(
      ["reconcile", "destroy"],
      "`reconcile`: make the organization match the documents; `destroy`: delete what they describe.",
    ),
    organization: form(
      {
        id: text("Its id."),
        name: optional(text("Its name; absent if the setting `organization` is an id.")),
      },
      "The organization of the plan.",
    ),
    has_changes: Type.Boolean({ description: "Whether an apply would change anything." }),
    applicable: Type.Boolean({
      description: "Whether an apply would carry out the plan: `false` if `problems` has an entry.",
    }),
    counts: Type.Unsafe<Record<ActionType | "lost", number>>(
      form(
        {
          ...Object.fromEntries(
            allActionTypes.map((type) => [type, count(`Number of actions of the type \`${type}\`.`)]),
          ),
          lost: count("Number of resources that are deleted with others and have no action of their own."),
        },
        "Numbers of actions, by type.",
      ),
    ),
    actions: list(action, "The actions, in a possible order."),
    problems: list(problemForm, "The reasons why an apply would be refused, such as a missing consent."),
    notes: list(note, "What else the user should know; a note leads to no action."),
    set: optional(
      list(
        Type.String(),
        "Fields that the command line sets, and no manifest: `job:shop/production/web:source.image.tag`.",
      ),
    ),
    base: optional(
      form(
        {
          name: text("The base, as it was named: a reference or a folder."),
          own: list(part, "What the change itself does."),
          earlier: list(part, "What was to be done before the change; an apply does it too."),
          settled: list(part, "What an apply of the base would do, and this plan does not."),
        },
        "If a base is given: the plan compared with that of the base.",
      ),
    ),
    actions_digest: optional(
      text(
        "64 hexadecimal digits, equal for plans that do the same to the same resources: an apply can expect them. Absent in a saved plan.",
      ),
    ),
    cost: form(
      {
        planning: count("Requests spent on planning."),
        applying: count("Requests that an apply needs, as an estimate."),
      },
      "The cost in requests.",
    ),
    remembered: optional(
      form(
        {
          resources: count(
            "Number of resources whose variables, secrets, domains and settings were read by an earlier run.",
          ),
          of: count("Number of resources whose parts the plan needs."),
          oldest: text("When the oldest of these lists was read, as ISO 8601."),
        },
        "What the plan has from earlier runs, because no event since names a change of it.",
      ),
    ),
    budget: optional(budgetForm),
    base_url: optional(text("In a saved plan: the URL of the API.")),
    inputs: optional(savedInputs),
    seen: optional(list(seen, "In a saved plan: what it changes or deletes, by its id.")),
    applied_at: optional(text("In a saved plan that was applied: when. It is used once.")),
    digest: optional(
      text("In a saved plan: SHA-256 of all other members. `apply` refuses a file that was edited."),
    ),
  },
  "What an apply will do.",
);

/** A plan as `plan --format json` prints it. */
export type PlanForm = Static<typeof planForm>;
export type SavedInputsForm = Static<typeof savedInputs>;
export type ActionForm = Static<(typeof actionForms)[ActionType]>;

type MemberOf<Form, Member> = Form extends unknown
  ? Member extends keyof Form
    ? Form[Member]
    : never
  : never;

/** The members of all forms of actions. */
export type AnyActionForm = {
  [Member in ActionForm extends infer Form ? (Form extends unknown ? keyof Form : never) : never]?: MemberOf<
    ActionForm,
    Member
  >;
};
export type NoteForm = Static<typeof note>;
export type LossForm = Static<typeof lossForm>;
