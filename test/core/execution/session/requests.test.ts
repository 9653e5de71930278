import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { costOf } from "../../../../core/index.ts";
import { forward } from "../../../fixtures/forward.ts";
import { serve } from "../../../fixtures/http-server.ts";
import { job, shop } from "../../../fixtures/manifests.ts";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();

describe("requests", () => {
  test("a no-op plan reads one list for each environment and project, and two more", async () => {
    const services = Array.from({ length: 8 }, (_, index) => job(`job-${index}`)).join("");
    const second = `
---
kind: Environment
project: shop
name: production
mode: PRODUCTION
${job("report", "", "shop/production")}`;
    const text = shop + services + second;
    await harness.reconcile(text);
    await harness.forgetRequests();
    expect(summary(await harness.plan(text))).toEqual([]);
    expect(
      (await harness.seen())
        .map(({ method, path }) => `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, "{id}")}`)
        .toSorted(),
    ).toEqual([
      "GET /environment/{id}/services",
      "GET /environment/{id}/services",
      "GET /organization/{id}/project",
      "GET /project/{id}/environment",
    ]);
  });

  test("an update reads the resource again, sends it once, and reads nothing else", async () => {
    await harness.reconcile(shop + job("a"));
    const plan = await harness.plan(shop + job("a", "cpu: 750"));
    await harness.forgetRequests();
    await harness.apply(plan);
    expect((await harness.seen()).map(({ method }) => method)).toEqual(["GET", "PUT"]);
  });

  test("the estimate counts a file that becomes a value, which no import carries", async () => {
    await harness.reconcile(shop + job("a", "variables: { A: { file: { mount_path: /a, text: one } } }"));
    const plan = await harness.plan(shop + job("a", "variables: { A: one, B: two, C: three }"));
    await harness.forgetRequests();
    await harness.apply(plan);
    expect((await harness.seen()).map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /variable",
      "POST /variable/import",
      "POST /variable",
    ]);
    expect(costOf(plan).applying).toBe(3);
  });

  test("N creations cost N + E + P + 8 at most, planning included; a clone 2 more and its polls", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `job-${index}`);
    const environments = ["one", "two", "three"];
    const text = [
      "kind: Project\nname: shop\n",
      ...environments.map((name) => `kind: Environment\nproject: shop\nname: ${name}\nmode: STAGING\n`),
      ...environments.flatMap((name) => names.map((each) => job(each, "", `shop/${name}`))),
    ].join("---\n");
    const creations = 1 + environments.length + environments.length * names.length;
    await harness.forgetRequests();
    const plan = await harness.reconcile(text);
    expect(plan.actions.filter(({ type }) => type === "create")).toHaveLength(creations);
    expect((await harness.seen()).length).toBeLessThanOrEqual(creations + environments.length + 1 + 8);

    const clone = `---\nkind: Job\nenvironment: shop/one\nname: copy\nclone: { from: shop/two/job-0 }\ncpu: 750\n`;
    const cloning = await harness.plan(text + clone);
    await harness.forgetRequests();
    await harness.apply(cloning);
    const seen = (await harness.seen()).map(({ method }) => method);
    expect(seen.filter((method) => method !== "GET")).toEqual(["POST", "PUT"]);
    expect(seen.length).toBeLessThanOrEqual(2 + 2);
  });

  test("deletions in one environment share the reads of its list; each adds only its own 404", async () => {
    const names = ["a", "b", "c", "d", "e"];
    await harness.reconcile(shop + names.map((name) => job(name)).join(""));
    const plan = await harness.plan(shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }"), {
      prune: true,
    });
    await harness.forgetRequests();
    await harness.apply(plan);
    const seen = await harness.seen();
    expect(seen.filter(({ method }) => method === "DELETE")).toHaveLength(5);
    const reads = seen.filter(({ method }) => method === "GET");
    expect(reads.filter(({ path }) => path.endsWith("/services")).length).toBeLessThanOrEqual(3);
    expect(reads.filter(({ path }) => path.startsWith("/job/")).map(({ status }) => status)).toEqual(
      names.map(() => 404),
    );
  });
});

describe("a server with small pages", () => {
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

  test.each([100, 1000, 10_000])("that grants %i: the estimates of changes count its pages", async (most) => {
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
  });
});
