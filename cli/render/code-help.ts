// What a person who uses the command line can do about each code of core, in Markdown whose links are those of a page in docs/reference/.
// `remedies.ts` has the words for what a single error or problem advises.

import type { ErrorCode, OutcomeCode, ProblemCode } from "../../core/problems/codes.ts";

/** The advice when a run fails with a code. */
export const errorHelp: Record<ErrorCode, string> = {
  usage: "Read the advice below the error, or `infrasync COMMAND --help`.",
  invalid_input: "Correct the lines that the error names. All mistakes are listed at once.",
  stale_plan: "Make the plan again, and have it approved again.",
  consent:
    "Undo the change, or give the approval that the error names. [Change safely](../guides/change-safely.md) explains each.",
  declined: "Run it again, and answer yes.",
  client_settings:
    "Correct `INFRASYNC_BASE_URL` or `INFRASYNC_TOKEN`. Copy the token without blanks and line breaks.",
  unauthorized:
    "Set a valid token. Check its scheme with `INFRASYNC_TOKEN_SCHEME`: `Token` for API tokens, `Bearer` for JWTs.",
  forbidden:
    "Use a token with the [scope that the command needs](../guides/organizations.md#a-token-for-each).",
  not_found: "Check the name and `--organization`. Somebody may have deleted the resource.",
  conflict: "Wait for the other operation, then run again.",
  invalid_request: "Correct the fields that the server names in its message.",
  rate_limited: "Run again later, raise `quota_patience`, or use `--on-quota wait`.",
  quota:
    "Run again after the reset, use `--on-quota wait`, raise `--max-requests`, or do a part with `--target`. [Budget](../guides/budget.md)",
  server_error: "Run again later.",
  unreachable:
    "Read the reason: host, port, certificate or proxy. [Proxies and certificates](configuration.md#proxies-and-certificates)",
  unexpected_answer: "Check the base URL, and any proxy on the way.",
  unclear_outcome: "Run again: infrasync reads first, and repeats the write only if it is still missing.",
  interrupted: "Run again: the next run continues.",
  server_failing: "Look at the state of the API, and run again later: the run continues.",
  standstill: "Run again: infrasync reads what is there first. Report it with the command line.",
  incomplete: "Read the codes of the outcomes below, then run again.",
  deployment: "Read `infrasync logs` and the web console, then deploy again.",
  repository:
    "The message says what git said. Check `--repo`, `--branch`, `--path`, the credentials and the network.",
  locked: "Wait until it has ended. Do not run `--once` with the folder of a service.",
  held: "Push a commit that follows the applied one, or apply the commit manually.",
  forge: "The message says what it answered, and which right the token lacks.",
  port: "Choose another with `--port`; `--port 0` takes a free one.",
  failed:
    "Check the path, its permissions and the disk. If the message says that this should not have happened, report it with the command line.",
};

/** The advice about a mistake, or about a reason that forbids a plan. */
export const problemHelp: Record<ProblemCode, string> = {
  unreadable: "Correct the path or the permissions.",
  unwritable: "Choose another path, or delete the file that is in the way.",
  nothing_found: "Name a folder with `.yaml` files. Use `destroy` to delete everything.",
  syntax: "Correct the line that the problem names.",
  variable: "Set the [variable](../guides/overlays.md#variables), or write `$${NAME}` for the text itself.",
  invalid: "Follow the advice. [Manifests](manifests.md) lists all fields.",
  omitted: "Correct those that are shown, and run again.",
  duplicate: "Join the two documents, or remove one.",
  overlay: "Correct the name, or the order of the sources.",
  circle: "Remove `clone` from one of them.",
  rename: "Remove `renamed_from`, or the other document.",
  argument: "Follow the advice, or see `infrasync COMMAND --help`.",
  setting: "Correct it: [configuration](configuration.md).",
  pattern: "Write it like an address: `job:shop/staging/nightly-*`.",
  target: "Correct the target.",
  confirmation: "Read the plan first, then add `--yes`.",
  requests:
    "Add the flag that the advice names with the others, or apply a part of the plan with `--target`.",
  organization: "Set `--organization` to one of the names in the advice.",
  not_found: "Correct the name.",
  exists: "Choose another name, or `--update` for a clone.",
  missing_parent: "Correct the name, or add a document for the parent.",
  missing_source: "Correct `clone.from`.",
  unknown_id: "Correct the id, or remove it.",
  reference: "Correct the name, or write the id.",
  secret:
    "Make the [source](../guides/variables.md#secrets) available to the run: set the environment variable, correct the file or the key, allow the variable with `INFRASYNC_ALLOW_ENV`, or commands with `--allow-commands`. If the secret is to be empty, state `allow_empty: true`.",
  twins: "Delete or rename one, or set `manage.id`.",
  rewritten_name: "Write that name into the document, or set `manage.id`.",
  perhaps_renamed:
    "Say [which one is meant](../guides/change-safely.md#renamed-manually): `manage.renamed_from`, `manage.id`, or `manage.beside` for a new one.",
  impossible: "Follow the advice.",
  replacement: "Undo the change, or [allow the replacement](../guides/change-safely.md).",
  loss: "Undo the change, or [allow it](../guides/change-safely.md#changes-that-lose-data).",
  policy:
    "Change what the message says, or have somebody approve the plan: [Policies](../guides/policies.md).",
  infrastructure: "Agree with `--allow-infrastructure` and `--confirm NAME`, or undo the change.",
  in_use: "Let them refer to another one first, or keep it.",
  protected: "Undo the change, or remove the protection first.",
  suspended: "Wait until the suspension is over, or end it in a change of its own.",
  owner: "Delete it manually, or declare it.",
  cause: "Wait, or ask for a sync: [people](../guides/people.md).",
  contents: "Describe them, move them, or agree: `--prune` and `manage.prune`.",
  described_contents: "Leave the parent out, or take its contents into the run with `--target`.",
  too_many: "Do less at once, or raise `--max-deletes`.",
  saved_plan: "Make the plan again.",
  stale: "Make the plan again, and have it approved again.",
};

/** The advice when a single action fails with a code. */
export const outcomeHelp: Record<OutcomeCode, string> = {
  changed: "Plan again, and read the new plan.",
  gone: "Plan again.",
  missing_part: "Plan again, or declare the other variable too.",
  no_secrets: "Give the run a reader of secrets.",
  exists: "Plan again: infrasync compares your document with that resource.",
  deployment: "Read `infrasync logs` and the web console, then deploy again.",
  busy: "Wait for the operation, then run again. The setting `clone_timeout` sets the time for clones.",
  server_failing: "Run again when the server works: it continues.",
  unclear: "Run again: infrasync finds the resource if it was created.",
  pending: "Run again: the next run continues with it.",
  twins: "Delete one in the web console, or set `manage.id` in the document.",
  duplicated: "Delete one of the two in the web console.",
  renamed: "Write that name into the document, or set `manage.id`.",
  value_lost:
    "Delete the token (`infrasync destroy --target apitoken:NAME`), and apply again: that creates another one. Pulumi replaces it with the next `pulumi up`.",
  lost: "Apply that manifest. Set its variables, secrets and domains again.",
};
