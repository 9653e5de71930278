import type { FastifyInstance } from "fastify";
import { HttpError } from "../world/errors.ts";

/** Largest request body, in bytes. */
export const BODY_LIMIT = 10 * 1024 * 1024;

// More than any body of the API needs. A deeper body could overflow the stack when a response is written as JSON; and
// each value of a body can cause a message.
const DEEPEST = 64;
const MOST_VALUES = 100_000;

const yamlTypes = ["application/x-yaml", "application/yaml", "text/yaml"];

/** Accepts JSON, and YAML as a text where a route asks for it. An empty body is no body, whatever its content type: many clients send one without content. */
export function acceptBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("remove", "remove");
  app.removeAllContentTypeParsers();
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.headers["content-length"] === "0") delete request.headers["content-type"];
    done();
  });
  // A body in chunks is known to be empty only when it is read.
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => {
    if (body === "") done(null, undefined);
    else done(new HttpError(415, "this operation takes JSON"), undefined);
  });
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") {
      done(null, undefined);
      return;
    }
    parse(request, String(body), (error, value) => {
      done(error ?? problemOf(value), value);
    });
  });
  app.addContentTypeParser(yamlTypes, { parseAs: "string" }, (request, body, done) => {
    const isExpected = yamlTypes.includes(request.routeOptions.config.accepts ?? "");
    done(isExpected ? null : new HttpError(415, "this operation takes JSON"), body);
  });
}

/** Checks depth and size of a body level by level. Recursion could overflow the stack. */
function problemOf(body: unknown): HttpError | null {
  let level = [body];
  let count = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length;
    if (depth > DEEPEST) return new HttpError(400, `the body is nested deeper than ${DEEPEST} levels`);
    if (count > MOST_VALUES) return new HttpError(400, `the body has more than ${MOST_VALUES} values`);
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? (Object.values(value) as unknown[]) : [],
    );
  }
  return null;
}
