import { kindFormat } from "../../model/kinds/index.ts";
import { policyActions, policyEffects } from "../../rules/policies/policy.ts";
import { builtInPolicies } from "../../rules/policies/built-in.ts";
import {
  flag,
  list,
  map,
  object,
  required,
  type DeclaredValue,
  text,
  type TypedSchema,
  wholeNumber,
  word,
} from "../../model/schema/field.ts";
import type { Format, Formats } from "../../model/schema/format.ts";
import { meantOr } from "../../model/schema/suggest.ts";

function oneOf(words: readonly string[], what: string): Format {
  return {
    rule: (given) => words.some((each) => each.toLowerCase() === given.toLowerCase()),
    mistake: (given) => ({
      message: `is not ${what}`,
      advice: meantOr(given, words, `write one of: ${words.join(", ")}`),
    }),
    editor: { enum: [...words] },
  };
}

export const settingsFormats: Formats = {
  kind: kindFormat,
  action: oneOf(policyActions, "an action that a policy can check"),
  mode: oneOf(["off", "report", "apply"], "a mode"),
  notify: oneOf(["slack", "json"], "a form of notifications"),
  effect: oneOf(policyEffects, "an effect of a policy"),
  built_in: oneOf(Object.keys(builtInPolicies), "a policy of infrasync"),
  // A file under version control names no other part of the machine.
  below: {
    rule: (path) =>
      !path.startsWith("/") && !/^[A-Za-z]:|\\/.test(path) && path !== "-" && !path.split("/").includes(".."),
    mistake: () => ({
      message: "is not below the folder of the settings file",
      advice: "write a path below it, without ..",
    }),
    editor: {},
  },
};

const policy = object({
  name: word("Name, in messages."),
  built_in: text("Name of a built-in policy, in place of a name and a condition.", { format: "built_in" }),
  with: map("Parameters of the built-in policy that differ from its defaults."),
  when: text("A condition in CEL: the change is wrong if it is true."),
  message: word("The message: the mistake and its correction."),
  effect: text("Whether the change is denied, causes a warning, or needs an approval; default: `deny`.", {
    format: "effect",
  }),
  kinds: list(text(undefined, { format: "kind" }), "The kinds that it checks; default: all.", {
    minItems: 1,
  }),
  actions: list(
    text(undefined, { format: "action" }),
    "The actions that it checks; default: all but `delete` and `deploy`.",
    { minItems: 1 },
  ),
  fields: list(text(), "The fields whose changes it checks; default: all.", { minItems: 1 }),
  environments: list(
    text(),
    "Patterns of the environments that it checks, such as `*/production`; default: all, and resources outside environments.",
    { minItems: 1 },
  ),
});

const environment = object({
  sources: required(
    list(
      word(undefined, { format: "below" }),
      "Files and folders below the folder of this file; later ones overlay earlier ones.",
      { minItems: 1 },
    ),
  ),
  vars: map("Values of variables of the manifests."),
  var_files: list(
    word(undefined, { format: "below" }),
    "Files with values of variables; later ones win, and vars win over all of them.",
  ),
  protect: list(word(), "Patterns of resources that no run deletes or replaces, in any environment."),
});

/** The members of the settings file with members of their own. */
export const sectionsSchema = object({
  policies: list(policy, "Policies that check planned changes.", { maxItems: 100 }),
  reconcile: object(
    "Settings of the operator of a service: the reconciler reads them only in the settings file that its operator names.",
    {
      budget_share: word(
        "Percent of each window of the quota for drift checks and for applying; default: `read=20,apply=60`.",
      ),
      commit_statuses: flag(
        "Whether the Git host gets a commit status: whether the newest commit is applied.",
      ),
      console_url: word(
        "URL of a service in the console, with `{organization}`, `{project}`, `{environment}` and `{service}` for the ids. The page links to it; the link of an environment is the part before `{service}`.",
      ),
      max_deletes_per_day: wholeNumber(
        "Limit for deletions and replacements in any 24 hours; default: the limit of one run.",
        { minimum: 0 },
      ),
      max_deletes_per_day_in_organization: wholeNumber(
        "The same limit for all sources of an organization together; default: five times the limit of one source.",
        { minimum: 0 },
      ),
      notify_file: word("A YAML file with the receivers of notifications, and the states to repeat."),
      notify_format: text("Form of the notifications to `INFRASYNC_NOTIFY_URL`; default: `json`.", {
        format: "notify",
      }) as TypedSchema<"slack" | "json">,
      on_commit: text(
        "Limit for the reaction to a new commit; the policy of the repository can be stricter; default: `apply`.",
        { format: "mode" },
      ) as TypedSchema<"off" | "report" | "apply">,
      previews: flag("Whether each pull request that the policy names gets an environment."),
      require_signed: word(
        "File of allowed signers: only commits with a signature of one of these ssh keys are applied.",
      ),
      ui_public: flag("Whether the page is shown without asking for a token."),
    },
  ),
  environments: {
    type: "object",
    description:
      "The sources of each environment, such as `staging: { sources: [base, overlays/staging] }`: a plan of an environment reads them.",
    additionalProperties: environment,
  } as TypedSchema<Record<string, DeclaredValue<typeof environment>>>,
});

export type PolicySetting = DeclaredValue<typeof policy>;
export type DeclaredSections = Required<DeclaredValue<typeof sectionsSchema>>;
