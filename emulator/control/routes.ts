import { Type } from "typebox";
import { FaultList, type Faults } from "./faults.ts";
import type { Journal } from "../http/journal.ts";
import type { Limits } from "../http/limits.ts";
import type { Method } from "../http/routing.ts";
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

const ClockRequest = Type.Object(
  { advance_ms: Type.Integer({ minimum: 0 }) },
  { additionalProperties: false },
);

const NoBody = Type.Object({}, { additionalProperties: false });

export const controls: {
  method: Method;
  path: string;
  status: number;
  run(controlled: ControlContext, body: unknown): unknown;
}[] = [
  {
    method: "GET",
    path: "/_emulator/requests",
    status: 200,
    run: ({ journal }) => journal.report(),
  },
  {
    method: "DELETE",
    path: "/_emulator/requests",
    status: 204,
    run: ({ journal }) => journal.clear(),
  },
  {
    method: "POST",
    path: "/_emulator/reset",
    status: 204,
    run: ({ limits, faults, journal, reset }, body) => {
      checked(NoBody, body ?? {});
      reset();
      limits.clear();
      faults.clear();
      journal.clear();
    },
  },
  {
    method: "GET",
    path: "/_emulator/faults",
    status: 200,
    run: ({ faults }) => ({ results: faults.list() }),
  },
  {
    method: "POST",
    path: "/_emulator/faults",
    status: 201,
    run: ({ faults }, body) => ({ results: faults.add(checked(FaultList, body)) }),
  },
  {
    method: "DELETE",
    path: "/_emulator/faults",
    status: 204,
    run: ({ faults }) => faults.clear(),
  },
  {
    method: "GET",
    path: "/_emulator/clock",
    status: 200,
    run: ({ world }) => clockView(world),
  },
  {
    method: "POST",
    path: "/_emulator/clock",
    status: 200,
    run: ({ world }, body) => {
      advance(world, checked(ClockRequest, body).advance_ms);
      world.operations.settle();
      return clockView(world);
    },
  },
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
