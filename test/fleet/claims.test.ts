import { expect, test } from "vitest";
import { DatabaseClaims } from "../../reconciler/database/index.ts";
import { useFixture } from "../cli/fixture.ts";
import { useFleet } from "./fleet.ts";

const fleet = useFleet(useFixture({ rateLimit: 0 }));

test("a source that claims what it has claimed before asks the database once, and writes again what the database has lost", async () => {
  await fleet.migrate();
  let queries = 0;
  const claims = new DatabaseClaims({
    query: <Row extends object>(text: string, values: readonly unknown[] = []) => {
      queries += 1;
      return fleet.postgres.query<Row>(text, [...values]);
    },
  });
  const claim = async (source: string, described: string[], pruned: string[]) => {
    queries = 0;
    const conflicts = await claims.claim(source, {
      organization: "acme",
      described: new Set(described),
      pruned: new Set(pruned),
    });
    return { queries, conflicts: conflicts.map(({ key, source: other }) => `${key} ${other}`) };
  };
  expect(await claim("one", ["a", "b"], ["c"])).toEqual({ queries: 3, conflicts: [] });
  expect(await claim("one", ["a", "b"], ["c"])).toEqual({ queries: 1, conflicts: [] });
  expect(await claim("two", ["b"], [])).toEqual({ queries: 3, conflicts: ["b one"] });
  expect(await claim("one", ["a", "b"], ["c"])).toEqual({ queries: 1, conflicts: ["b two"] });
  expect(await claim("one", ["a"], ["c"])).toEqual({ queries: 3, conflicts: [] });
  await fleet.postgres.query("delete from infrasync.claim where key = 'a'");
  expect(await claim("one", ["a"], ["c"])).toEqual({ queries: 3, conflicts: [] });
});
