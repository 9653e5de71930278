import { randomUUID } from "node:crypto";
import { validateHeaderName, validateHeaderValue } from "node:http";
import { Type, type Static } from "typebox";
import { LONGEST_WAIT } from "../world/clock.ts";
import { HttpError, invalid } from "../world/errors.ts";
import { oneOf } from "../bodies/common.ts";

// The parts of a pattern: a character, `*` and `**`.
const SOME = Symbol("one or more characters of one part of a path");
const ANY = Symbol("any characters");

type Token = string | typeof SOME | typeof ANY;

/** Compiles a path pattern: `*` and `{name}` are one part of a path, `**` any; its time is linear in both lengths. */
function pathPattern(pattern: string): (path: string) => boolean {
  const tokens = tokensOf(pattern);
  const literal = tokens.findIndex((token) => typeof token === "symbol");
  const start = literal === -1 ? pattern : pattern.slice(0, literal);
  return (path) => {
    if (literal === -1) return path === pattern;
    return path.startsWith(start) && matches(tokens.slice(literal), path.slice(literal));
  };
}

function tokensOf(pattern: string): Token[] {
  const stars = pattern.replaceAll(/\{[^{}/]*\}/g, "*");
  return (stars.match(/\*+|[^*]/g) ?? []).map((part) => {
    if (part === "*") return SOME;
    return part.startsWith("*") ? ANY : part;
  });
}

/** @param reached the positions in the pattern at which the rest of the path may continue */
function matches(tokens: Token[], path: string): boolean {
  let reached = new Set<number>();
  reach(tokens, reached, 0);
  for (const character of path.split("")) {
    const following = new Set<number>();
    for (const position of reached) {
      const token = tokens[position];
      if (token === ANY) reach(tokens, following, position);
      else if (token === SOME && character !== "/") {
        following.add(position);
        reach(tokens, following, position + 1);
      } else if (token === character) reach(tokens, following, position + 1);
    }
    if (following.size === 0) return false;
    reached = following;
  }
  return reached.has(tokens.length);
}

function reach(tokens: Token[], reached: Set<number>, position: number): void {
  reached.add(position);
  if (tokens[position] === ANY) reach(tokens, reached, position + 1);
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

const FaultRequest = Type.Object(members, { additionalProperties: false });

export type FaultRequest = Static<typeof FaultRequest>;

export const FaultList = Type.Array(FaultRequest);

export interface Fault extends FaultRequest {
  id: string;
  matches: number;
  hits: number;
}

/** The active faults; the first matching one applies to a request. */
export class Faults {
  #faults: { fault: Fault; fits: (path: string) => boolean; characters: number }[] = [];

  /** Adds a fault; throws 400 for headers that cannot be sent and for too many faults. */
  add(requests: FaultRequest[]): Fault[] {
    for (const [index, { headers = {} }] of requests.entries()) checkHeaders(`[${index}].headers`, headers);
    const added = requests.map((request) => ({
      fault: { id: randomUUID(), ...request, matches: 0, hits: 0 },
      fits: pathPattern(request.path ?? "/**"),
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
    for (const { fault, fits } of this.#faults) {
      if (fault.method && fault.method.toUpperCase() !== method) continue;
      if (!fits(path)) continue;
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
