import { Cron } from "croner";
import type { EnvironmentRule } from "../bodies/rules.ts";

type Hours = Pick<EnvironmentRule, "timezone" | "start_time" | "stop_time" | "weekdays">;

/** A moment at which a rule starts or stops an environment; `at` is a Unix time in milliseconds. */
export interface Change {
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
