import { Type } from "typebox";
import { FaultList, type Faults } from "./faults.ts";
import { closedObject } from "../bodies/common.ts";
import type { Journal } from "../http/journal.ts";
import type { Limits } from "../http/limits.ts";
import type { Method, Route } from "../http/routing.ts";
import { HttpError } from "../world/errors.ts";
import { validateStrictly } from "../http/validation.ts";
import type { World } from "../world/world.ts";

export interface ControlContext {
  world: World;
  limits: Limits;
  faults: Faults;
  journal: Journal;
  /** Restores the state in which the emulator started. */
  reset(): void;
}

const ClockRequest = closedObject({ advance_ms: Type.Integer({ minimum: 0 }) });

const NoBody = closedObject({});

interface Control extends Pick<Route, "method" | "path" | "status"> {
  run(controlled: ControlContext, body: unknown): unknown;
}

function control(method: Method, name: string, status: number, run: Control["run"]): Control {
  return { method, path: `/_emulator/${name}`, status, run };
}

export const controls = [
  control("GET", "requests", 200, ({ journal }) => journal.report()),
  control("DELETE", "requests", 204, ({ journal }) => journal.clear()),
  control("POST", "reset", 204, ({ limits, faults, journal, reset }, body) => {
    checked(NoBody, body ?? {});
    reset();
    limits.clear();
    faults.clear();
    journal.clear();
  }),
  control("GET", "faults", 200, ({ faults }) => ({ results: faults.list() })),
  control("POST", "faults", 201, ({ faults }, body) => ({ results: faults.add(checked(FaultList, body)) })),
  control("DELETE", "faults", 204, ({ faults }) => faults.clear()),
  control("GET", "clock", 200, ({ world }) => clockView(world)),
  control("POST", "clock", 200, ({ world }, body) => {
    advance(world, checked(ClockRequest, body).advance_ms);
    world.operations.settle();
    return clockView(world);
  }),
];

function checked<Schema extends Type.TSchema>(schema: Schema, body: unknown): Type.Static<Schema> {
  validateStrictly(schema, body);
  return body as Type.Static<Schema>;
}

// A date in a response has a year of four digits, so the clock must not pass the year 9998.
const LAST_TIME = Date.parse("9999-01-01T00:00:00Z");

function advance({ clock }: World, milliseconds: number): void {
  const most = Math.max(0, LAST_TIME - clock.now());
  if (milliseconds > most) {
    const advice = `send ${most} or less; POST /_emulator/reset resets the clock to real time`;
    throw new HttpError(400, `advance_ms: the clock stops at the end of the year 9998; ${advice}`);
  }
  clock.offset += milliseconds;
}

function clockView({ clock }: World) {
  return { now: new Date(clock.now()).toISOString(), offset_ms: clock.offset, frozen: clock.frozen };
}
