import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { InvalidInputError } from "../../../core/index.ts";
import type { Clock } from "../../../core/api/index.ts";
import { isFields } from "../../../core/values/json.ts";
import { project } from "../../fixtures/documents.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";

// Nothing tells in time what others have created, and names are not reserved.
let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open({
    behaviour: {
      list_delay_ms: 60_000,
      duplicate_names: true,
      missing_operations: ["GET /organization/{organizationId}/events"],
    },
  });
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(() => stage.reset());

const listed = () => stage.harness.results(`/organization/${stage.connection.organization.id}/project`);

/** Somebody else creates the same project, after the plan and a second before the run. */
async function others(): Promise<unknown> {
  const path = `/organization/${stage.connection.organization.id}/project`;
  const theirs = await stage.harness.api("POST", path, { name: "shop" });
  await stage.harness.clock.sleep(1000);
  return isFields(theirs) && theirs["id"];
}

/** The clock of a run, which calls a function after each wait. */
const clockWith = (afterWait: () => Promise<unknown>): Clock => ({
  ...stage.harness.clock,
  now: () => stage.harness.clock.now(),
  random: () => 0.5,
  async sleep(milliseconds, signal) {
    await stage.harness.clock.sleep(milliseconds, signal);
    await afterWait();
  },
});

test("of two projects that two machines have made at once, the run removes its own, and says who has made the other", async () => {
  let theirs: unknown;
  const planned = async () => (theirs = await others());
  const { report } = await stage.succeed([project()], { planned });
  expect(report.outcomes).toMatchObject([{ already: true, remarks: ["created_by_another"] }]);
  await stage.harness.clock.sleep(60_000);
  expect((await listed()).map(({ id }) => id)).toEqual([theirs]);
});

test("the run leaves its own if somebody has put something into it, and names both", async () => {
  const cluster = stage.harness.emulator.clusters[0]?.id;
  let isUsed = false;
  const clock = clockWith(async () => {
    const [, own] = (await listed()).toSorted((one, other) =>
      String(one["created_at"]) < String(other["created_at"]) ? -1 : 1,
    );
    if (!own || isUsed) return;
    isUsed = true;
    const body = { name: "theirs", mode: "STAGING", cluster, cluster_id: cluster };
    await stage.harness.api("POST", `/project/${String(own["id"])}/environment`, body);
    // Its list shows it, too.
    await stage.harness.clock.sleep(60_000);
  });
  const { report } = await stage.run([project()], { planned: others, clock });
  const ids = (await listed()).map(({ id }) => String(id));
  expect(ids).toHaveLength(2);
  expect(report.outcomes).toMatchObject([{ status: "failed", code: "twins" }]);
  for (const id of ids) expect(report.outcomes[0]?.message).toContain(id);
});

test("after a run that is killed while it waits for the list, the next run names both, and changes nothing", async () => {
  const { promise: isWaiting, resolve: waits } = Promise.withResolvers<void>();
  let isDead = false;
  const clock = clockWith(() => (isDead ? new Promise(() => undefined) : Promise.resolve()));
  const onWait = () => {
    isDead = true;
    waits();
  };
  void stage.run([project()], { planned: others, clock, onWait });
  await isWaiting;
  await stage.harness.clock.sleep(60_000);
  const ids = (await listed()).map(({ id }) => String(id));
  expect(ids).toHaveLength(2);
  const refusal: unknown = await stage.run([project()]).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(InvalidInputError);
  for (const id of ids) expect(String(refusal)).toContain(id);
  expect((await listed()).map(({ id }) => String(id))).toEqual(ids);
});
