import { expect, test } from "vitest";
import { PartsCache } from "../../../core/state/live/index.ts";
import { startBench } from "../fixture.ts";
import { temporaryFolder } from "../../fixtures/temporary-folder.ts";

const minute = 60_000;

/** 20 environments of 10 jobs with two variables each. @param value that of one variable of one job */
function manifests(value: string): string {
  const names = Array.from({ length: 20 }, (_, index) => `e${index}`);
  return [
    "kind: Project\nname: shop\n",
    ...names.map((name) => `kind: Environment\nproject: shop\nname: ${name}\nmode: STAGING\n`),
    ...names.flatMap((name) =>
      Array.from(
        { length: 10 },
        (_, index) =>
          `kind: Job\nenvironment: shop/${name}\nname: j${index}\n` +
          "source: { image: { registry: docker-hub, image_name: acme/report, tag: 1.4.2 } }\n" +
          `schedule: { cronjob: { scheduled_at: "0 3 * * *" } }\n` +
          `variables: { NAME: ${name === "e3" && index === 4 ? value : "same"}, LEVEL: info }\n`,
      ),
    ),
  ].join("---\n");
}

test("a commit that changes one of 200 jobs costs a few requests, and in a new process one more list for each environment", async () => {
  const folder = temporaryFolder("parts");
  const more: { cache?: PartsCache } = {};
  const bench = await startBench(
    {},
    "admin",
    {},
    { clock: "frozen", behaviour: { rate_limit: 5000 } },
    undefined,
    more,
  );
  const { server, clock, repository } = bench;
  const start = () => {
    const { url: baseUrl, tokens } = server.emulator;
    more.cache = new PartsCache({ folder, token: tokens.admin, baseUrl, maxAge: 60 * minute, fresh: false });
    return bench.restart();
  };
  let reconciler = start();
  const cycle = async (minutes = 1) => {
    clock.advance(minutes * minute);
    await server.advance(minutes * minute);
    await server.forgetRequests();
    await reconciler.cycle();
    return (await server.seen()).map(
      ({ method, path }) => `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, "{id}")}`,
    );
  };
  repository.push({ "infra/all.yaml": manifests("one") });
  for (let index = 0; index < 4; index += 1) await cycle();
  // The events of the creations are read again for twenty minutes, because the server may list others late.
  for (let index = 0; index < 3; index += 1) await cycle(10);

  repository.push({ "infra/all.yaml": manifests("two") });
  const commit = await cycle();
  expect(commit.length).toBeLessThanOrEqual(15);
  expect(commit.filter((request) => request.startsWith("PUT"))).toEqual(["PUT /variable/{id}"]);
  // Within an hour everything is read in turn, and what was read is kept for the next process.
  for (let index = 0; index < 3; index += 1) await cycle(10);

  reconciler = start();
  repository.push({ "infra/all.yaml": manifests("three") });
  const restarted = await cycle();
  expect(restarted.filter((request) => request.startsWith("PUT"))).toEqual(["PUT /variable/{id}"]);
  // Its variables when they are planned and when they are written, beside the lists and the statuses of 20 environments.
  expect(restarted.filter((request) => request === "GET /variable")).toHaveLength(2);
  expect(restarted.length).toBeLessThanOrEqual(50);
});

test("a commit that changes one of 200 jobs 20 s after they were created reads little of what the apply has answered", async () => {
  const bench = await startBench({}, "admin", {}, { clock: "frozen", behaviour: { rate_limit: 5000 } });
  const { server, clock, repository } = bench;
  const cycle = (seconds: number) => {
    clock.advance(seconds * 1000);
    return server.advance(seconds * 1000).then(() => bench.cycle());
  };
  repository.push({ "infra/all.yaml": manifests("one") });
  await cycle(60);
  // Somebody else changes another job at the moment of the apply.
  const id = await server.idOf("shop/e7/JOB j2");
  const variables = await server.results(`/variable?parent_id=${id}&scope=JOB`);
  const variable = variables.find(({ key }) => key === "LEVEL");
  await server.api("PUT", `/variable/${String(variable?.["id"])}`, { key: "LEVEL", value: "manually" });
  repository.push({ "infra/all.yaml": manifests("two") });
  const commit = await cycle(20);
  // Seven of them are pages of the 661 events since, and one proves that a list of new length is whole.
  expect(commit.requests).toContain("PUT /variable/{id}");
  expect(commit.requests.length).toBeLessThanOrEqual(16);
  const check = await cycle(20);
  expect(check.end).toMatchObject({
    type: "drift",
    changes: [{ address: "job:shop/e7/j2", fields: ["variables.LEVEL info -> manually"] }],
  });
  expect(check.requests.length).toBeLessThanOrEqual(15);
});
