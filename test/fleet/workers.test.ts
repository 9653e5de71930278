import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { useFixture, writesOf } from "../cli/fixture.ts";
import { job } from "../fixtures/manifests.ts";
import { useFleet } from "./fleet.ts";
import { statusOf, type Worker } from "./workers.ts";

const fixture = useFixture({ rateLimit: 0 });
const fleet = useFleet(fixture);
const wait = { timeout: 60_000, interval: 100 };

test("migrate makes the tables, and again changes nothing; a worker without them says what to do", async () => {
  fleet.state(["one"]);
  await expect(fleet.start()).rejects.toThrow("run infrasync database migrate");
  expect(await fleet.migrate()).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("were at version 0"),
  });
  expect(await fleet.migrate()).toMatchObject({ code: 0, stderr: expect.stringContaining("up to date") });
});

test("workers share the sources; the sources of one that is killed or stands still are taken over within 20 s, and what was remembered goes along", async () => {
  await fleet.migrate();
  const names = ["one", "two", "three", "four"];
  const repositories = fleet.state(names);
  const { writes } = fleet;
  const first = await fleet.start();
  const second = await fleet.start();
  const states = async (of: Worker) => (await statusOf(of)).sources.map(({ state }) => state);
  const inStep = names.map(() => "in_step");
  for (const worker of [first, second]) await expect.poll(() => states(worker), wait).toEqual(inStep);
  // Each has about its share, and says who has the others.
  const owners = async () => Promise.all(names.map((name) => fleet.ownerOf(name)));
  await expect.poll(async () => new Set(await owners()).size, wait).toBe(2);
  const stopped = performance.now();
  first.child.process.kill("SIGSTOP");
  await expect
    .poll(async () => (await owners()).every((each) => each === second.child.process.pid), wait)
    .toBe(true);
  expect(performance.now() - stopped).toBeLessThan(20_000);
  // What the first one had applied is not applied again: the memory has gone along.
  const before = writes.length;
  for (const [name, repository] of repositories)
    repository.push({ "infra/b.yaml": job("b", "", `${name}/staging`) });
  await expect.poll(() => writes.length - before, wait).toBe(names.length);
  first.child.process.kill("SIGCONT");
  // It finds out that it has lost its right, and takes a part again.
  await first.child.says("another worker may work on it now");
  await expect.poll(async () => new Set(await owners()).size, wait).toBe(2);
  const killed = performance.now();
  second.child.process.kill("SIGKILL");
  await expect
    .poll(async () => (await owners()).every((each) => each === first.child.process.pid), wait)
    .toBe(true);
  expect(performance.now() - killed).toBeLessThan(20_000);
  expect(writesOf(await fixture.requests()).filter((line) => line.includes("job"))).toHaveLength(
    names.length,
  );
  const history = await fleet.postgres.query<{ count: number }>(
    "select count(*)::integer as count from infrasync.history where source = 'one'",
  );
  expect(history[0]?.count).toBeGreaterThan(1);
});

test("a worker that is cut off from the database sends nothing until it is back, also when the database dies", async () => {
  await fleet.migrate();
  const repository = fleet.state(["one"]).get("one");
  const { writes, postgres } = fleet;
  const only = await fleet.start();
  await expect
    .poll(async () => (await statusOf(only)).sources.map(({ state }) => state), wait)
    .toEqual(["in_step"]);
  const push = (name: string) => repository?.push({ [`infra/${name}.yaml`]: job(name, "", "one/staging") });
  for (const [name, cut, back] of [
    ["silent", async () => only.wire.silence(), async () => only.wire.restore()],
    ["dead", () => postgres.kill(), () => postgres.begin()],
  ] as const) {
    const before = writes.length;
    await cut();
    await sleep(3000);
    push(name);
    await sleep(6000);
    expect(writes.slice(before)).toEqual([]);
    expect(await (await fetch(only.url)).text()).toContain(
      "The database that the workers share cannot be used",
    );
    await back();
    await expect.poll(() => writes.slice(before).length, wait).toBe(1);
  }
});
