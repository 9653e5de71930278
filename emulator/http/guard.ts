import type { FastifyRequest } from "fastify";
import { HttpError } from "../world/errors.ts";

// A web page in a browser can send requests to any port of the machine. These rules refuse them: requests to a host
// name that a page points at 127.0.0.1 (DNS rebinding), requests from another origin, and requests to the control
// surface, which needs no token, without a header that browsers send only after a CORS preflight, which always fails.

/** The header that requests to the control surface need. */
export const CONTROL_HEADER = "X-Emulator-Control";

/** Throws 403 for a request to a host name of another machine, or from a page of another origin. */
export function refuseForeign({ headers }: FastifyRequest): void {
  const { host, origin } = headers;
  if (host !== undefined && !isLoopback(host)) {
    throw new HttpError(403, `the Host ${shown(host)} is not this machine; use 127.0.0.1 or localhost`);
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new HttpError(403, `web pages of the origin ${shown(origin)} may not use the emulator`);
  }
}

/** Throws 403 for a request to the control surface that a web page could have sent. */
export function requireControlHeader({ headers }: FastifyRequest): void {
  if (headers[CONTROL_HEADER.toLowerCase()] === "1") return;
  throw new HttpError(403, `the control surface needs the header ${CONTROL_HEADER}: 1`);
}

function isLoopback(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, "").toLowerCase();
  return /^(?:(?:[a-z0-9-]{1,63}\.){0,8}localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(name);
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}
