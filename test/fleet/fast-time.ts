import { setTimeout as sleep } from "node:timers/promises";
import type { Postgres } from "./postgres.ts";

const hour = 3_600_000;

/** A time that is faster than that of the machine, for processes with `fast-clock.mjs` and for their database. */
export class FastTime {
  readonly speed: number;
  /** Milliseconds since 1970 when both times were the same. */
  readonly origin = Date.now();

  constructor(speed: number) {
    this.speed = speed;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.at(Date.now());
  }

  /** The fast time at a time of the machine. */
  at(machine: number): number {
    return this.origin + (machine - this.origin) * this.speed;
  }

  /** Hours since both times were the same. */
  hoursAt(machine: number): number {
    return (this.at(machine) - this.origin) / hour;
  }

  /** Resolves so many hours after both times were the same. */
  async until(hours: number): Promise<void> {
    await sleep(Math.max(0, this.origin + (hours * hour) / this.speed - Date.now()));
  }

  get env(): Record<string, string> {
    return {
      INFRASYNC_TEST_CLOCK_SPEED: String(this.speed),
      INFRASYNC_TEST_CLOCK_ORIGIN: String(this.origin),
    };
  }

  /**
   * Gives a database this time where quotas and shared answers ask for it. Leases and statuses keep the time of the machine:
   * whether a worker is alive is not a matter of the day.
   */
  async setIn(postgres: Postgres): Promise<void> {
    const origin = this.origin / 1000;
    await postgres.query("create schema test_clock");
    await postgres.query(`
      create function test_clock.fast(machine timestamptz) returns timestamptz language sql immutable as
        $$ select to_timestamp(${origin} + (extract(epoch from machine)::float8 - ${origin}) * ${this.speed}) $$`);
    await postgres.query(`
      create function test_clock.clock_timestamp() returns timestamptz language sql volatile as
        $$ select test_clock.fast(pg_catalog.clock_timestamp()) $$`);
    await postgres.query(`
      create function test_clock.now() returns timestamptz language sql stable as $$
        select case when current_query() like '%infrasync.shared_read%' then test_clock.fast(pg_catalog.now()) else pg_catalog.now() end
      $$`);
    // A function of the first schema takes the place of one with the same name.
    await postgres.query("alter database postgres set search_path = test_clock, pg_catalog, public");
  }
}
