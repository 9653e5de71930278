import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { costOf } from "../../../../core/index.ts";
import { forward } from "../../../fixtures/forward.ts";
import { serve } from "../../../fixtures/http-server.ts";
import { job, shop } from "../../../fixtures/manifests.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();

/** A server that refuses larger pages. */
async function granting(most: number): Promise<string> {
  const { url } = await serve((request, response) => {
    const { method = "GET", url: target = "/", headers } = request;
    const size = new URL(target, "http://server").searchParams.get("page_size");
    if (Number(size ?? 0) > most) return void response.writeHead(400).end();
    void buffer(request)
      .then((body) => forward(harness.emulator.url, { method, path: target, headers, body }))
      .then((answer) => response.writeHead(answer.status, answer.headers).end(answer.content));
  });
  return url;
}

const many = Array.from({ length: 250 }, (_, index) => `K${index}: x`).join(", ");
const long = (value: string) => job("a", `variables: { ${many}, LAST: ${value} }`);
const others = Array.from({ length: 120 }, (_, index) => job(`other-${index}`)).join("");
const prunes = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");

test.each([100, 1000, 10_000])(
  "on a server with pages of at most %i, the estimates of changes count the pages",
  async (most) => {
    await harness.reconcile(prunes + long("one") + job("b") + others);
    const small = harness.through(await granting(most));
    const counting = async (...given: Parameters<typeof small.plan>) => {
      const plan = await small.plan(...given);
      await harness.forgetRequests();
      await small.apply(plan);
      const seen = (await harness.seen()).length;
      return { seen, estimated: costOf(plan).applying };
    };
    const isPaged = most === 100;
    const change = await counting(prunes + long("two") + job("b") + others);
    expect(change).toEqual({ seen: isPaged ? 4 : 2, estimated: change.seen });
    const deletion = await counting(prunes + long("two") + others, { prune: true });
    expect(deletion).toEqual({ seen: isPaged ? 7 : 5, estimated: deletion.seen });
    const destroy = await counting(prunes + long("two") + others, { prune: true }, "destroy");
    expect(destroy.estimated).toBe(destroy.seen);
  },
);
