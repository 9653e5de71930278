import { startDeployment } from "../deployments/deployments.ts";
import { HttpError } from "../world/errors.ts";
import type { Environment, Service } from "../world/records.ts";
import type { Operation } from "../world/operations.ts";
import type { World } from "../world/world.ts";
import type { EnvironmentRule } from "../bodies/rules.ts";
import { Cron } from "croner";

// A rule that stops an environment waits as an operation for its next start or stop, so that time ends it like any
// other operation, and it survives a restart.

const actor = { name: "deployment rule", userAgent: undefined };

const A_MINUTE = 60_000;

// After a long jump of the clock only the last changes count, so that a jump of centuries does not take long.
const REPLAYED = 8 * 24 * 3600_000;

/** Runs when a rule starts or stops an environment. */
export function registerRules(world: World): void {
  world.operations.onFinish("rule", (operation) => run(operation, world));
}

/** Gives an environment a deployment rule, and starts and stops it by the rule from now on. */
export function setRule(environment: Environment, rule: EnvironmentRule, world: World): void {
  world.update(world.store.environments, environment, { rule });
  for (const operation of world.operations.on(holdOf(environment))) world.operations.abandon(operation);
  waitForChange(environment, world);
}

/** An id of its own, so that a waiting rule blocks no other operation of the environment. */
function holdOf({ id }: Environment): string {
  return `rule of ${id}`;
}

function waitForChange(environment: Environment, world: World): void {
  const { rule } = environment;
  if (!rule?.auto_stop) return;
  const now = world.clock.now();
  const upcoming = nextChange(rule, Math.max(now, world.clock.present() - REPLAYED));
  if (upcoming) wait(environment, upcoming.action, upcoming.at - now, world);
}

/** Waits, but not longer than the days that count. */
function wait(environment: Environment, phase: string, milliseconds: number, world: World): void {
  const { clock, operations } = world;
  const skipped = clock.present() - REPLAYED - clock.now();
  operations.schedule(
    { kind: "rule", holds: [holdOf(environment)], subjects: [environment.id], phase },
    Math.max(milliseconds, skipped),
  );
}

function run({ subjects: [id = ""], phase = "stop" }: Operation, world: World): void {
  const environment = world.store.environments.peek(id);
  if (!environment) return;
  world.actor = actor;
  try {
    change(environment, phase, world);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // Another operation uses the environment.
    wait(environment, phase, A_MINUTE, world);
    return;
  }
  waitForChange(environment, world);
}

function change(environment: Environment, phase: string, world: World): void {
  const isStopped = ({ deployment }: Service) => deployment?.action === "STOP";
  const deployed = world.store.services.under(environment.id).filter(({ deployment }) => deployment);
  const services = deployed.filter((service) => isStopped(service) === (phase === "start"));
  if (services.length === 0) return;
  startDeployment(
    { action: phase === "start" ? "DEPLOY" : "STOP", environment, services, whole: true },
    world,
  );
}

type Hours = Pick<EnvironmentRule, "timezone" | "start_time" | "stop_time" | "weekdays">;

/** A moment at which a rule starts or stops an environment; `at` is a Unix time in milliseconds. */
interface Change {
  at: number;
  action: "start" | "stop";
}

const days = ["SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"];

/** The next start or stop after a time; undefined when the rule has no weekday. */
export function nextChange(hours: Hours, after: number): Change | undefined {
  const start = next(hours, hours.start_time, after);
  const stop = next(hours, hours.stop_time, after);
  if (start === undefined || stop === undefined) return undefined;
  return start < stop ? { at: start, action: "start" } : { at: stop, action: "stop" };
}

/** The next time at which the clocks of the time zone show the time of day of `time`, on a day of the rule. */
function next({ timezone, weekdays }: Hours, time: string, after: number): number | undefined {
  if (weekdays.length === 0) return undefined;
  const moment = new Date(time);
  const numbers = weekdays.map((day) => days.indexOf(day)).join(",");
  const pattern = `${moment.getUTCSeconds()} ${moment.getUTCMinutes()} ${moment.getUTCHours()} * * ${numbers}`;
  return new Cron(pattern, { timezone, paused: true }).nextRun(new Date(after))?.getTime();
}
