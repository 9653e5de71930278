import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { settling } from "../../core/state/events/index.ts";
import { useFixture } from "../cli/fixture.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { useFleet } from "./fleet.ts";

const fixture = useFixture({ clock: "real", behaviour: { rate_limit: 0 } });
const fleet = useFleet(fixture);
const wait = { timeout: 60_000, interval: 100 };
const jobs = 20;

test("a worker on another machine takes a source over and reads no variables that its worker had read; the database has no value of them", async () => {
  await fleet.migrate();
  const variables = "variables:\n  LEVEL: plainly-readable\n";
  const documents = [...Array(jobs).keys()].map((index) => job(`job-${index}`, variables));
  const repository = fleet.state(["one"], { manifest: () => [shop, ...documents].join("") }).get("one");
  /** Starts a worker, kills the one before it, and gives the number of lists of variables that the new one reads for a commit. */
  const takenOver = async (number: number, before?: Awaited<ReturnType<typeof fleet.start>>) => {
    const worker = await fleet.start({ XDG_CACHE_HOME: `${fleet.folder}/cache-${number}` });
    before?.child.process.kill("SIGKILL");
    await expect.poll(() => fleet.ownerOf("one"), wait).toBe(worker.child.process.pid);
    repository?.push({ [`infra/${number}.yaml`]: job(`of-${number}`) });
    const made = () => fleet.api.writes.some((sent) => sent.worker === worker.name);
    await expect.poll(made, wait).toBe(true);
    const lists = fleet.api.sent.filter(
      (sent) => sent.worker === worker.name && sent.line.startsWith("GET /variable"),
    );
    return { worker, lists: lists.length };
  };
  const first = await takenOver(1);
  // It has made all jobs: nothing was written for some seconds.
  let written = -1;
  const isOver = () => written === (written = fleet.api.writes.length);
  await expect.poll(isOver, { ...wait, interval: 3000 }).toBe(true);
  // What was read less than half a minute after the events of its creation may not show all of it.
  await sleep(settling + 1000);
  const second = await takenOver(2, first.worker);
  const kept = await fleet.postgres.query<{ content: string }>("select content from infrasync.kept_parts");
  expect(kept.map(({ content }) => content).join("")).toContain("LEVEL");
  expect(kept.map(({ content }) => content).join("")).not.toContain("plainly-readable");
  const third = await takenOver(3, second.worker);
  expect(third.lists).toBe(0);
});
