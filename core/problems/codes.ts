// Every code that programs can rely on, with its meaning, in Markdown whose links are those of a page in docs/reference/. Pages, schemas and
// types of errors follow from these tables. What to do about a code, each front end says in its own words.

/** Codes of the failure of a whole run: `error.code` in the JSON document. */
export const errorCodes = {
  usage: "The command line is wrong: an unknown command or flag, a flag without its value.",
  invalid_input: "Manifests, settings or arguments have mistakes. Nothing was sent that changes anything.",
  stale_plan: "A saved plan no longer fits: a resource that it changes has changed since.",
  not_approved:
    "The plan would delete or replace something without an approval, something protected, or more than the cap allows; or it was not confirmed, and there is no terminal for the question.",
  declined: "The answer to the confirmation was not yes. Nothing was changed.",
  client_settings:
    "The base URL or the token cannot be used: no URL of http or https, plain `http` to another machine, an empty token, a token with a blank or a line break.",
  unauthorized: "401: the token is missing, unknown or expired.",
  forbidden: "403: the token is valid, but its scope does not allow the request.",
  not_found: "404: the server has no such resource, or the token does not see its organization.",
  conflict:
    "409: another operation, such as a deployment, is in progress on the resource, or the name is taken.",
  invalid_request: "400, 422 or another 4xx: the server does not accept the request.",
  rate_limited: "429: the server takes no requests for a while, and the run was not allowed to wait longer.",
  quota: "The quota, or the cap of requests of the run, has fewer requests left than the run needs.",
  server_error: "408 or 5xx: the server failed, also after several tries.",
  unreachable: "There was no connection, or no answer in time.",
  unexpected_answer:
    "The answer does not come from this API: a page of a proxy, a redirect, JSON of another shape, an answer above 64 MiB.",
  unclear_outcome: "The answer to a write was lost, so its result is unknown.",
  interrupted: "Ctrl-C, SIGTERM or SIGHUP ended the run. Requests under way were finished.",
  server_failing:
    "For a minute the server has answered every change with a server error (5xx), or not at all. The run then sends no further change; it lists the actions whose request was sent, with their known results.",
  standstill:
    "The run waited for an event that never happens: an error in infrasync or in Node. The report lists the results; changes in progress have an unknown outcome.",
  incomplete:
    "Some actions of the plan failed, were skipped or are not finished. The report lists the result of each.",
  deployment: "A deployment failed, was cancelled, or was still running when the time to wait for it ended.",
  repository:
    "The reconciler could not read the repository, or not all of it: the remote did not answer, the branch or the folder has gone, a file is too large. Nothing was sent.",
  locked:
    "Another reconciler works with the same data folder; the message says which process. Nothing was sent.",
  held: "A force push dropped the last applied commit, and the plan of the new one deletes. Nothing was sent.",
  git_host: "GitHub or GitLab refused a request of a CI job or of the reconciler, or could not be reached.",
  port: "The emulator cannot listen on the port: it is in use, or not allowed for this user.",
  failed: "Anything else: a file that cannot be read or written, a full disk, or an error in infrasync.",
} as const satisfies Record<string, string>;

/** `quota`, `unauthorized`: see `errorCodes`. */
export type ErrorCode = keyof typeof errorCodes;

/** Codes of mistakes in manifests, settings and arguments, and of reasons that forbid a plan: `code` of a problem. */
export const problemCodes = {
  unreadable:
    "A file or folder cannot be read: it does not exist, belongs to somebody else, is too large, is not UTF-8 text, or is a link that leaves the folder.",
  unwritable:
    "A file cannot be written: the folder is missing or not writable, or a file of another kind is in its place.",
  nothing_found: "The files and folders contain no manifests, or the organization has nothing to dump.",
  syntax: "The text is not valid YAML, or exceeds a limit, such as 100 levels of nesting.",
  variable:
    "`${NAME}` has no value, a variable file has a mistake, or no manifest uses a variable of the run.",
  invalid: "A document has an unknown, missing or wrong member.",
  omitted: "The file has more than a hundred problems. The rest is only counted.",
  duplicate: "Two documents declare the same resource, or declare the same defaults.",
  overlay:
    "An [overlay](../guides/overlays.md) removes a resource that no manifest declares, or changes its kind.",
  circle: "Documents depend on each other in a circle, for example clones of each other.",
  rename: "`manage.renamed_from` names a resource that has a document of its own.",
  argument: "An argument, or the value of an option, is wrong.",
  setting: "A setting is missing or wrong, or its file may not set it or is not trusted.",
  pattern: "A pattern of targets, of approvals or of protection cannot match any resource.",
  target:
    "A target matches nothing that a document declares, an approval nothing that is declared or live, or the argument of a deployment command matches nothing that can be deployed.",
  confirmation:
    "The command cannot ask for confirmation: there is no terminal, or standard input contains the manifests.",
  requests: "The run needs more requests than it may send, and lacks approvals as well.",
  organization: "The organization does not exist, or the token sees several and none is chosen.",
  not_found: "The resource that the command names does not exist.",
  exists: "The clone, or the file to write, exists already.",
  missing_parent: "The parent of the resource does not exist, and no document declares it.",
  missing_source: "The source of the clone does not exist, and no document declares it.",
  unknown_id: "No resource of that kind and parent has the id in `manage.id`.",
  reference: "A name, such as the name of a registry, matches nothing on the server, or two things.",
  secret:
    "The value of a secret is not available: its source is missing, not allowed, empty, no text, or infrasync's own.",
  twins: "The server has two resources with that name.",
  rewritten_name: "The server has the resource under another spelling of its name.",
  perhaps_renamed: "The resource does not exist, and a similar unmanaged resource has another name.",
  impossible:
    "The API cannot make the change, or the resource has nothing that the command needs: no URL, no earlier version, no support for its kind.",
  replacement: "The change needs a replacement: the resource is deleted and created again.",
  loss: "The change deletes data or secrets that cannot be restored: a volume, a part of the storage, a secret in a field.",
  infrastructure:
    "The plan would create, change or delete a cluster, which costs money or takes down what runs on it.",
  policy: "A [policy](../guides/policies.md) of the settings denies the change, or requires an approval.",
  in_use:
    "The plan would delete a registry, a repository, a token, a group, credentials or a cluster to which other resources refer.",
  protected: "The plan would delete or replace a protected resource.",
  suspended: "The plan would change something where changes are suspended.",
  owner: "The plan would prune a resource that these documents have never declared.",
  cause: "The rules do not permit the change now, because of its cause: the commit, or drift.",
  contents: "Resources that no document declares would be deleted with their parent.",
  declared_contents:
    "Resources that documents declare, and that this run leaves out, would be deleted with their parent.",
  too_many: "The plan would delete or replace more than the caps allow.",
  saved_plan:
    "The plan file cannot be used: it is not a saved plan, was edited, was applied before, is of another version, or is for another server or organization.",
  stale: "A resource that the saved plan changes has changed since.",
} as const satisfies Record<string, string>;

/** The sort of a problem, for programs: `missing_parent`. */
export type ProblemCode = keyof typeof problemCodes;

/** Codes of the failure of a single action: `code` of an outcome. */
export const outcomeCodes = {
  changed:
    "The resource has changed since the plan, or contains something new. infrasync has not changed it.",
  gone: "The resource has disappeared since the plan.",
  missing_part: "A variable refers to another one that has disappeared since the plan.",
  no_secrets:
    "A program that uses the library has applied a plan with secrets, without a source for their values.",
  exists: "Since the plan, somebody has created a resource with that name.",
  deployment:
    "The service was deployed, and the deployment failed or was cancelled. The message has its state.",
  busy: "Another operation was in progress on the resource for as long as infrasync waits.",
  server_failing:
    "The server answered the changes of several resources with server errors (5xx), so the run sent no further changes.",
  unclear: "The answer to a creation or a clone was lost, and reading the result did not help.",
  pending: "The server accepted the request, and the result did not appear in time.",
  twins: "The server has two resources with that name.",
  duplicated:
    "The server carried out a creation twice, because the answer to the first request was lost. The message has both ids.",
  renamed: "The server created the resource under another name. The message has that name and its id.",
  value_lost:
    "A token was created, and its value is lost: the answer with the value did not arrive, or the file could not be written. The API shows a value only once. The message has the id.",
  lost: "A replacement deleted the resource, and could not create it again. The report has its manifest.",
} as const satisfies Record<string, string>;

export type OutcomeCode = keyof typeof outcomeCodes;

export const noteCodes = {
  unmanaged_resources:
    "No document declares the resources in `resources`, or the contents of the resource in `address`; they stay unchanged.",
  undeclared_parts:
    "The resource has variables or secrets that its document does not declare although `manage.exclusive` lists them; a run that does not prune leaves them, and the reconciler leaves those that its documents have never declared.",
  undeclared_field:
    "Undeclared values are set on the server: a field, a variable, a secret or a custom domain. A strict plan has a note for each.",
  values_not_compared: "The values of secrets cannot be read back, so the plan does not compare them.",
  shadowed:
    "The document declares a variable of a name that the platform uses: the service sees the value of the document.",
  doubtful_value:
    "A value is valid, and probably a mistake: `cpu: 1`, which is a thousandth of a CPU, or a custom domain that another service has.",
  unreadable_secret:
    "An apply would write a secret, and cannot read its value here: its variable is not set, or its file is missing.",
  not_deployed:
    "A service of the documents is stopped or was never deployed, does not run the applied configuration, or its last deployment failed.",
  credential: "The value of a variable looks like a credential, and a variable can be read by everyone.",
  unmanaged_service: "infrasync does not manage services of this type; a prune does not delete it.",
  never_deleted: "The organization is never deleted.",
  nothing_to_prune: "The run may prune, and prunes nothing, because no document declares `manage.prune`.",
  protected: "A prune does not delete the resource, because it is protected.",
  policy: "A [policy](../guides/policies.md) of the settings warns about a change.",
  idle_restriction:
    "A statement of a file restricts nothing: no managed and no live resource matches its pattern, or no manifest uses its variable.",
  not_renamed: "`manage.renamed_from` names no resource, so the plan creates the resource.",
  old_name_exists: "`manage.renamed_from` has no effect: resources of both names exist.",
  left_to_platform: "Documents leave out a member with an undocumented default, such as `auto_deploy`.",
  exists: "The run clones nothing, because the resource exists.",
  deployment_unknown:
    "A run that deploys does not deploy the service: the server does not report whether it needs a deployment.",
} as const satisfies Record<string, string>;

/** Codes of remarks on an action that is done, with their words in a report. */
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
    means: "The resource appeared while its parent was being cloned.",
    words: "appeared while its parent was being cloned",
  },
  adopted: {
    means: "The result of a creation was unknown; infrasync has found the resource, and uses it.",
    words: "adopted after an unclear answer",
  },
  fields_changed: {
    means: "The resource differed from the plan, and this run has changed it.",
    words: "this run has changed the fields that differed",
  },
} as const satisfies Record<string, { means: string; words: string }>;

export type RemarkCode = keyof typeof remarkCodes;

export function codesOf<Code extends string>(table: Record<Code, unknown>): Code[] {
  return Object.keys(table) as Code[];
}
