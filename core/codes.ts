// Every code that programs can rely on, with what it means: the pages, the schemas and the types of errors follow from these
// tables. A new code is one entry here.

/** What a code means, and what a person can do about it, in Markdown whose links are those of a page in docs/. */
interface Explained {
  means: string;
  help: string;
}

/** Of the failure of a whole run: `error.code` in the JSON document. */
export const errorCodes = {
  usage: {
    means: "The command line is wrong: an unknown command or flag, a flag without its value.",
    help: "Read the advice below the error, or `infrasync COMMAND --help`.",
  },
  invalid_input: {
    means: "Manifests, settings or arguments have mistakes. Nothing was sent that changes anything.",
    help: "Correct the lines that the error names. All mistakes are listed at once.",
  },
  stale_plan: {
    means: "A saved plan no longer fits: a resource that it changes has changed since.",
    help: "Make the plan again, and have it approved again.",
  },
  consent: {
    means:
      "The plan would delete or replace something that you have not agreed to, that is protected, or that is more than the cap allows; or `--yes` is missing where nobody can be asked.",
    help: "Undo the change, or give the consent that the error names. [Change safely](change-safely.md) explains each.",
  },
  declined: {
    means: "You were asked, and did not answer yes. Nothing was changed.",
    help: "Run it again, and answer yes.",
  },
  client_settings: {
    means:
      "The base URL or the token cannot be used: no URL of http or https, plain `http` to another machine, an empty token, a token with a blank or a line break.",
    help: "Correct `INFRASYNC_BASE_URL` or `INFRASYNC_TOKEN`. Copy the token without blanks and line breaks.",
  },
  unauthorized: {
    means: "401: the token is missing, unknown or expired.",
    help: "Set a valid token. Check its scheme with `--token-scheme`: `Token` for API tokens, `Bearer` for JWTs.",
  },
  forbidden: {
    means: "403: the token is valid, but its scope does not allow the request.",
    help: "Use a token with the [scope that the command needs](organizations.md#a-token-for-each).",
  },
  not_found: {
    means: "404: the server has no such resource, or the token does not see its organization.",
    help: "Check the name and `--organization`. Somebody may have deleted the resource.",
  },
  conflict: {
    means:
      "409: another operation, such as a deployment, is in progress on the resource, or the name is taken.",
    help: "Wait for the other operation, then run again.",
  },
  invalid_request: {
    means: "400, 422 or another 4xx: the server does not accept the request.",
    help: "Correct the fields that the server names in its message.",
  },
  rate_limited: {
    means: "429: the server takes no requests for a while, and the run was not allowed to wait longer.",
    help: "Run again later, raise `--quota-patience`, or use `--on-quota wait`.",
  },
  quota: {
    means: "The quota or `--max-requests` has fewer requests left than the run needs.",
    help: "Run again after the reset, use `--on-quota wait`, raise `--max-requests`, or do a part with `--target`. [Budget](budget.md)",
  },
  server_error: {
    means: "408 or 5xx: the server failed, also after several tries.",
    help: "Run again later.",
  },
  unreachable: {
    means: "There was no connection, or no answer in time.",
    help: "Read the reason: host, port, certificate or proxy. [Proxies and certificates](configuration.md#proxies-and-certificates)",
  },
  unexpected_answer: {
    means:
      "The answer does not come from this API: a page of a proxy, a redirect, JSON of another shape, an answer above 64 MiB.",
    help: "Check the base URL, and any proxy on the way.",
  },
  unclear_outcome: {
    means: "The answer to a write was lost, so nobody knows whether the server carried it out.",
    help: "Run again: infrasync looks first, and repeats the write only if it is still missing.",
  },
  interrupted: {
    means: "Ctrl-C, SIGTERM or SIGHUP ended the run. Requests that had begun were finished.",
    help: "Run again: the next run continues.",
  },
  server_failing: {
    means:
      "The server has answered every change for a minute with an error of its own. The run then sends no further change; actions whose request was sent are listed with what is known of them.",
    help: "Look at the state of the API, and run again later: the run continues.",
  },
  standstill: {
    means:
      "The run waited for something that never comes: an error in infrasync or in Node. The report says what was done; changes that had begun are listed as of unknown outcome.",
    help: "Run again: infrasync looks at what is there first. Report it with the command line.",
  },
  incomplete: {
    means:
      "Some actions of the plan failed, were skipped or are not finished. The report lists the result of each.",
    help: "Read the codes of the outcomes below, then run again.",
  },
  deployment: {
    means: "A deployment failed, was cancelled, or was not over when `--wait-timeout` ended.",
    help: "Read `infrasync logs` and the web console, then deploy again.",
  },
  repository: {
    means:
      "`infrasync reconcile` could not read the repository, or not completely: the remote did not answer, the branch or the folder has gone, a file is too large. Nothing was sent.",
    help: "The message says what git said. Check `--repo`, `--branch`, `--path`, the credentials and the network.",
  },
  locked: {
    means:
      "Another `infrasync reconcile` works with the same `--data` folder; the message says which process. Nothing was sent.",
    help: "Wait until it has ended. Do not run `--once` with the folder of a service.",
  },
  held: {
    means:
      "The newest commit drops the one that was applied last (a force push), and its plan deletes. Nothing was sent.",
    help: "Push a commit that follows the applied one, or apply the commit by hand.",
  },
  forge: {
    means:
      "GitHub or GitLab refused a request of `infrasync ci` or of the reconciler, or could not be reached.",
    help: "The message says what it answered, and which right the token lacks.",
  },
  port: {
    means: "The emulator cannot listen on the port: it is in use, or not allowed for this user.",
    help: "Choose another with `--port`; `--port 0` takes a free one.",
  },
  failed: {
    means: "Anything else: a file that cannot be read or written, a full disk, or an error in infrasync.",
    help: "Check the path, its permissions and the disk. If the message says that this should not have happened, report it with the command line.",
  },
} as const satisfies Record<string, Explained>;

export type ErrorCode = keyof typeof errorCodes;

/** Of mistakes in manifests, settings and arguments, and of reasons that forbid a plan: `code` of a problem. */
export const problemCodes = {
  unreadable: {
    means:
      "A file or folder cannot be read: it does not exist, belongs to somebody else, is too large, is no UTF-8 text, or is a link that leaves the folder.",
    help: "Correct the path or the permissions.",
  },
  unwritable: {
    means: "A file cannot be written: the folder is missing or not writable, or another file stands there.",
    help: "Choose another path, or delete the file that is in the way.",
  },
  nothing_found: {
    means: "The files and folders contain no manifests, or the organization has nothing to dump.",
    help: "Name a folder with `.yaml` files. Use `destroy` to delete everything.",
  },
  syntax: {
    means: "The text is not valid YAML, or exceeds a limit, such as 100 levels of nesting.",
    help: "Correct the line that the problem names.",
  },
  variable: {
    means: "`${NAME}` has no value, a variable file has a mistake, or nothing uses a `--var`.",
    help: "Set the [variable](overlays.md#variables), or write `$${NAME}` for the text itself.",
  },
  invalid: {
    means: "A document has an unknown, missing or wrong member.",
    help: "Follow the advice. [Manifests](manifests.md) lists all fields.",
  },
  omitted: {
    means: "The file has more than a hundred problems. The rest is only counted.",
    help: "Correct those that are shown, and run again.",
  },
  duplicate: {
    means: "Two documents describe the same resource, or state the same defaults.",
    help: "Join the two documents, or remove one.",
  },
  overlay: {
    means: "An [overlay](overlays.md) removes a resource that no manifest describes, or changes its kind.",
    help: "Correct the name, or the order of the sources.",
  },
  circle: {
    means: "Documents depend on each other in a circle, for example clones of each other.",
    help: "Remove `clone` from one of them.",
  },
  rename: {
    means: "`manage.renamed_from` names a resource that has a document of its own.",
    help: "Remove `renamed_from`, or the other document.",
  },
  argument: {
    means: "An argument or the value of a flag is wrong.",
    help: "Follow the advice, or see `infrasync COMMAND --help`.",
  },
  setting: {
    means: "A setting is missing or wrong, or its file may not set it or is not trusted.",
    help: "Correct it: [configuration](configuration.md).",
  },
  pattern: {
    means: "A pattern of `--target`, `--allow-replace` or `protect` cannot match any resource.",
    help: "Write it like an address: `job:shop/staging/nightly-*`.",
  },
  target: {
    means:
      "A `--target` matches nothing that a document describes, or the argument of a deployment command matches nothing that can be deployed.",
    help: "Correct the target.",
  },
  confirmation: {
    means:
      "The command cannot ask for confirmation: there is no terminal, or standard input contains the manifests.",
    help: "Read the plan first, then add `--yes`.",
  },
  organization: {
    means: "The organization does not exist, or the token sees several and none is chosen.",
    help: "Set `--organization` to one of the names in the advice.",
  },
  not_found: {
    means: "The resource that the command names does not exist.",
    help: "Correct the name.",
  },
  exists: {
    means: "The clone, or the file to write, exists already.",
    help: "Choose another name, or `--update` for a clone.",
  },
  missing_parent: {
    means: "The parent of the resource does not exist, and no document describes it.",
    help: "Correct the name, or add a document for the parent.",
  },
  missing_source: {
    means: "The source of the clone does not exist, and no document describes it.",
    help: "Correct `clone.from`.",
  },
  unknown_id: {
    means: "No resource of that kind and parent has the id in `manage.id`.",
    help: "Correct the id, or remove it.",
  },
  reference: {
    means: "A name, such as that of a registry, stands for nothing on the server, or for two things.",
    help: "Correct the name, or write the id.",
  },
  secret: {
    means:
      "The value of a secret that is to be written cannot be had: its source is missing, not allowed, empty, no text, or infrasync's own.",
    help: "Make the [source](variables.md#secrets) available to the run: set the environment variable, correct the file or the key, allow the variable with `--allow-env`, or commands with `--allow-commands`. If the secret is to be empty, state `allow_empty: true`.",
  },
  twins: {
    means: "The server has two resources with that name.",
    help: "Delete or rename one, or state `manage.id`.",
  },
  rewritten_name: {
    means: "The server has the resource under another spelling of its name.",
    help: "Write that name into the document, or state `manage.id`.",
  },
  perhaps_renamed: {
    means:
      "The resource does not exist, but one that no document describes looks like it under another name.",
    help: "Say [which one is meant](change-safely.md#renamed-by-hand): `manage.renamed_from`, `manage.id`, or `manage.beside` for a new one.",
  },
  impossible: {
    means: "The API cannot make the change, or a command does not support that kind of resource.",
    help: "Follow the advice.",
  },
  replacement: {
    means: "The change needs a replacement: the resource is deleted and created again.",
    help: "Undo the change, or [allow the replacement](change-safely.md).",
  },
  loss: {
    means:
      "The change takes data or secrets that nobody can restore: a volume, a part of the storage, a secret in a field.",
    help: "Undo the change, or [allow it](change-safely.md#changes-that-lose-data).",
  },
  infrastructure: {
    means:
      "The plan would create, change or delete a cluster, which costs money or takes down what runs on it.",
    help: "Agree with `--allow-infrastructure` and `--confirm NAME`, or undo the change.",
  },
  in_use: {
    means:
      "The plan would delete a registry, a repository, a token, a group, credentials or a cluster to which other resources refer.",
    help: "Let them refer to another one first, or keep it.",
  },
  protected: {
    means: "The plan would delete or replace a protected resource.",
    help: "Undo the change, or remove the protection first.",
  },
  contents: {
    means: "Resources that no document describes would be deleted with their parent.",
    help: "Describe them, move them, or agree: `--prune` and `manage.prune`.",
  },
  described_contents: {
    means:
      "Resources that documents describe, and that this run leaves out, would be deleted with their parent.",
    help: "Leave the parent out, or take its contents into the run with `--target`.",
  },
  too_many: {
    means: "The plan would delete or replace more than the caps allow.",
    help: "Do less at once, or raise `--max-deletes`.",
  },
  saved_plan: {
    means:
      "The plan file cannot be used: it is no saved plan, was edited, was applied before, is of another version, or is for another server or organization.",
    help: "Make the plan again.",
  },
  stale: {
    means: "A resource that the saved plan changes has changed since.",
    help: "Make the plan again, and have it approved again.",
  },
} as const satisfies Record<string, Explained>;

/** What is wrong, for programs: `missing_parent`. */
export type ProblemCode = keyof typeof problemCodes;

/** Of the failure of a single action: `code` of an outcome. */
export const outcomeCodes = {
  changed: {
    means: "The resource has changed since the plan, or contains something new. infrasync left it as it is.",
    help: "Plan again, and read the new plan.",
  },
  gone: {
    means: "The resource has disappeared since the plan.",
    help: "Plan again.",
  },
  missing_part: {
    means: "A variable refers to another one that has disappeared since the plan.",
    help: "Plan again, or state the other variable too.",
  },
  no_secrets: {
    means:
      "A program that uses the library has applied a plan with secrets, without a source for their values.",
    help: "Give the run a reader of secrets.",
  },
  exists: {
    means: "Since the plan, somebody has created a resource with that name.",
    help: "Plan again: infrasync compares your document with that resource.",
  },
  deployment: {
    means: "The service was deployed, and the deployment failed or was cancelled. The message has its state.",
    help: "Read `infrasync logs` and the web console, then deploy again.",
  },
  busy: {
    means: "Another operation was in progress on the resource for as long as infrasync waits.",
    help: "Wait for the operation, then run again. `--clone-timeout` sets the time for clones.",
  },
  server_failing: {
    means:
      "The server answered the changes of several resources with errors of its own, so the run sent no further ones.",
    help: "Run again when the server works: it continues.",
  },
  unclear: {
    means: "The answer to a creation or a clone was lost, and looking for the result did not help.",
    help: "Run again: infrasync finds the resource if it was created.",
  },
  pending: {
    means: "The server accepted the request, and the result did not appear in time.",
    help: "Run again: the next run continues with it.",
  },
  twins: {
    means: "The server has two resources with that name.",
    help: "Delete one in the web console, or state `manage.id` in the document.",
  },
  duplicated: {
    means:
      "The server carried out a creation twice, because the answer to the first request was lost. The message has both ids.",
    help: "Delete one of the two in the web console.",
  },
  renamed: {
    means: "The server created the resource under another name. The message has that name and its id.",
    help: "Write that name into the document, or state `manage.id`.",
  },
  value_lost: {
    means:
      "A token was created, and its value is lost: the answer with the value did not arrive, or the file could not be written. The API shows a value only once. The message has the id.",
    help: "Delete the token (`infrasync destroy --target apitoken:NAME`), and apply again: that creates another one. Pulumi replaces it with the next `pulumi up`.",
  },
  lost: {
    means: "A replacement deleted the resource, and could not create it again. The report has its manifest.",
    help: "Apply that manifest. Set its variables, secrets and domains again.",
  },
} as const satisfies Record<string, Explained>;

export type OutcomeCode = keyof typeof outcomeCodes;

/** Of notes of a plan. */
export const noteCodes = {
  undescribed_resources: {
    means:
      "No document describes the resources in `resources`, or what the resource in `address` contains; they stay as they are.",
  },
  unstated_parts: {
    means:
      "The resource has variables or secrets that its document does not state although `manage.exclusive` lists them; without `--prune` they stay.",
  },
  unstated_field: { means: "With `--strict`: a field that no document states differs from its default." },
  values_not_compared: {
    means: "The values of secrets cannot be read back, so the plan does not compare them.",
  },
  shadowed: {
    means:
      "The document states a variable of a name that the platform uses: the service sees the value of the document.",
  },
  credential: {
    means: "The value of a variable looks like a credential, and a variable can be read by everyone.",
  },
  unmanaged_service: {
    means: "infrasync does not manage services of this type; a prune leaves it as it is.",
  },
  never_deleted: { means: "The organization is never deleted." },
  nothing_to_prune: { means: "`--prune` has no effect, because no document states `manage.prune`." },
  protected: { means: "A prune leaves the resource as it is, because it is protected." },
  not_renamed: { means: "`manage.renamed_from` names no resource, so the plan creates the resource." },
  old_name_exists: { means: "`manage.renamed_from` has no effect: resources of both names exist." },
  not_followed: {
    means:
      "The resource follows its source (`clone.follow`) and lacks a secret of it: nobody can read the value there.",
  },
  expires: {
    means: "When the resource ends (`clone.expires_after`): a run with `--prune` deletes it after that.",
  },
  exists: { means: "`infrasync clone` clones nothing, because the resource exists." },
} as const satisfies Record<string, Pick<Explained, "means">>;

export type NoteCode = keyof typeof noteCodes;

/** Of remarks on an action that is done, with their words in a report. */
export const remarkCodes = {
  already_as_planned: { means: "The resource was as planned already.", words: "already as planned" },
  created_by_another: {
    means: "Somebody else has created the resource since the plan was made.",
    words: "created by somebody else since the plan was made",
  },
  deleted_by_another: {
    means: "Somebody else has deleted the resource since the plan was made.",
    words: "deleted by somebody else since the plan was made",
  },
  came_with_clone: {
    means: "The clone of its parent has created the resource.",
    words: "created by the clone of its parent",
  },
  adopted: {
    means: "An answer did not say whether the resource was created; infrasync has found it, and uses it.",
    words: "adopted after an unclear answer",
  },
  fields_changed: {
    means: "The resource differed from the plan, and this run has changed it.",
    words: "this run has changed the fields that differed",
  },
} as const satisfies Record<string, Pick<Explained, "means"> & { words: string }>;

export type RemarkCode = keyof typeof remarkCodes;

/** The codes of a table, in its order. */
export function codesOf<Code extends string>(table: Record<Code, unknown>): Code[] {
  return Object.keys(table) as Code[];
}
