import { STATUS_CODES } from "node:http";

/** An error response; the server turns it into the error body. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function errorBody(status: number, message: string) {
  return { status, error: STATUS_CODES[status] ?? "Unknown", message };
}

/** 400: the request is invalid; `field` is the path of the member, such as `ports[0].internal_port`. */
export function invalid(field: string, problem: string): HttpError {
  return new HttpError(400, `${field}: ${problem}`);
}

/** 404: no resource of this type has this id. */
export function notFound(noun: string, id: string): HttpError {
  return new HttpError(404, `there is no ${noun} with id ${id}`);
}

/** 409: the current state of the resource does not allow the request. */
export function conflict(message: string): HttpError {
  return new HttpError(409, message);
}
