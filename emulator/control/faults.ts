import { randomUUID } from "node:crypto";
import { validateHeaderName, validateHeaderValue } from "node:http";
import { RE2JS } from "re2js";
import { Type, type Static } from "typebox";
import { LONGEST_WAIT } from "../world/clock.ts";
import { HttpError, invalid } from "../world/errors.ts";
import { closedObject, oneOf } from "../bodies/common.ts";

/** Compiles a path pattern: `*` and `{name}` are one part of a path, `**` any; its time is linear in both lengths. */
function pathPattern(pattern: string): RE2JS {
  const parts = pattern.replaceAll(/\{[^{}/]*\}/g, "*").split(/(\*+)/);
  const sources = parts.map((part) => {
    if (part === "*") return "[^/]+";
    return part.startsWith("*") ? ".*" : RE2JS.quote(part);
  });
  return RE2JS.compile(sources.join(""), RE2JS.DOTALL);
}

// Bounds the number of faults, because a fault stays until it is deleted and every request is compared with each fault.
const MOST_FAULTS = 1_000;
const MOST_CHARACTERS = 10 * 1024 * 1024;

const count = Type.Optional(Type.Integer({ minimum: 0 }));

const members = {
  method: Type.Optional(Type.String({ minLength: 1 })),
  path: Type.Optional(Type.String({ pattern: "^/", maxLength: 1_000 })),
  after: count,
  times: Type.Optional(Type.Integer({ minimum: 1 })),
  status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  body: Type.Optional(Type.Unknown()),
  delay_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: LONGEST_WAIT })),
  truncate: count,
  drop: Type.Optional(oneOf("before", "after")),
  carry_out: Type.Optional(Type.Boolean()),
  fail_deployment: Type.Optional(Type.Union([Type.Boolean(), Type.String({ minLength: 1 })])),
  events: Type.Optional(oneOf("missing", "late", "reordered", "equal", "twice", "single")),
};

const FaultRequest = closedObject(members);

export type FaultRequest = Static<typeof FaultRequest>;

export const FaultList = Type.Array(FaultRequest);

export interface Fault extends FaultRequest {
  id: string;
  matches: number;
  hits: number;
}

/** The active faults; the first matching one applies to a request. */
export class Faults {
  #faults: { fault: Fault; pattern: RE2JS; characters: number }[] = [];

  /** Adds a fault; throws 400 for headers that cannot be sent and for too many faults. */
  add(requests: FaultRequest[]): Fault[] {
    for (const [index, { headers = {} }] of requests.entries()) checkHeaders(`[${index}].headers`, headers);
    const added = requests.map((request) => ({
      fault: { id: randomUUID(), ...request, matches: 0, hits: 0 },
      pattern: pathPattern(request.path ?? "/**"),
      characters: JSON.stringify(request).length,
    }));
    const all = [...this.#faults, ...added];
    const characters = all.reduce((sum, fault) => sum + fault.characters, 0);
    if (all.length > MOST_FAULTS || characters > MOST_CHARACTERS) {
      const limits = `${MOST_FAULTS} faults and ${MOST_CHARACTERS} characters are kept`;
      throw new HttpError(400, `at most ${limits}; DELETE /_emulator/faults removes the existing faults`);
    }
    this.#faults.push(...added);
    return added.map(({ fault }) => fault);
  }

  list(): Fault[] {
    return this.#faults.map(({ fault }) => fault);
  }

  clear(): void {
    this.#faults = [];
  }

  /** Counts a request, and returns the fault that applies to it. `path` has no query. */
  take(method: string, path: string): Fault | undefined {
    for (const { fault, pattern } of this.#faults) {
      if (fault.method && fault.method.toUpperCase() !== method) continue;
      if (!pattern.testExact(path)) continue;
      fault.matches += 1;
      if (fault.matches <= (fault.after ?? 0) || fault.hits >= (fault.times ?? Infinity)) continue;
      fault.hits += 1;
      return fault;
    }
    return undefined;
  }
}

export function answers(fault: Fault): boolean {
  return fault.status !== undefined || fault.body !== undefined;
}

function checkHeaders(place: string, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw invalid(`${place}.${name}`, "is not a header that HTTP can carry");
    }
  }
}
