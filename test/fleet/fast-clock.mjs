// Loaded into a process with --import: from INFRASYNC_TEST_CLOCK_ORIGIN on, its clock and its waits are faster by the factor INFRASYNC_TEST_CLOCK_SPEED.
// Limits of the network, of git and of PostgreSQL are timers, which keep their pace.
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";

const speed = Number(process.env.INFRASYNC_TEST_CLOCK_SPEED ?? 1);
const origin = Number(process.env.INFRASYNC_TEST_CLOCK_ORIGIN ?? 0);
/** The heartbeats of a worker, in milliseconds: PostgreSQL holds them against its own clock, which is not faster. */
const signsOfLife = new Set([1000, 1500]);

if (speed !== 1) {
  const Machine = Date;
  const now = () => Math.floor(origin + (Machine.now() - origin) * speed);
  globalThis.Date = class Date extends Machine {
    constructor(...given) {
      if (given.length === 0) super(now());
      else super(...given);
    }
    static now() {
      return now();
    }
  };
  const { setTimeout: wait } = timers;
  timers.setTimeout = (milliseconds, ...more) =>
    wait(signsOfLife.has(milliseconds) ? milliseconds : milliseconds / speed, ...more);
  syncBuiltinESMExports();
}
