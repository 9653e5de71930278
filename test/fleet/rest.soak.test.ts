import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { useFixture } from "../cli/fixture.ts";
import { useFleet } from "./fleet.ts";
import { statusOf } from "./workers.ts";

const fleet = useFleet(useFixture({ clock: "real", behaviour: { rate_limit: 0 } }));

test(
  "a worker with 20 sources at rest ends at most 60 transactions a minute",
  { timeout: 600_000 },
  async () => {
    await fleet.migrate();
    const names = Array.from({ length: 20 }, (_each, index) => `team-${index}`);
    fleet.state(names);
    const worker = await fleet.start({}, ["--interval", "1m"]);
    const states = async () => (await statusOf(worker)).sources.map(({ state }) => state);
    await expect.poll(states, { timeout: 120_000 }).toEqual(names.map(() => "synced"));
    const ended = async () => {
      const [row] = await fleet.postgres.query<{ count: number }>(
        "select (xact_commit + xact_rollback)::integer as count from pg_stat_database where datname = current_database()",
      );
      return row?.count ?? 0;
    };
    const inAMinute = async () => {
      const before = await ended();
      await sleep(60_000);
      return (await ended()) - before;
    };
    // The first looks read more.
    await expect.poll(inAMinute, { timeout: 420_000, interval: 0 }).toBeLessThanOrEqual(60);
  },
);
