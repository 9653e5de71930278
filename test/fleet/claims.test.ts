import { expect, onTestFinished, test } from "vitest";
import { claimsChannel, connect, DatabaseClaims } from "../../reconciler/database/index.ts";
import { useFixture } from "../cli/fixture.ts";
import { useFleet } from "./fleet.ts";

const fleet = useFleet(useFixture({ clock: "real", behaviour: { rate_limit: 0 } }));

test("a source that claims what it has claimed before asks the database after changes, before writes and on a new connection, and writes again what the database has lost", async () => {
  await fleet.migrate();
  const client = await connect(fleet.postgres.url);
  onTestFinished(() => client.end());
  await client.query(`listen ${claimsChannel}`);
  let queries = 0;
  const leases = {
    connection: {},
    epochOf: () => 1,
    query: async <Row extends object>(text: string, values: readonly unknown[] = []) => {
      queries += 1;
      return (await client.query<Row>(text, [...values])).rows;
    },
  };
  await client.query(
    "insert into infrasync.lease select source, 1, gen_random_uuid(), 1 from unnest(array['one', 'two']) as source",
  );
  const claims = new DatabaseClaims(leases);
  let changes = 0;
  client.on("notification", () => {
    claims.changed();
    changes += 1;
  });
  const claim = async (source: string, declared: string[], pruned: string[], isForWrite = false) => {
    queries = 0;
    const desired = { organization: "acme", declared: new Set(declared), pruned: new Set(pruned) };
    const conflicts = await claims.claim(source, desired, isForWrite);
    return { queries, conflicts: conflicts.map(({ key, source: other }) => `${key} ${other}`) };
  };
  expect(await claim("one", ["a", "b"], ["c"])).toEqual({ queries: 3, conflicts: [] });
  expect(await claim("one", ["a", "b"], ["c"])).toEqual({ queries: 1, conflicts: [] });
  expect(await claim("one", ["a", "b"], ["c"])).toEqual({ queries: 0, conflicts: [] });
  expect(await claim("one", ["a", "b"], ["c"], true)).toEqual({ queries: 1, conflicts: [] });
  expect(await claim("two", ["b"], [])).toEqual({ queries: 3, conflicts: ["b one"] });
  expect(await claim("one", ["a", "b"], ["c"])).toEqual({ queries: 1, conflicts: ["b two"] });
  expect(await claim("one", ["a", "b"], ["c"])).toEqual({ queries: 0, conflicts: ["b two"] });
  expect(await claim("one", ["a"], ["c"])).toEqual({ queries: 3, conflicts: [] });
  const lose = async (text: string) => {
    changes = 0;
    await fleet.postgres.query(text);
    await expect.poll(() => changes).toBe(1);
  };
  await lose("delete from infrasync.claim where key in ('a', 'b')");
  expect(await claim("one", ["a"], ["c"])).toEqual({ queries: 3, conflicts: [] });
  await lose("truncate infrasync.claim");
  expect(await claim("one", ["a"], ["c"])).toEqual({ queries: 3, conflicts: [] });
  expect(await claim("one", ["a"], ["c"])).toEqual({ queries: 1, conflicts: [] });
  leases.connection = {};
  expect(await claim("one", ["a"], ["c"])).toEqual({ queries: 1, conflicts: [] });
});
