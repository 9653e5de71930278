import { beforeEach, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../core/index.ts";
import { Snapshot } from "../../../provider/lifecycle/snapshot.ts";
import { Harness } from "../../core/engine/harness.ts";

let server: Harness;
let time = 0;
let snapshot: Snapshot;

beforeEach(async () => {
  server = await Harness.start();
  onTestFinished(() => server[Symbol.asyncDispose]());
  time = 0;
  snapshot = new Snapshot(server.client, { ...systemClock, now: () => time });
  await server.forgetRequests();
});

const projects = () => snapshot.childrenOf(undefined, server.organization.id);
const requests = async () => (await server.seen()).length;

test("a list answers for a few seconds from when it has come, however long it took", async () => {
  const first = projects();
  time += 60_000;
  expect(projects()).toBe(first);
  await first;
  time += 4_999;
  expect(projects()).toBe(first);
  expect(await requests()).toBe(1);
  time += 1;
  await projects();
  expect(await requests()).toBe(2);
});

test("a failure is shared by those that wait for it, and not remembered", async () => {
  await server.api("POST", "/_emulator/faults", [{ path: "/organization/*/project", status: 403, times: 1 }]);
  const results = await Promise.allSettled([projects(), projects()]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await requests()).toBe(1);
  expect(await projects()).toEqual({ resources: [], unknown: [] });
});
