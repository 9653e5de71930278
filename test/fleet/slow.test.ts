import { expect, test } from "vitest";
import { useFixture } from "../cli/fixture.ts";
import { job } from "../fixtures/manifests.ts";
import { overlaps } from "./api-log.ts";
import { useFleet } from "./fleet.ts";
import { statusOf, type Worker } from "./workers.ts";

const fixture = useFixture({ clock: "real", behaviour: { rate_limit: 0 } });
const fleet = useFleet(fixture);
const wait = { timeout: 110_000, interval: 500 };
const states = async (of: Worker) => (await statusOf(of)).sources.map(({ state }) => state);

test("with a database that takes a second for each statement, two workers apply what is committed", async () => {
  await fleet.migrate();
  const names = ["one", "two", "three", "four"];
  const repositories = fleet.state(names);
  const workers = [await fleet.start(), await fleet.start()];
  for (const worker of workers)
    await expect.poll(() => states(worker), wait).toEqual(names.map(() => "synced"));
  for (const { wire } of workers) wire.delay = 500;
  const before = fleet.api.writes.length;
  for (const [name, repository] of repositories)
    repository.push({ "infra/b.yaml": job("b", "", `${name}/staging`) });
  await expect.poll(() => fleet.api.writes.length - before, wait).toBe(names.length);
  expect(overlaps(fleet.api.writes)).toEqual([]);
}, 500_000);

test("with such a database, a fleet starts: each source of two workers is synced", async () => {
  await fleet.migrate();
  const names = ["one", "two", "three", "four"];
  fleet.state(names);
  const workers = await Promise.all([fleet.start({}, [], 500), fleet.start({}, [], 500)]);
  for (const worker of workers)
    await expect.poll(() => states(worker), { ...wait, timeout: 240_000 }).toEqual(names.map(() => "synced"));
  expect(overlaps(fleet.api.writes)).toEqual([]);
}, 500_000);
