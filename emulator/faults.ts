import { randomUUID } from "node:crypto";
import { Type } from "typebox";
import type { Static } from "typebox";
import { oneOf } from "./schemas/common.ts";

const count = Type.Optional(Type.Integer({ minimum: 0 }));

const FaultRequest = Type.Object({
  method: Type.Optional(Type.String({ minLength: 1 })),
  path: Type.Optional(Type.String({ pattern: "^/" })),
  after: count,
  times: Type.Optional(Type.Integer({ minimum: 1 })),
  status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  body: Type.Optional(Type.Unknown()),
  delay_ms: count,
  truncate: count,
  drop: Type.Optional(oneOf("before", "after")),
  carry_out: Type.Optional(Type.Boolean()),
  fail_deployment: Type.Optional(Type.Boolean()),
});

/** What a test asks to go wrong, as it is sent to `POST /_emulator/faults`. */
export type FaultRequest = Static<typeof FaultRequest>;

/** Body of `POST /_emulator/faults`. */
export const FaultList = Type.Array(FaultRequest);

/** A fault and how often it has been met. */
export interface Fault extends FaultRequest {
  id: string;
  /** Requests that fitted method and path. */
  matches: number;
  /** Requests that it was done to. */
  hits: number;
}

/** The faults in force; the first that fits a request is done to it. */
export class Faults {
  #faults: { fault: Fault; pattern: RegExp }[] = [];

  add(requests: FaultRequest[]): Fault[] {
    const added = requests.map((request) => ({
      fault: { id: randomUUID(), ...request, matches: 0, hits: 0 },
      pattern: patternOf(request.path ?? "/**"),
    }));
    this.#faults.push(...added);
    return added.map(({ fault }) => fault);
  }

  list(): Fault[] {
    return this.#faults.map(({ fault }) => fault);
  }

  clear(): void {
    this.#faults = [];
  }

  /** The fault to do to a request, counted. `path` is without the query. */
  take(method: string, path: string): Fault | undefined {
    for (const { fault, pattern } of this.#faults) {
      if (fault.method && fault.method.toUpperCase() !== method) continue;
      if (!pattern.test(path)) continue;
      fault.matches += 1;
      if (fault.matches <= (fault.after ?? 0) || fault.hits >= (fault.times ?? Infinity)) continue;
      fault.hits += 1;
      return fault;
    }
    return undefined;
  }
}

/** True when the fault has an answer of its own. */
export function answers(fault: Fault): boolean {
  return fault.status !== undefined || fault.body !== undefined;
}

/** `*` and `{name}` stand for one part of a path, `**` for any number. */
function patternOf(path: string): RegExp {
  const source = path
    .replaceAll(/\{[^}/]*\}/g, "*")
    .replaceAll(/[.+?^$()|[\]\\{}]/g, String.raw`\$&`)
    .replaceAll(/\*+/g, (stars) => (stars.length > 1 ? ".*" : "[^/]+"));
  return new RegExp(`^${source}$`);
}
