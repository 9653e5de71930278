import {
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  UnauthorizedError,
} from "./errors.ts";
import type { ApiError, Failed } from "./errors.ts";

/** How an answer with a status of 4xx is reported: its error class, and the message without the text of the server. */
export interface Refusal {
  errorClass: new (message: string, failed: Failed) => ApiError;
  what: string;
  advice: string;
}

/** How to report a refusal by the server. */
export function refusalOf(status: number): Refusal {
  return refusals[status] ?? { errorClass: InvalidRequestError, ...invalid };
}

const invalid = {
  what: "the server does not accept the request",
  advice: "correct what it names",
};

const refusals: Record<number, Refusal> = {
  401: {
    errorClass: UnauthorizedError,
    what: "the token is missing, unknown or expired",
    advice: "check the token, and whether its scheme is Token or Bearer",
  },
  403: {
    errorClass: ForbiddenError,
    what: "the token may not do this",
    advice: "use one whose scope (Read, Write, Deploy, Admin) allows it",
  },
  404: {
    errorClass: NotFoundError,
    what: "no such resource",
    advice: "it may have been deleted, or belong to an organization that the token cannot access",
  },
  409: {
    errorClass: ConflictError,
    what: "another operation is in progress, or the name is taken",
    advice: "check the resource, then try again",
  },
};
