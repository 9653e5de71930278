import { STATUS_CODES } from "node:http";

/** The error body of the specification. */
export interface ErrorBody {
  status: number;
  error: string;
  message: string;
}

/** An answer other than success; the server turns it into the error body. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** `{status, error, message}` for a status and what is to be said about it. */
export function errorBody(status: number, message: string): ErrorBody {
  return { status, error: STATUS_CODES[status] ?? "Unknown", message };
}

/** 400: what the caller sent is wrong; `field` names the member, as `ports[0].internal_port`. */
export function invalid(field: string, problem: string): HttpError {
  return new HttpError(400, `${field}: ${problem}`);
}

/** 404: nothing of this sort has this id. */
export function notFound(noun: string, id: string): HttpError {
  return new HttpError(404, `there is no ${noun} with id ${id}`);
}

/** 409: the state of the resource does not allow it now. */
export function conflict(message: string): HttpError {
  return new HttpError(409, message);
}
