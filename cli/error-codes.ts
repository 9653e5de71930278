import type { ApiError, ClientSettingsError } from "../core/api/errors.ts";
import type { NoteCode } from "../core/plan/index.ts";
import type { OperationError, RemarkCode } from "../core/operations/index.ts";
import type { InvalidInputError, Problem, ProblemCode } from "../core/problem.ts";

/** Codes for the failure of a whole run: `error.code` in the JSON document. */
export const errorCodes = {
  usage: "The command line is wrong.",
  invalid_input: "Manifests, settings or arguments are wrong; `problems` lists each mistake with its place.",
  stale_plan:
    "A resource of a saved plan has changed since the plan was made, or the plan is not the one that `--expect` names.",
  consent:
    "A consent is missing: for a replacement, for the number of deletions or for a protected resource, or `--yes` where the command cannot ask for confirmation.",
  declined: "A person did not answer the confirmation with yes.",
  client_settings: "The base URL or the token cannot be used.",
  unauthorized: "401: the token is missing, unknown or expired.",
  forbidden: "403: the token lacks the permission.",
  not_found: "404: the resource does not exist.",
  conflict: "409: another operation is in progress, or the name is taken.",
  invalid_request: "400, 422 and the like: the server does not accept the request.",
  rate_limited: "429: too many requests, and the run does not wait.",
  quota: "The request quota or `--max-requests` is too low for the rest of the run.",
  server_error: "408 or 5xx: the server failed.",
  unreachable: "The server could not be reached, or did not answer in time.",
  unexpected_answer: "The answer did not come from the API; it may be the error page of a proxy.",
  unclear_outcome: "It is unknown whether the server carried out a write.",
  interrupted: "Ctrl-C, SIGTERM or SIGHUP ended the run.",
  server_failing:
    "The server answered every change for a minute with an error, so the run sent no further change.",
  standstill: "The run waited for something that never comes, and was ended; the report says what was done.",
  incomplete: "Not all planned changes could be made; the report lists the rest.",
  deployment: "A deployment failed, was cancelled, or was not over when `--wait-timeout` ended.",
  repository: "The repository cannot be read, or not completely; nothing was sent.",
  locked: "Another process works with the data folder of the reconciler; nothing was sent.",
  held: "The newest commit drops the applied one, and its plan deletes; nothing was sent.",
  forge: "GitHub or GitLab refused a request, or could not be reached.",
  port: "The emulator, or the page of the reconciler, cannot listen on its port.",
  failed: "Any other failure.",
} as const satisfies Record<string, string> &
  Record<(ApiError | ClientSettingsError | InvalidInputError)["code"], string>;

export type ErrorCode = keyof typeof errorCodes;

/** A problem of the input, or the failure of a run as a problem. */
export type AnyProblem = Problem<ProblemCode | ErrorCode>;

/** Codes for mistakes in manifests, settings and arguments, and for reasons that forbid a plan: `code` of a problem. */
export const problemMeanings: Record<ProblemCode, string> = {
  unreadable: "A file or folder cannot be read.",
  unwritable: "A file cannot be written.",
  nothing_found: "The files and folders contain no manifests.",
  syntax: "The text is not valid YAML.",
  variable: "A variable is not set or not used, or a variable file has a mistake.",
  invalid: "A document has an unknown, missing or wrong member.",
  omitted: "The file has more problems, which are only counted.",
  duplicate: "Two documents describe the same resource.",
  overlay: "An overlay removes a resource that no manifest describes, or changes its kind.",
  circle: "Documents depend on each other in a circle.",
  rename: "`manage.renamed_from` names a resource that has a document of its own.",
  argument: "An argument or the value of a flag is wrong.",
  setting: "A setting is missing or wrong, or must not be set where it is.",
  pattern: "A pattern cannot match any resource.",
  target: "A target matches nothing that a document describes, or nothing that can be deployed.",
  confirmation: "The command cannot ask for confirmation, and `--yes` is missing.",
  organization: "The organization does not exist, or the token sees several and none is chosen.",
  not_found: "The resource does not exist.",
  exists: "The resource or the file exists already.",
  missing_parent: "The parent of the resource does not exist, and no document describes it.",
  missing_source: "The source of the clone does not exist, and no document describes it.",
  unknown_id: "No resource of that kind has the id in `manage.id`.",
  reference: "A name stands for nothing on the server, or for two things.",
  secret: "The value of a secret that is to be written cannot be read from its source.",
  twins: "The API has two resources with that name.",
  rewritten_name: "The server has the resource under another spelling of its name.",
  perhaps_renamed: "A resource that no document describes may be this one under another name.",
  impossible: "The API cannot make the change.",
  replacement: "The change needs a replacement, which deletes the resource first.",
  loss: "An update would take data or secrets that nobody can restore.",
  infrastructure:
    "A resource that costs money, or that others run on, would be written without the consents that this takes.",
  in_use: "A resource would be deleted that others refer to.",
  protected: "A protected resource would be deleted or replaced.",
  contents: "Resources that no document describes would be deleted with their parent.",
  described_contents:
    "Resources that documents describe, and that this run leaves out, would be deleted with their parent.",
  too_many: "More resources would be deleted or replaced than the caps allow.",
  saved_plan: "The plan file cannot be used.",
  stale: "A resource of the saved plan has changed since the plan was made.",
};

/** `code` of a note of a plan. */
export const noteMeanings: Record<NoteCode, string> = {
  undescribed_resources:
    "No document describes the resources in `resources`, or what the resource in `address` contains; they stay as they are.",
  unstated_parts:
    "The resource has variables or secrets that its document does not state although `manage.exclusive` lists them; without `--prune` they stay.",
  unstated_field: "With `--strict`: a field that no document states differs from its default.",
  values_not_compared: "The values of secrets cannot be read back, so the plan does not compare them.",
  shadowed:
    "The document states a variable of a name that the platform uses: the service sees the value of the document.",
  credential: "The value of a variable looks like a credential, and a variable can be read by everyone.",
  unmanaged_service: "infrasync does not manage services of this type; a prune leaves it as it is.",
  never_deleted: "The organization is never deleted.",
  nothing_to_prune: "`--prune` has no effect, because no document states `manage.prune`.",
  protected: "A prune leaves the resource as it is, because it is protected.",
  not_renamed: "`manage.renamed_from` names no resource, so the plan creates the resource.",
  old_name_exists: "`manage.renamed_from` has no effect: resources of both names exist.",
  not_followed:
    "The resource follows its source (`clone.follow`) and lacks a secret of it: nobody can read the value there.",
  expires: "When the resource ends (`clone.expires_after`): a run with `--prune` deletes it after that.",
  exists: "`infrasync clone` clones nothing, because the resource exists.",
};

/** Codes of remarks on an action that is done. */
export const remarkMeanings: Record<RemarkCode, string> = {
  already_as_planned: "The resource was as planned already.",
  created_by_another: "Somebody else has created the resource since the plan was made.",
  deleted_by_another: "Somebody else has deleted the resource since the plan was made.",
  came_with_clone: "The clone of its parent has created the resource.",
  adopted: "An answer did not say whether the resource was created; infrasync has found it, and uses it.",
  fields_changed: "The resource differed from the plan, and this run has changed it.",
};

/** Further codes for the failure of a single action: `code` of an outcome. */
export const outcomeCodes = {
  changed: "The resource has changed since the plan was made, so it was left unchanged.",
  gone: "The resource has disappeared since the plan was made.",
  missing_part: "A variable refers to another one that does not exist.",
  no_secrets: "The run has no source for the values of secrets.",
  exists: "Someone else has created a resource with that name since the plan was made.",
  deployment: "The service was deployed, and that failed or was cancelled; the message has its state.",
  busy: "Another operation on the resource was still in progress when the time limit ended.",
  server_failing: "The server answered every change for a minute with an error, so this one was not sent.",
  unclear: "It is unknown whether the resource was created.",
  pending: "The resource was requested, but was not complete when the time limit ended.",
  twins: "The API has two resources with that name.",
  duplicated:
    "This run created the resource twice, because an answer did not say whether the first try had worked; the message has the ids.",
  renamed: "The server created the resource under another name; the message has that name and the id.",
  value_lost:
    "The token exists, and its value is lost, because the API shows it only once; delete it, and create another one.",
  lost: "The resource was deleted to be replaced, and could not be created again; `manifest` creates it again.",
} as const satisfies Record<OperationError["code"], string>;
