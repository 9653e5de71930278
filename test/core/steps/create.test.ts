import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Clock } from "../../../core/api/index.ts";
import { quickClock } from "../../fixtures/quick-clock.ts";
import { job, shop } from "../../fixtures/documents.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";
import {
  clientFor,
  doneAndLimited,
  doneAndUnclear,
  notDoneAndUnclear,
} from "../../fixtures/unclear-answers.ts";

let stage: FaultyServer;
beforeAll(async () => {
  // Names are not reserved, so a request that is sent twice creates two resources.
  stage = await FaultyServer.open({ behaviour: { duplicate_names: true } });
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(() => stage.reset());

const documents = [...shop, job("shop/staging/a", { cpu: 750 })];
const names = ["shop", "shop/staging", "shop/staging/JOB a"];
/** Answers of a gateway, and none, after which a server may still be at work. */
const mayBeUnderWay = /^(?:a 408|a 50[23]|a connection)/;
const paths = ["/organization/*/project", "/project/*/environment", "/environment/*/job"];

describe.each(paths)("POST %s with an unclear outcome", (path) => {
  const posts = (requests: string[]) =>
    requests.filter((request) => request === `POST ${path.replace("*", "{id}")}`).length;

  test.each([...doneAndUnclear, doneAndLimited])(
    "%s after the server carried it out: the resource is adopted",
    async (_name, fault) => {
      await stage.breaks({ method: "POST", path, times: 1, ...fault });
      const { report } = await stage.succeed(documents, { client: clientFor(fault) });
      expect(report.outcomes.flatMap(({ remarks }) => remarks ?? [])).toEqual(["adopted"]);
      expect(posts(await stage.requests())).toBe(1);
      expect(await stage.names()).toEqual(names);
    },
  );

  test.each(notDoneAndUnclear)(
    "%s before the server carried it out: the run looks, then sends it again",
    async (name, fault) => {
      await stage.breaks({ method: "POST", path, times: 1, ...fault });
      await stage.succeed(documents, { client: clientFor(fault) });
      const requests = await stage.requests();
      expect(posts(requests)).toBe(2);
      const first = requests.findIndex((request) => request.startsWith("POST"));
      const between = requests.slice(requests.indexOf(`POST ${path.replace("*", "{id}")}`) + 1);
      expect(
        between.slice(
          0,
          between.findIndex((request) => request.startsWith("POST")),
        ),
      ).toHaveLength(mayBeUnderWay.test(name) ? 8 : 2);
      expect(first).toBeGreaterThan(0);
      expect(await stage.names()).toEqual(names);
    },
  );
});

describe("POST with an unclear outcome", () => {
  const path = "/environment/*/job";

  /** What the server itself answers when the quota is used up. */
  const usedUp = {
    status: 429,
    headers: { "x-ratelimit-limit": "1000", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1" },
  };

  test.each([
    ["the server itself", usedUp, 1],
    ["a proxy, which may have passed it on,", { status: 429 }, 2],
  ] as const)(
    "a 429 of %s: %j: the list is read %i times, and the creation is sent again",
    async (_who, fault, reads) => {
      await stage.succeed(shop);
      await stage.breaks({ method: "POST", path, times: 1, ...fault });
      await stage.succeed(documents, { client: { onQuota: "wait" } });
      const requests = await stage.requests();
      const sent = requests.indexOf("POST /environment/{id}/job");
      expect(requests.slice(sent, sent + reads + 2)).toEqual([
        "POST /environment/{id}/job",
        ...Array.from({ length: reads }, () => "GET /environment/{id}/services"),
        "POST /environment/{id}/job",
      ]);
    },
  );

  test("the reads fail too: the outcome is reported as unknown, and the next run continues", async () => {
    await stage.succeed(shop);
    const { report } = await stage.run(documents, {
      planned: () =>
        stage.breaks(
          { method: "POST", path, drop: "after" },
          { method: "GET", path: "/environment/*/services", status: 503 },
        ),
    });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "unclear" });
    expect(report.outcomes.at(-1)?.message).toMatch(
      /^the resource may or may not have been created, and checking whether it was created failed: 503 on GET .*$/,
    );
    await stage.mend();
    await stage.succeed(documents);
    expect(await stage.names()).toEqual(names);
  });

  test("the second read comes after a pause, because a new resource may appear late", async () => {
    await stage.succeed(shop);
    await stage.breaks({ method: "POST", path, times: 1, drop: "before" });
    const clock = quickClock();
    await stage.succeed(documents, { clock });
    expect(clock.slept.filter((milliseconds) => milliseconds > 0)).toEqual([
      500, 500, 1000, 2000, 4000, 8000, 4000,
    ]);
  });

  test.each([
    [{ drop: "before" }, 6_000],
    [{ status: 504 }, 6_000],
    [{ status: 503 }, 6_000],
    [{ status: 408 }, 6_000],
    [{ status: 429, headers: { "retry-after": "1" } }, 3_000],
  ] as const)(
    "after %j, a server that carries it out %i ms later makes one resource",
    async (fault, lateness) => {
      await stage.succeed(shop);
      await stage.breaks({ method: "POST", path, times: 1, ...fault });
      const clock = quickClock();
      let left: number = lateness;
      const late: Clock = {
        ...clock,
        async sleep(milliseconds, signal) {
          await clock.sleep(milliseconds, signal);
          const isOver = left <= 0;
          left -= milliseconds;
          if (!isOver && left <= 0) await stage.succeed(documents);
        },
      };
      const { report } = await stage.succeed(documents, { clock: late, client: { onQuota: "wait" } });
      expect(report.outcomes.at(-1)?.remarks).toEqual(["adopted"]);
      expect(await stage.names()).toEqual(names);
    },
  );

  test("after a 429 of the server itself, a resource that another client creates is not called the own one", async () => {
    await stage.succeed(shop);
    await stage.breaks({ method: "POST", path, times: 1, ...usedUp });
    const clock = quickClock();
    let isFirst = true;
    const other: Clock = {
      ...clock,
      async sleep(milliseconds, signal) {
        await clock.sleep(milliseconds, signal);
        if (isFirst) await stage.succeed(documents);
        isFirst = false;
      },
    };
    const { report } = await stage.succeed(documents, { clock: other, client: { onQuota: "wait" } });
    expect(report.outcomes.at(-1)?.remarks).toEqual(["created_by_another"]);
  });

  test("every try fails: the report names the reason", async () => {
    await stage.breaks({ method: "POST", path, status: 500 });
    const { report } = await stage.run(documents, { limits: { busy: 1000 } });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "unclear" });
    expect(report.outcomes.at(-1)?.message).toMatch(
      /^the resource may or may not have been created, and no resource with that name appeared within 1 s: 500 on POST .*/,
    );
  });

  test("the server always fails: the run gives up after a minute", async () => {
    const { clock } = stage.harness;
    await stage.breaks({ method: "POST", path, status: 500 });
    const started = clock.now();
    const { report } = await stage.run(documents, { limits: { busy: 600_000, clone: 600_000 } });
    expect(clock.now() - started).toBeLessThan(300_000);
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "unclear" });
    expect(report.outcomes.at(-1)?.message).toContain(
      "no resource with that name appeared within 60 s: 500 on POST ",
    );
  });

  test("a gateway always times out: the run gives up at the time limit", async () => {
    await stage.breaks({ method: "POST", path, status: 504 });
    const { report } = await stage.run(documents, { limits: { busy: 90_000 } });
    expect(report.outcomes.at(-1)?.message).toContain(
      "no resource with that name appeared within 90 s: 504 on POST ",
    );
  });

  test.each([201, 202])(
    "status %i without a body: the run waits for the resource and does not send the request again",
    async (status) => {
      await stage.succeed(shop);
      await stage.requests();
      await stage.breaks(
        { method: "POST", path, status, body: "", carry_out: true },
        {
          method: "GET",
          path: "/environment/*/services",
          times: 6,
          after: 1,
          status: 200,
          body: { results: [] },
        },
      );
      const { report } = await stage.succeed(documents);
      expect(report.outcomes.at(-1)?.remarks).toEqual(["adopted"]);
      expect((await stage.requests()).filter((request) => request.startsWith("POST"))).toHaveLength(1);
      expect(await stage.mend()).toBe(7);
      expect(await stage.names()).toEqual(names);
    },
  );

  test("a server that responds 400 because the first try took the name", async () => {
    await stage.breaks(
      { method: "POST", path, times: 1, drop: "after" },
      {
        method: "GET",
        path: "/environment/*/services",
        times: 8,
        after: 1,
        status: 200,
        body: { results: [] },
      },
      { method: "POST", path, times: 1, status: 400 },
    );
    await stage.succeed(shop);
    const { report } = await stage.succeed(documents);
    expect(report.outcomes.at(-1)?.remarks).toEqual(["adopted"]);
    expect(await stage.mend()).toBe(10);
    expect(await stage.names()).toEqual(names);
  });

  test.each([
    [409, undefined],
    [403, "forbidden"],
  ])("then a permanent %i: the report says that the resource may exist", async (status, stopped) => {
    await stage.breaks({ method: "POST", path, times: 1, drop: "before" }, { method: "POST", path, status });
    const { report } = await stage.run(documents);
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "unclear" });
    expect(report.stopped?.reason).toBe(stopped);
  });

  test("then a 400: the report says that an earlier try may have created the resource", async () => {
    await stage.breaks(
      { method: "POST", path, times: 1, drop: "before" },
      { method: "POST", path, status: 400 },
    );
    const { report } = await stage.run(documents);
    expect(report.outcomes.at(-1)).toMatchObject({
      status: "failed",
      code: "unclear",
      message: expect.stringMatching(
        /^the resource may or may not have been created, and the next try failed: 400 on POST /,
      ),
    });
  });
});

test("a 404 about what the run has just made is tried again, and any other is not", async () => {
  const withVariable = [...shop, job("shop/staging/a", { variables: { A: "b" } })];
  await stage.breaks(...paths.slice(1).map((path) => ({ method: "POST", path, status: 404, times: 2 })), {
    method: "POST",
    path: "/variable",
    status: 404,
    times: 2,
  });
  await stage.succeed(withVariable);
  expect(await stage.names()).toEqual(names);
  expect(await stage.mend()).toBe(6);
  await stage.breaks({ method: "POST", path: "/environment/*/job", status: 404 });
  const { report } = await stage.run([...withVariable, job("shop/staging/b")]);
  expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "not_found" });
  // Two that were refused and one that was not, and then one.
  expect((await stage.requests()).filter((request) => request === "POST /environment/{id}/job")).toHaveLength(
    4,
  );
});

describe("POST, 409", () => {
  const path = "/environment/*/job";
  const conflict = { method: "POST", path, status: 409 };

  test("a resource that another client has created meanwhile is accepted when it is as wanted", async () => {
    const { report } = await stage.succeed(documents, {
      planned: async () => {
        await stage.succeed(documents);
        await stage.breaks({ method: "POST", status: 409 });
      },
    });
    expect(report.outcomes).toMatchObject(
      names.map(() => ({ status: "done", already: true, remarks: ["created_by_another"] })),
    );
    expect(await stage.names()).toEqual(names);
  });

  test("a resource that another client has created differently is reported and not changed", async () => {
    await stage.succeed(shop);
    const { report } = await stage.run(documents, {
      planned: async () => {
        await stage.succeed([...shop, job("shop/staging/A", { cpu: 100 })]);
        await stage.breaks(conflict);
      },
    });
    const { id } = await stage.answer("shop/staging/JOB A");
    expect(report.outcomes.at(-1)).toMatchObject({
      status: "failed",
      code: "exists",
      message: `a Job of that name (${String(id)}) has appeared meanwhile and differs in cpu`,
    });
    expect(await stage.answer("shop/staging/JOB A")).toMatchObject({ cpu: 100 });
  });

  test("no resource has the name: the run waits for another operation", async () => {
    await stage.breaks({ ...conflict, times: 3 });
    await stage.succeed(documents);
    expect(await stage.mend()).toBe(3);
  });

  const taken = (message: string) => ({ ...conflict, body: { status: 409, error: "Conflict", message } });

  test("a holder of the name that no list shows is looked at, and taken for what it is", async () => {
    await stage.succeed(shop);
    const { report } = await stage.run(documents, {
      planned: async () => {
        await stage.succeed(documents);
        const { id } = await stage.answer("shop/staging/JOB a");
        await stage.requests();
        await stage.breaks(taken(`name: the job ${String(id)} already has the name "a"`), {
          method: "GET",
          path: "/environment/*/services",
          status: 200,
          body: { results: [] },
        });
      },
    });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "done", remarks: ["created_by_another"] });
    expect((await stage.requests()).filter((each) => each === "POST /environment/{id}/job")).toHaveLength(1);
  });

  test("a name is tried again if its holder has been renamed since the server called the name taken", async () => {
    await stage.succeed(shop);
    const { report } = await stage.run(documents, {
      planned: async () => {
        await stage.succeed([...shop, job("shop/staging/b")]);
        const { id } = await stage.answer("shop/staging/JOB b");
        await stage.breaks({ ...taken(`name: the job ${String(id)} already has the name "a"`), times: 1 });
      },
    });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "done" });
  });

  test("a name that the server calls taken, and that nothing has, is given up early", async () => {
    const id = "11111111-2222-4333-8444-555555555555";
    await stage.breaks(taken(`name: the application ${id} already has the name "a"`));
    const { report } = await stage.run(documents);
    expect(report.outcomes.at(-1)).toMatchObject({
      status: "failed",
      code: "exists",
      message: expect.stringContaining("the server says that the name is taken"),
    });
    const posts = (await stage.requests()).filter((each) => each === "POST /environment/{id}/job");
    expect(posts.length).toBeLessThan(12);
  });

  test("a permanent 409 ends at the time limit with the reason", async () => {
    await stage.breaks(conflict);
    const { report } = await stage.run(documents, { limits: { busy: 1000 } });
    expect(report.outcomes.at(-1)).toMatchObject({
      status: "failed",
      code: "busy",
      message: expect.stringMatching(/^another operation has been in progress for 1 s: 409 on POST .*$/),
    });
  });
});

test("two resources of one name are refused, with both ids", async () => {
  await stage.succeed(shop);
  const { report } = await stage.run(documents, {
    planned: async () => {
      await stage.succeed(documents);
      const { id } = await stage.answer("shop/staging");
      const again = await stage.answer("shop/staging/JOB a");
      await stage.harness.api("POST", `/environment/${String(id)}/job`, {
        name: "A",
        schedule: again["schedule"],
        source: { image: { image_name: "x", tag: "1", registry_id: registryOf(again) } },
        healthchecks: {},
      });
      await stage.breaks({ method: "POST", path: "/environment/*/job", status: 409 });
    },
  });
  const ids = (await stage.everything())
    .filter(([path]) => path.includes("JOB"))
    .map(([, { id }]) => String(id));
  expect(ids).toHaveLength(2);
  expect(report.outcomes.at(-1)).toMatchObject({
    status: "failed",
    code: "twins",
    message: `the API has 2 resources of the kind Job with the name "a": ${ids.join(", ")}`,
  });
});

function registryOf(answer: Awaited<ReturnType<FaultyServer["answer"]>>): unknown {
  const source = answer["source"] as { image: { registry: { id: string } } };
  return source.image.registry.id;
}
