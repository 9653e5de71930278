import { Cron } from "croner";

/** A time that comes again and again, in which changes are allowed or denied. */
export interface Window {
  type: "allow" | "deny";
  /** When it begins: five fields. */
  cron: string;
  /** Milliseconds. */
  duration: number;
  /** Such as `Europe/Paris`. */
  timezone: string;
}

/** How many beginnings are looked at to find the next time that is open. */
const lookahead = 50;

/** Whether changes may be made at a time: inside one of the windows that allow, if there are any, and of none that deny. */
export function isOpen(windows: readonly Window[], time: number): boolean {
  const allowing = windows.filter(({ type }) => type === "allow");
  const isWithin = (window: Window) => endOf(window, time) !== undefined;
  if (windows.some((window) => window.type === "deny" && isWithin(window))) return false;
  return allowing.length === 0 || allowing.some(isWithin);
}

/** The next times at which what windows say may change to allowed: beginnings of those that allow, ends of the others. */
export function beginningsAfter(windows: readonly Window[], time: number): number[] {
  return windows
    .flatMap((window) => {
      const begun = endOf(window, time);
      const begins = cronOf(window)
        .nextRuns(lookahead, new Date(time))
        .map((date) => date.getTime());
      return window.type === "allow"
        ? begins
        : [...(begun === undefined ? [] : [begun]), ...begins.map((begin) => begin + window.duration)];
    })
    .toSorted((left, right) => left - right);
}

/** When the window that a time is in ends; undefined when it is in none. */
function endOf(window: Window, time: number): number | undefined {
  // The beginning itself is within.
  const [begin] = cronOf(window).previousRuns(1, new Date(time + 1000));
  const end = begin && begin.getTime() + window.duration;
  return end !== undefined && end > time ? end : undefined;
}

function cronOf({ cron, timezone }: Window): Cron {
  return new Cron(cron, { timezone, mode: "5-part" });
}
