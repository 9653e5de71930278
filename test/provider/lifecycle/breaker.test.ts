import { expect, test } from "vitest";
import { fastClock } from "../../fixtures/fast-clock.ts";
import { Pass } from "./pass.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, nightly } = staging;

test("a server that answers every update with 500 ends an up after a minute and some 60 requests, and a later up goes on", async () => {
  const { server } = staging;
  const first = await pass();
  const names = Array.from({ length: 20 }, (_unused, index) => `job-${index}`);
  const jobs = await Promise.all(names.map((name) => first.create("Job", { ...nightly(), name })));
  const fault = { method: "PUT", path: "/job/*", status: 500 };
  await server.api("POST", "/_emulator/faults", [fault]);
  await server.forgetRequests();
  const up = async (on: Pass) =>
    Promise.allSettled(jobs.map((entry) => on.up(entry, { ...entry.inputs, cpu: 600 })));

  const failed = await up(await Pass.start(server.emulator, {}, fastClock()));

  const reasons = failed.map((result) => (result.status === "rejected" ? String(result.reason) : ""));
  expect(reasons.filter((reason) => reason === "")).toEqual([]);
  expect(reasons.join("\n")).toContain(
    "for 60 s the server has answered every change with an error or not at all, so no further change is sent",
  );
  expect((await server.seen()).length).toBeLessThan(120);
  await server.api("DELETE", "/_emulator/faults");
  expect((await up(await pass())).map(({ status }) => status)).toEqual(names.map(() => "fulfilled"));
  expect((await staging.services()).map(({ cpu }) => cpu)).toEqual(names.map(() => 600));
});
