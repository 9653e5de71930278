import { Cron } from "croner";

/** A recurring time in which changes are allowed or denied. */
export interface Window {
  type: "allow" | "deny";
  /** When it begins: five fields. */
  cron: string;
  /** Milliseconds. */
  duration: number;
  /** Such as `Europe/Paris`. */
  timezone: string;
}

const lookahead = 50;

/** Whether changes are allowed at a time: inside one of the allowing windows, if any, and outside all denying ones. */
export function isOpen(windows: readonly Window[], time: number): boolean {
  const allowing = windows.filter(({ type }) => type === "allow");
  const isWithin = (window: Window) => endOf(window, time) !== undefined;
  if (windows.some((window) => window.type === "deny" && isWithin(window))) return false;
  return allowing.length === 0 || allowing.some(isWithin);
}

/** The next times at which changes may become allowed: beginnings of allowing windows, ends of denying ones. */
export function beginningsAfter(windows: readonly Window[], time: number): number[] {
  return windows
    .flatMap((window) => {
      const started = endOf(window, time);
      const begins = beginningsOf(window, (cron) => [
        ...cron.previousRuns(1, new Date(time)),
        ...cron.nextRuns(lookahead, new Date(time)),
      ]).filter((begin) => begin > time);
      return window.type === "allow"
        ? begins
        : [...(started === undefined ? [] : [started]), ...begins.map((begin) => begin + window.duration)];
    })
    .toSorted((left, right) => left - right);
}

/** The end of the window around a time; undefined: it is in none. */
function endOf(window: Window, time: number): number | undefined {
  // The beginning itself is within.
  const begins = beginningsOf(window, (cron) => cron.previousRuns(2, new Date(time + 1000)));
  const end = Math.max(...begins.filter((begin) => begin <= time)) + window.duration;
  return end > time ? end : undefined;
}

/** Whether a cron expression ever matches. */
export function everBegins(cron: string): boolean {
  return new Cron(cron, { timezone: "UTC", mode: "5-part" }).nextRun() !== null;
}

/** The steps by which clocks are set back at the end of daylight saving, in milliseconds. */
const setBack = [1_800_000, 3_600_000];

/** Beginnings of a window. If clocks are set back and show a time twice, it begins twice, so that a denying window covers both. */
function beginningsOf({ cron, timezone }: Window, runs: (cron: Cron) => Date[]): number[] {
  const clock = new Intl.DateTimeFormat("en", {
    timeZone: timezone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  return runs(new Cron(cron, { timezone, mode: "5-part" })).flatMap((date) => {
    const begin = date.getTime();
    const again = setBack.map((shift) => begin + shift);
    return [begin, ...again.filter((time) => clock.format(time) === clock.format(begin))];
  });
}
