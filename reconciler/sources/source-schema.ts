import type { FieldSchema } from "../../core/model/schema/field-schema.ts";
import { type Formats, ruled } from "../../core/model/schema/format.ts";
import {
  choice,
  flag,
  list,
  object,
  required,
  text,
  wholeNumber,
  word,
} from "../../core/model/schema/field.ts";
import { declaredFormats } from "../declaration-formats.ts";

/** The form of the name of a source, which is also that of its data folder. */
export const sourceName = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export const sourceFormats: Formats = {
  ...declaredFormats,
  "source-name": ruled(
    (given) =>
      sourceName.test(given)
        ? undefined
        : {
            message: "is not the name of a source",
            advice: "write small letters, digits and - between them, such as shop-eu, at most 63",
          },
    { pattern: sourceName.source, patternErrorMessage: "Write small letters, digits and - between them." },
  ),
};

const fileOfOperator = "a file in the folder that `INFRASYNC_SOURCE_FILES` names";
const modes = choice(["off", "report", "apply"], "`off`, `report` or `apply`.");

/** The members of a source beside its name, which a `SourceSet` declares for all of its sources. */
const members = {
  team: word("The owner of the source; roles of the access file and the page use it."),
  repository: word("URL of the repository: https or ssh."),
  branch: word("The branch whose newest commit is applied; default: `main`."),
  revision: word(
    "In place of a branch: a tag, the highest version of a range such as `v1.*`, or one commit of the branch.",
  ),
  path: word("Folder of the manifests in the repository; default: the whole repository."),
  organization: word("The organization that is changed; default: that of `--organization`, or the only one."),
  token_file: word(`The token of the API: ${fileOfOperator}.`),
  token: word("Or the name of a token: `shop` is the environment variable `INFRASYNC_SOURCE_TOKEN_SHOP`."),
  git_token_file: word(`The token for the repository: ${fileOfOperator}; default: that of the service.`),
  webhook_secret_file: word(`Secret for the signatures of webhooks of the Git host: ${fileOfOperator}.`),
  notify_file: word(
    `Receivers of notifications, as with \`notify_file\` of the operator: ${fileOfOperator}.`,
  ),
  require_signed: word(`The ssh keys for signatures of commits: ${fileOfOperator}.`),
  interval: text("How often to check the repository; default: that of `--interval`.", { format: "duration" }),
  previews: flag("Makes an environment for each pull request that the policy names."),
  commit_statuses: flag("Reports on the Git host whether the newest commit is applied."),
  git_host_api: word("URL of the Git host's API; default: that of the host of the repository."),
  git_host_project: word("Project on the Git host; default: that of the repository."),
  policy: object("Limits that the repository can tighten, and not widen.", {
    on_commit: { ...modes, description: "Limit for the reaction to a new commit." },
    on_drift: { ...modes, description: "Limit for the reaction to drift." },
    max_deletes: text("The limit for deletions of one run, as with `--max-deletes`: `10` or `20%`."),
    max_deletes_per_day: wholeNumber("The limit for deletions and replacements in any 24 hours."),
    protect: list(
      word("A pattern, as in a settings file: `shop/production/**`."),
      "Resources that are never deleted.",
    ),
  }),
  projects: list(
    word("A project, with `*` for anything within its name."),
    "Projects that manifests may declare; default: all, and resources of the organization.",
  ),
  kinds: list(
    text("A kind, such as `Job`.", { format: "kind" }),
    "The kinds that manifests may declare; default: every kind.",
  ),
  allow_env: list(
    word("An environment variable."),
    "Which variables of `INFRASYNC_ALLOW_ENV` the manifests may read; default: none.",
  ),
} satisfies Record<string, FieldSchema>;

const name = text("Letters, digits and `-`, such as `shop`.", { format: "source-name" });

/** The schema of a document `kind: Source`. */
export const sourceSchema = object("A repository to sync.", {
  kind: required(choice(["Source"], "`Source`.")),
  name: required(name),
  ...members,
  repository: required(members.repository),
});

/** The schema of a document `kind: SourceSet`. */
export const sourceSetSchema = object("Makes a source for each folder or repository.", {
  kind: required(choice(["SourceSet"], "`SourceSet`.")),
  name: required(name),
  folders: object("A source for each folder of a repository that matches.", {
    repository: required(members.repository),
    branch: members.branch,
    match: required(word("Which folders: `teams/*`, with `*` for anything within a name.")),
  }),
  group: object("A source for each repository of a group of the Git host.", {
    git_host_api: required(word("URL of the Git host's API, such as `https://git.example.com/api/v4`.")),
    name: required(word("The group or organization, such as `acme/infra`.")),
    match: word("Which repositories: their names, with `*`; default: all."),
  }),
  source: object(
    "Template of each source, with `{name}` for the folder or repository, `{path}` for the whole path, `{set}` for this set.",
    { ...members, name: word("Name; default: `{set}-{name}`.") },
  ),
});
