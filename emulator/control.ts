import { Type } from "typebox";
import { FaultList } from "./faults.ts";
import type { Faults } from "./faults.ts";
import type { Journal } from "./journal.ts";
import type { Limits } from "./limits.ts";
import type { Method } from "./routing.ts";
import { validate } from "./validation.ts";
import type { World } from "./world.ts";

/** What the control surface works on. */
export interface Controlled {
  world: World;
  limits: Limits;
  faults: Faults;
  journal: Journal;
  /** Goes back to how the emulator started. */
  reset(): void;
}

/** One path of the control surface: outside the API, without token, never counted, never faulted. */
export interface Control {
  method: Method;
  path: string;
  status: number;
  run(controlled: Controlled, body: unknown): unknown;
}

const ClockRequest = Type.Object({ advance_ms: Type.Integer({ minimum: 0 }) });

export const controls: Control[] = [
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
    run: ({ limits, faults, journal, reset }) => {
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
      world.clock.offset += checked(ClockRequest, body).advance_ms;
      world.operations.settle();
      return clockView(world);
    },
  },
];

function checked<Schema extends Type.TSchema>(schema: Schema, body: unknown): Type.Static<Schema> {
  validate(schema, body);
  return body as Type.Static<Schema>;
}

function clockView({ clock }: World) {
  return { now: new Date(clock.now()).toISOString(), offset_ms: clock.offset, frozen: clock.frozen };
}
