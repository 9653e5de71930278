import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Fields } from "../../../core/json.ts";
import { environment, job, shop } from "../../fixtures/documents.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";

const source = [...shop, job("shop/staging/a"), job("shop/staging/b")];
const copy: Fields = {
  ...environment("shop/copy", { clone: { from: "shop/staging", follow: true } }),
  mode: "PREVIEW",
};

let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open();
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(async () => {
  await stage.reset();
  await stage.succeed([...source, copy]);
});

async function idOf(path: string): Promise<string> {
  return String((await stage.answer(path))["id"]);
}

/** The lists of services that an apply reads for this clone. */
async function looksOf(documents: readonly Fields[]): Promise<number> {
  await stage.requests();
  // A clone of a real server may take five minutes.
  await stage.succeed(documents, { limits: { clone: 300_000 } });
  return (await stage.requests()).filter((request) => request === "GET /environment/{id}/services").length;
}

describe("a clone that has just been made and follows its source", () => {
  test("gets a service again that somebody deletes in it, without waiting for a copy that came long ago", async () => {
    await stage.harness.api("DELETE", `/job/${await idOf("shop/copy/JOB a")}`);
    expect(await looksOf([...source, copy])).toBeLessThan(20);
    expect(await stage.names()).toContain("shop/copy/JOB a");
  });

  test("gets a service under the new name that somebody gives it in the source", async () => {
    const renamed = [
      ...shop,
      job("shop/staging/z", { manage: { renamed_from: "a" } }),
      job("shop/staging/b"),
    ];
    await stage.succeed(renamed);
    expect(await looksOf([...renamed, copy])).toBeLessThan(20);
    expect(await stage.names()).toContain("shop/copy/JOB z");
  });
});

describe("while a run waits for the clone of one environment", () => {
  /** The requests of a run that makes another clone, one action at a time. */
  async function requestsOf(documents: readonly Fields[]): Promise<string[]> {
    await using slow = await FaultyServer.open({ cloneDelay: 300 });
    await slow.succeed([...source, environment("shop/production"), job("shop/production/old")]);
    await slow.requests();
    await slow.succeed(documents, {
      parallelism: 1,
      limits: { clone: 300_000 },
      policy: { prune: true },
    });
    return await slow.requests();
  }

  test("another environment gets its services, even if actions run one at a time", async () => {
    const production = [environment("shop/production"), job("shop/production/new")];
    const requests = await requestsOf([...source, copy, ...production]);
    const created = requests.indexOf("POST /environment/{id}/job");
    const looks = requests.lastIndexOf("GET /project/{id}/environment");
    expect(created).toBeGreaterThanOrEqual(0);
    expect(created).toBeLessThan(looks);
  });

  test("another environment loses what is pruned there", async () => {
    const production = environment("shop/production", { manage: { prune: true } });
    const requests = await requestsOf([...source, copy, production]);
    const deleted = requests.indexOf("DELETE /job/{id}");
    expect(deleted).toBeGreaterThanOrEqual(0);
    expect(deleted).toBeLessThan(requests.lastIndexOf("GET /project/{id}/environment"));
  });
});
