import type { ApiError, ClientSettingsError } from "../core/api/errors.ts";
import type { OperationError } from "../core/steps/index.ts";
import type { InvalidInputError } from "../core/problem.ts";

/** Codes for the failure of a whole run: `error.code` in the JSON document. */
export const errorCodes = {
  usage: "The command line is wrong.",
  invalid_input: "Manifests, settings or arguments are wrong; `problems` lists each mistake with its place.",
  stale_plan: "A resource of a saved plan has changed since the plan was made.",
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
  incomplete: "Not all planned changes could be made; the report lists the rest.",
  deployment: "A deployment failed, was cancelled, or was not over when `--wait-timeout` ended.",
  port: "The emulator cannot listen on the port.",
  failed: "Any other failure.",
} as const satisfies Record<string, string> &
  Record<(ApiError | ClientSettingsError | InvalidInputError)["code"], string>;

export type ErrorCode = keyof typeof errorCodes;

/** Further codes for the failure of a single action: `code` of an outcome. */
export const outcomeCodes = {
  changed: "The resource has changed since the plan was made, so it was left unchanged.",
  gone: "The resource has disappeared since the plan was made.",
  exists: "Someone else has created a resource with that name since the plan was made.",
  busy: "Another operation on the resource was still in progress when the time limit ended.",
  unclear: "It is unknown whether the resource was created.",
  pending: "The resource was requested, but was not complete when the time limit ended.",
  twins: "The API has two resources with that name.",
  duplicated:
    "This run created the resource twice, because an answer did not say whether the first try had worked; the message has the ids.",
  renamed: "The server created the resource under another name; the message has that name and the id.",
  lost: "The resource was deleted to be replaced, and could not be created again; `manifest` creates it again.",
} as const satisfies Record<OperationError["code"], string>;
