import { setTimeout as delay } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { authenticate } from "../http/access.ts";
import type { ControlContext } from "../control/routes.ts";
import { errorBody, HttpError } from "../world/errors.ts";
import { answers, type Fault } from "../control/faults.ts";
import type { JournalEntry } from "../http/journal.ts";
import type { RateLimit } from "../http/limits.ts";
import type { Behaviour } from "../world/behaviour.ts";
import { LONGEST_WAIT } from "../world/clock.ts";
import type { World } from "../world/world.ts";
import type { ApiToken } from "../world/records.ts";

export interface ServerParts extends ControlContext {
  log: ((line: string) => void) | undefined;
  /** Resolves when all changes are saved. */
  save(): Promise<void>;
}

/** The state of a request while the server handles it. */
export interface Exchange {
  entry: JournalEntry;
  startedAt: number;
  token?: ApiToken;
  fault?: Fault;
}

// Long enough for the sent bytes to arrive before the reset.
const BEFORE_RESET_MS = 10;

/** Finds the token, the budget and the fault of a request; throws 401 and 429. */
export function admit(
  exchange: Exchange,
  request: FastifyRequest,
  reply: FastifyReply,
  served: ServerParts,
): void {
  const { world, limits, faults } = served;
  world.operations.settle();
  const token = authenticate(request.headers.authorization, world);
  const rateBudget = token ? limits.spend(token.id) : limits.unspent();
  announce(reply, rateBudget, world);
  if (!token) throw new HttpError(401, "the Authorization header names no valid token: Token <API_TOKEN>");
  if (rateBudget?.allowed === false) {
    throw new HttpError(
      429,
      `the limit of ${rateBudget.limit} requests is reached until ${rateBudget.reset}`,
    );
  }
  exchange.token = token;
  const fault = faults.take(request.method, exchange.entry.path);
  if (fault) exchange.fault = fault;
}

/** The rate-limit headers of the token. The date header uses the emulator's clock, like the reset. */
export function announce(reply: FastifyReply, rateBudget: RateLimit | undefined, world: World): void {
  const now = world.clock.now();
  const { reset_form, retry_after } = world.behaviour;
  void reply.header("date", new Date(now).toUTCString());
  if (!rateBudget) return;
  void reply.headers({
    "x-ratelimit-limit": rateBudget.limit,
    "x-ratelimit-remaining": rateBudget.remaining,
    "x-ratelimit-reset": resetAs(rateBudget.reset, now, reset_form),
    ...(retry_after && !rateBudget.allowed && { "retry-after": untilReset(rateBudget.reset, now) }),
  });
}

function resetAs(reset: number, now: number, form: Behaviour["reset_form"]): number {
  if (form === "milliseconds") return reset * 1000;
  return form === "seconds from now" ? untilReset(reset, now) : reset;
}

function untilReset(reset: number, now: number): number {
  return Math.ceil(reset - now / 1000);
}

/** Applies the fault of a request; true if it replaces the handling of the request. */
export async function strike(
  exchange: Exchange,
  request: FastifyRequest,
  reply: FastifyReply,
  served: ServerParts,
): Promise<boolean> {
  const { entry, fault } = exchange;
  if (!fault) return false;
  entry.fault = nameOf(fault);
  const { socket } = request.raw;
  if (fault.drop === "before") {
    reply.hijack();
    await pause(fault.delay_ms ?? 0);
    socket.resetAndDestroy();
    tell(exchange, served);
    return true;
  }
  if (fault.drop === "after") {
    reply.raw.writeHead = () => reply.raw;
    reply.raw.end = () => {
      socket.resetAndDestroy();
      return reply.raw;
    };
  } else if (fault.truncate !== undefined) {
    truncate(reply, fault.truncate, () => socket.resetAndDestroy());
  }
  if (!answers(fault) || fault.carry_out) return false;
  // `respond` replaces this response.
  void reply.code(statusOf(fault)).send("");
  return true;
}

function truncate({ raw }: FastifyReply, bytes: number, reset: () => void): void {
  raw.end = (payload?: unknown) => {
    const whole = typeof payload === "string" || payload instanceof Uint8Array ? Buffer.from(payload) : "";
    raw.write(whole.slice(0, bytes), () => void pause(BEFORE_RESET_MS).then(reset));
    return raw;
  };
}

/** Resolves with the payload for the client, after all delays. */
export async function respond(
  exchange: Exchange,
  reply: FastifyReply,
  payload: unknown,
  served: ServerParts,
): Promise<unknown> {
  const { entry, fault } = exchange;
  const answer = fault && answers(fault) ? replace(reply, fault) : payload;
  const wait = served.world.behaviour.latency_ms + (fault?.delay_ms ?? 0);
  await pause(wait);
  entry.status = fault?.drop ? null : reply.statusCode;
  tell(exchange, served);
  return answer;
}

function replace(reply: FastifyReply, fault: Fault): string {
  const { body = errorBody(statusOf(fault), "a fault was asked for"), headers = {} } = fault;
  void reply.code(statusOf(fault)).removeHeader("content-length");
  void reply.headers({ "content-type": "application/json; charset=utf-8", ...headers });
  return typeof body === "string" ? body : JSON.stringify(body);
}

function statusOf(fault: Fault): number {
  return fault.status ?? 200;
}

function nameOf(fault: Fault): string {
  if (fault.drop) return `drop ${fault.drop}`;
  if (fault.truncate !== undefined) return "truncate";
  if (answers(fault)) return fault.carry_out ? "answer after the work" : "answer";
  if (fault.events) return `events ${fault.events}`;
  return fault.fail_deployment ? "failing deployment" : "delay";
}

/** A line for the log, without headers and bodies. */
function tell({ entry, startedAt }: Exchange, { log }: ServerParts): void {
  if (!log) return;
  const path = entry.query ? `${entry.path}?${entry.query}` : entry.path;
  const fault = entry.fault ? ` (fault: ${entry.fault})` : "";
  const milliseconds = (performance.now() - startedAt).toFixed(0);
  log(`${entry.method} ${path} ${entry.status ?? "-"} ${milliseconds} ms${fault}`);
}

/** Waits without keeping the process alive. */
async function pause(milliseconds: number): Promise<void> {
  if (milliseconds > 0) await delay(Math.min(milliseconds, LONGEST_WAIT), undefined, { ref: false });
}
