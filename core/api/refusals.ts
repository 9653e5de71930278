import {
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  LastingConflictError,
  NotFoundError,
  UnauthorizedError,
  type ApiError,
  type RequestFailure,
} from "./errors.ts";

/** A 4xx answer: its error class, and the message without the text of the server. */
export interface RefusedAnswer {
  errorClass: new (message: string, failed: RequestFailure) => ApiError;
  what: string;
  advice: string;
}

/** @param words the text of the server */
export function refusalOf(status: number, words: string): RefusedAnswer {
  const refusal = refusals[status] ?? { errorClass: InvalidRequestError, ...invalid };
  return refusal.errorClass === ConflictError && isLasting(words) ? lasting : refusal;
}

const lastingReason =
  /\b(?:in use|used by|referenced by|referred to by|attached to|belongs to another|depends? on|locked by|only owner|last owner)\b|\bcannot be (?:deleted|removed)\b/i;
const passingReason = /\b(?:in progress|ongoing|try again|retry|another operation|(?:is|are) being)\b/i;

/** Whether the server gives a lasting reason. An unclear reason may pass. */
function isLasting(words: string): boolean {
  return lastingReason.test(words) && !passingReason.test(words);
}

const lasting: RefusedAnswer = {
  errorClass: LastingConflictError,
  what: "the server refuses the request, and another try will not help",
  advice: "resolve the reported conflict first",
};

const invalid = { what: "the server does not accept the request", advice: "correct the reported mistake" };

const busy = {
  errorClass: ConflictError,
  what: "another operation is in progress",
  advice: "check the resource, then try again",
};

const refusals: Record<number, RefusedAnswer> = {
  401: {
    errorClass: UnauthorizedError,
    what: "the token is missing, unknown or expired",
    advice: "check the token, and whether its scheme is Token or Bearer",
  },
  403: {
    errorClass: ForbiddenError,
    what: "the token may not do this",
    advice: "use a token whose scope (Read, Write, Deploy, Admin) allows it",
  },
  404: {
    errorClass: NotFoundError,
    what: "no such resource",
    advice: "it may have been deleted, or belong to an organization that the token cannot access",
  },
  409: { ...busy, what: "another operation is in progress, or the name is taken" },
  423: busy,
  425: busy,
};
