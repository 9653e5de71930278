import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { application, environment, job, project, shop } from "../../fixtures/documents.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";

let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open();
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(() => stage.reset());

const policy = { prune: true };
const pruning = environment("shop/staging", { manage: { prune: true } });
const refusal = (run: Promise<unknown>) => run.then(String, (error: Error) => error.message);

async function services(path: string) {
  const all = await stage.everything();
  return all.filter(([name]) => name.startsWith(`${path}/`)).map(([, answer]) => answer);
}

describe("a response about another resource", () => {
  test("to a list, which contains resources of another environment: none of them is pruned", async () => {
    await stage.succeed([...shop, environment("shop/production"), job("shop/production/a")]);
    const before = await stage.names();
    const { id } = await stage.answer("shop/staging");
    await stage.breaks({
      path: `/environment/${String(id)}/services`,
      status: 200,
      body: { results: await services("shop/production") },
    });
    expect(await refusal(stage.run([project(), pruning], { policy }))).toMatch(
      /^Unexpected answer to GET \S+: the server lists the Job .* of .*, and the request was for those of .*; check whether a proxy in between caches answers$/,
    );
    await stage.mend();
    expect(await stage.names()).toEqual(before);
  });

  test("to a list, which contains one id under two names: the unmanaged one is not pruned", async () => {
    const documents = [project(), pruning, job("shop/staging/a")];
    await stage.succeed(documents);
    const [a] = await services("shop/staging");
    const { id } = await stage.answer("shop/staging");
    await stage.breaks({
      path: `/environment/${String(id)}/services`,
      status: 200,
      body: { results: [{ ...a, name: "b" }, a] },
    });
    expect(await refusal(stage.run(documents, { policy }))).toMatch(
      new RegExp(
        `^Unexpected answer to GET \\S+: the server lists two Jobs of one id, ${String(a?.["id"])}; `,
      ),
    );
    await stage.mend();
    expect(await stage.names()).toContain("shop/staging/JOB a");
  });

  describe("to a creation", () => {
    const path = "/organization/*/project";
    const others = async () => ({ ...(await stage.answer("others")) });
    beforeEach(() => stage.succeed([project("others")]));

    test("is not mistaken for the new resource: its contents are created in the right parent", async () => {
      await stage.breaks({ method: "POST", path, status: 201, body: await others(), carry_out: true });
      await stage.succeed([...shop, job("shop/staging/a")]);
      expect(await stage.names()).toEqual(["others", "shop", "shop/staging", "shop/staging/JOB a"]);
    });

    test("and no resource has the name: the request is not repeated, and nothing is created inside the other resource", async () => {
      await stage.breaks({ method: "POST", path, status: 201, body: await others() });
      const { report } = await stage.run([...shop, job("shop/staging/a")]);
      expect(report.outcomes.map(({ status, code }) => code ?? status)).toEqual([
        "unclear",
        "skipped",
        "skipped",
      ]);
      expect(report.outcomes[0]?.message).toMatch(
        /^the server answers with "others" \(.*\), and no resource has the name "shop"$/,
      );
      expect(report.outcomes[0]?.remedies).toEqual([{ inspect: true }]);
      expect(await stage.mend()).toBe(1);
      expect(await stage.names()).toEqual(["others"]);
    });
  });

  test("to an update: the resource is read, and the update repeated only if something still differs", async () => {
    const documents = (cpu: number) => [
      ...shop,
      job("shop/staging/a", { cpu }),
      application("shop/staging/b"),
    ];
    await stage.succeed(documents(500));
    const other = await stage.answer("shop/staging/APPLICATION b");
    const put = { method: "PUT", path: "/job/*", status: 200, body: other, times: 1 };
    await stage.breaks({ ...put, carry_out: true });
    await stage.requests();
    await stage.succeed(documents(750));
    expect((await stage.requests()).filter((request) => request.startsWith("PUT"))).toHaveLength(1);
    await stage.mend();
    await stage.breaks(put);
    await stage.succeed(documents(250));
    expect(await stage.answer("shop/staging/JOB a")).toMatchObject({ cpu: 250 });
  });
});
