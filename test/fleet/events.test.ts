import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useFixture } from "../cli/fixture.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { useFleet } from "./fleet.ts";
import { Sink } from "./sink.ts";

const fixture = useFixture({ clock: "real", behaviour: { rate_limit: 0 } });
const fleet = useFleet(fixture);

/** Starts a worker that notifies. */
const start = (sink: Sink) => fleet.start({ INFRASYNC_NOTIFY_URL: sink.url }, ["--interval", "10s"]);
const types = (news: Sink["arrived"]) => news.map(({ type }) => type);

test("news that a worker could not deliver are delivered by the next one, also when it dies at the first try", async () => {
  const sink = await Sink.start();
  sink.isAway = true;
  await fleet.migrate();
  fleet.state(["one"]);
  const worker = await start(sink);
  await expect.poll(() => types(sink.tried), { timeout: 60_000, interval: 10 }).toContain("applied");
  worker.child.process.kill("SIGKILL");
  await worker.child.ended;
  sink.isAway = false;
  await start(sink);
  await expect.poll(() => types(sink.arrived), { timeout: 60_000 }).toContain("applied");
}, 200_000);

test("of a commit whose worker is killed while it writes, each change is told once", async () => {
  const sink = await Sink.start();
  await fleet.migrate();
  const jobs = [...Array(30).keys()].map((index) => job(`j${index}`, "", "one/staging"));
  fleet.state(["one"], { manifest: (name) => shop.replaceAll("shop", name) + jobs.join("") });
  const worker = await start(sink);
  const made = () => fleet.api.writes.filter(({ line }) => /^POST .*\/job$/.test(line)).length;
  await expect.poll(made, { timeout: 60_000, interval: 1 }).toBeGreaterThan(0);
  worker.child.process.kill("SIGKILL");
  await worker.child.ended;
  expect(made()).toBeLessThan(jobs.length);
  expect(sink.tried).toEqual([]);
  await start(sink);
  await expect.poll(() => sink.applied("one"), { timeout: 60_000 }).toBeGreaterThanOrEqual(jobs.length + 2);
  expect(made()).toBe(jobs.length);
  expect(sink.applied("one")).toBe(jobs.length + 2);
}, 200_000);

test("that a source has stopped is told by one worker, and by the next one when it dies before that arrives", async () => {
  const sink = await Sink.start();
  await fleet.migrate();
  fleet.state(["one", "two"]);
  const workers = [await start(sink), await start(sink)];
  await expect
    .poll(() => new Set(sink.arrived.map(({ source }) => source)), { timeout: 60_000 })
    .toEqual(new Set(["one", "two"]));
  sink.isAway = true;
  rmSync(join(fleet.folder, "sources", "two.yaml"));
  const stopped = (news: Sink["arrived"]) => types(news).filter((type) => type === "stopped");
  await expect.poll(() => stopped(sink.tried), { timeout: 60_000 }).not.toEqual([]);
  for (const { child } of workers) child.process.kill("SIGKILL");
  await Promise.all(workers.map(({ child }) => child.ended));
  sink.isAway = false;
  await start(sink);
  await expect.poll(() => stopped(sink.arrived), { timeout: 60_000 }).toEqual(["stopped"]);
  await start(sink);
  await expect.poll(() => fleet.ownerOf("one"), { timeout: 60_000 }).toBeDefined();
  expect(stopped(sink.arrived)).toEqual(["stopped"]);
}, 300_000);
