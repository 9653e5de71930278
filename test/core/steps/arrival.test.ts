import { describe, expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { environment, job, shop } from "../../fixtures/documents.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";

const source = [...shop, job("shop/staging/a"), job("shop/staging/b")];
const copy: Fields = { ...environment("shop/copy", { clone: { from: "shop/staging" } }), mode: "PREVIEW" };

describe("while a run waits for the clone of one environment", () => {
  /** The requests of a run that makes another clone, one action at a time. */
  async function requestsOf(documents: readonly Fields[]): Promise<string[]> {
    await using slow = await FaultyServer.open({ behaviour: { clone_delay_ms: 300 } });
    await slow.succeed([...source, environment("shop/production"), job("shop/production/old")]);
    await slow.requests();
    await slow.succeed(documents, { parallelism: 1, limits: { clone: 300_000 }, policy: { prune: true } });
    return await slow.requests();
  }

  test("another environment gets its services, even if actions run one at a time", async () => {
    const production = [environment("shop/production"), job("shop/production/new")];
    const requests = await requestsOf([...source, copy, ...production]);
    const created = requests.indexOf("POST /environment/{id}/job");
    const refreshes = requests.lastIndexOf("GET /project/{id}/environment");
    expect(created).toBeGreaterThanOrEqual(0);
    expect(created).toBeLessThan(refreshes);
  });

  test("another environment loses what is pruned there", async () => {
    const production = environment("shop/production", { manage: { prune: true } });
    const requests = await requestsOf([...source, copy, production]);
    const deleted = requests.indexOf("DELETE /job/{id}");
    expect(deleted).toBeGreaterThanOrEqual(0);
    expect(deleted).toBeLessThan(requests.lastIndexOf("GET /project/{id}/environment"));
  });
});
