import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FaultyServer } from "../../fixtures/faulty-server.ts";
import { application, environment, job, project } from "../../fixtures/documents.ts";
import type { FaultRequest } from "../../../emulator/control/faults.ts";

let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open();
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(() => stage.reset());

const top = [
  { ...project("shop"), variables: { ABOVE: "1" } },
  environment("shop/staging", { manage: { prune: true } }),
];
const old = application("shop/staging/web");
const before = [...top, { ...old, variables: { OLD: "1", CHANGED: "1" } }, job("shop/staging/gone")];
const changed = [
  ...top,
  {
    ...old,
    cpu: 750,
    variables: {
      NEW: "1",
      ABOVE: { value: "2", overrides: true },
      OTHER: { alias_of: "NEW" },
      OLD: null,
      CHANGED: "2",
    },
    secrets: { KEY: { from_env: "SHOP_FIRST" } },
    custom_domains: { "shop.example.com": {} },
  },
  job("shop/staging/new"),
];

/** The writes since the last call, sorted: while one waits, another one is sent. */
async function sentWrites(): Promise<string[]> {
  return (await stage.requests()).filter((request) => !/^GET|_emulator/.test(request)).toSorted();
}

/** The writes of the run that makes `changed` of `before`. */
async function writesWith(fault?: FaultRequest): Promise<string[]> {
  await stage.succeed(before);
  if (fault) await stage.breaks(fault);
  await stage.requests();
  const { report } = await stage.succeed(changed, {
    policy: { prune: true },
    client: { onQuota: "wait" },
    parallelism: 1,
  });
  // What these writes have changed is not reported as the work of somebody else.
  expect(report.outcomes.filter(({ already }) => already)).toEqual([]);
  const writes = await sentWrites();
  const { plan } = await stage.run(changed);
  expect(plan.actions.every(({ type }) => type === "none")).toBe(true);
  return writes;
}

const writes = [
  "PUT /application/{id}",
  "POST /variable",
  "PUT /variable/{id}",
  "POST /variable",
  "POST /variable/{id}/override",
  "POST /variable/{id}/alias",
  "DELETE /variable/{id}",
  "POST /application/{id}/customDomain",
  "POST /environment/{id}/job",
  "DELETE /job/{id}",
];

test("the run sends these writes", async () => {
  expect(await writesWith()).toEqual(writes.toSorted());
});

describe.each([...writes.entries()])("write %i, %s, with a 429", (position, write) => {
  const [method] = write.split(" ");
  const after = writes.slice(0, position).filter((earlier) => earlier.startsWith(`${method} `)).length;
  const fault: FaultRequest = { ...(method && { method }), path: "/**", after, times: 1, status: 429 };

  test("that a proxy has passed on is not sent again", async () => {
    expect(await writesWith({ ...fault, carry_out: true })).toEqual(writes.toSorted());
  });

  test("that was not carried out is sent once more", async () => {
    expect(await writesWith(fault)).toEqual([...writes, write].toSorted());
  });

  test("three times in a row: sent until the server takes it, and nothing else is sent", async () => {
    const sent = await writesWith({ ...fault, times: 3 });
    expect([sent.length, new Set(sent)]).toEqual([writes.length + 3, new Set(writes)]);
  });
});

test("a server that takes no writes, and goes on answering reads, ends the run with the reason", async () => {
  await stage.breaks({ method: "POST", path: "/environment/*/job", status: 429 });
  const { report } = await stage.run(before, { client: { onQuota: "wait" } });
  expect(report.stopped?.reason).toBe("quota");
  expect(report.stopped?.message).toMatch(/^POST \S+ was not carried out: .*429/);
  expect(await stage.mend()).toBeLessThan(30);
});
