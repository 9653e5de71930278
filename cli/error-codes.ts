import type { ApiError, ClientSettingsError } from "../core/api/errors.ts";
import type { OperationError } from "../core/steps/index.ts";
import type { InvalidInputError } from "../core/problem.ts";

/** What a whole run fails with, for programs: `error.code` in the JSON document. */
export const errorCodes = {
  usage: "The command line is wrong.",
  invalid_input: "Manifests, settings or arguments are wrong; `problems` has what and where.",
  stale_plan: "What a saved plan touches has changed since it was made.",
  consent:
    "A consent is missing: for a replacement, a number of deletions or what is protected, or `--yes` where nobody can be asked.",
  declined: "The answer to the question was not yes.",
  client_settings: "The base URL or the token cannot be used.",
  unauthorized: "401: the token is missing, unknown or expired.",
  forbidden: "403: the token lacks the permission.",
  not_found: "404: no such resource.",
  conflict: "409: another operation is in progress, or the name is taken.",
  invalid_request: "400, 422 and the like: the server does not accept the request.",
  rate_limited: "429, where waiting is not wanted.",
  quota: "Not enough is left of the request quota or of `--max-requests`.",
  server_error: "408 or 5xx.",
  unreachable: "No connection, or no answer in time.",
  unexpected_answer: "An answer that the API does not give, such as a page of a proxy.",
  unclear_outcome: "A write that may or may not have been carried out.",
  interrupted: "Ctrl-C, SIGTERM or SIGHUP has ended the run.",
  incomplete: "Not everything that was planned could be done; the report says what.",
  port: "The emulator cannot have the port.",
  failed: "Anything else.",
} as const satisfies Record<string, string> &
  Record<(ApiError | ClientSettingsError | InvalidInputError)["code"], string>;

export type ErrorCode = keyof typeof errorCodes;

/** What a single action fails with beside those: `code` of an outcome. */
export const outcomeCodes = {
  changed: "What is live is no longer what the plan started from; it has been left alone.",
  gone: "It has disappeared since the plan.",
  exists: "Another has made one of that name since the plan.",
  busy: "Another operation was in progress on it for as long as the time limit allows.",
  unclear: "It may or may not have been made.",
  pending: "It has been asked for, and could not be read completely within the time limit.",
  twins: "The API holds two of that name.",
  duplicated:
    "This run has made it twice, as an answer did not say whether it was made; the message has the ids.",
  renamed: "The server has made it under another name; the message has that name and the id.",
  lost: "It was deleted to be replaced, and could not be made again; `manifest` makes it again.",
} as const satisfies Record<OperationError["code"], string>;
