import type { FastifyRequest } from "fastify";
import { HttpError } from "./errors.ts";

// A web page that somebody has open can send requests to any port of their machine. These rules keep it out: under a
// name of its own that it points at 127.0.0.1 (DNS rebinding), from its own origin, and on the control surface, which
// wants no token, by a header that a browser only sends after asking for leave (CORS), which is never given.

/** What a request for the control surface has to carry. */
export const CONTROL_HEADER = "X-Emulator-Control";

/** Throws 403 for a request under a name that is not of this machine, or from a page of another origin. */
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
  throw new HttpError(403, `the control surface wants the header ${CONTROL_HEADER}: 1`);
}

/** True for `localhost`, names below it, 127.0.0.0/8 and `[::1]`, with any port. */
function isLoopback(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, "").toLowerCase();
  return /^(?:(?:[a-z0-9-]{1,63}\.){0,8}localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(name);
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}
