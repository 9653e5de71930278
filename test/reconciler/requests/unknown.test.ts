import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { identityOfUser } from "../../../reconciler/identity.ts";
import { Audit } from "../../../reconciler/journal/index.ts";
import { everywhere, type Person } from "../../../reconciler/people/index.ts";
import { UserActions } from "../../../reconciler/requests/index.ts";
import { Deleters, othersOf, SourceClaims } from "../../../reconciler/sources/index.ts";
import { withAdvice } from "../../../cli/render/remedies.ts";
import { environmentStatuses, withPauses } from "../../../reconciler/show/environment-statuses.ts";
import { job, shop } from "../../fixtures/manifests.ts";
import { noJournal } from "../cycle-words.ts";
import { type Bench, startBench } from "../fixture.ts";

const anna: Person = { identity: identityOfUser("anna"), grants: [everywhere("approve")] };
const at = (cpu: number) => ({ "infra/shop.yaml": shop + job("a", `cpu: ${cpu}`) });

const cpuIn = async ({ server }: Bench) => (await server.everything()).get("shop/staging/JOB a")?.["cpu"];

function actionsAt({ requests, reconciler, clock, repository }: Bench): UserActions {
  return new UserActions({
    requests,
    audit: new Audit(join(repository.folder, "data"), clock),
    clock,
    linesOf: async (commits) => [...commits],
    known: () => reconciler.known,
    changed: () => undefined,
  });
}

test.each([
  ["damaged", (file: string) => writeFile(file, "{broken"), "is damaged: the content is not JSON"],
  [
    "of another form",
    (file: string) => writeFile(file, '{"version":1,"pauses":7}'),
    "is damaged: requested is missing",
  ],
])(
  "while the requests of people are %s, the service compares and shows, and changes nothing until they are repaired",
  async (_what, damage, said) => {
    const bench = await startBench({});
    const { repository } = bench;
    const good = repository.push(at(500));
    await bench.cycle();
    repository.push(at(750));
    await bench.cycle();
    const before = actionsAt(bench);
    const of = { environment: "shop/staging" };
    await before.take({ type: "rollback", ...of, commit: good }, anna, "203.0.113.9");
    await bench.cycle();
    expect(await cpuIn(bench)).toBe(500);

    const file = join(repository.folder, "data", "requests.json");
    const kept = await readFile(file, "utf8");
    await damage(file);
    bench.reconciler = bench.restart();
    const { end } = await bench.cycle();
    const staging = end.environments?.find(({ environment }) => environment === "shop/staging");
    expect(staging).toMatchObject({
      state: "waiting",
      changes: [{ address: "job:shop/staging/a" }],
      reason: expect.stringContaining(`paused by the service (**): ${file} ${said}; delete the file`),
    });
    expect(await cpuIn(bench)).toBe(500);
    expect(staging?.until).toBeUndefined();
    const [shown] = environmentStatuses(staging ? [staging] : [], {
      ...noJournal,
      services: end.services,
      describe: withAdvice,
      console: undefined,
      now: bench.clock.now(),
    });
    expect(shown).not.toHaveProperty("suspended.0.until");
    expect(shown?.suspended).toMatchObject([{ by: { name: "the service" }, environments: "**" }]);
    expect(shown && withPauses(shown, bench.requests.pauses, bench.clock.now())).toEqual(shown);
    const actions = actionsAt(bench);
    await expect(actions.take({ type: "sync", ...of }, anna, "203.0.113.9")).rejects.toThrow(
      `nothing is done, because ${file} ${said}; delete the file`,
    );
    expect(await actions.take({ type: "refresh", ...of }, anna, "203.0.113.9")).toContain("are read again");

    // The file that was repaired holds the rollback still.
    await writeFile(file, kept);
    await bench.cycle();
    expect(await cpuIn(bench)).toBe(500);
    await rm(file);
    bench.reconciler = bench.restart();
    await bench.cycle();
    expect(await cpuIn(bench)).toBe(750);
  },
);

test("requests that could not be read stay unknown until a cycle reads them, although the file is repaired meanwhile", async () => {
  const bench = await startBench({});
  bench.repository.push(at(500));
  await bench.cycle();
  const file = join(bench.repository.folder, "data", "requests.json");
  await writeFile(file, "{broken");
  bench.repository.push(at(750));
  bench.reconciler = bench.restart();
  const { requests } = bench;
  await requests.open();
  await rm(file);
  await actionsAt(bench)
    .take({ type: "sync", environment: "" }, anna, "203.0.113.9")
    .catch(() => undefined);
  expect(requests.pauses).toMatchObject([{ pattern: "**", by: { name: "the service" } }]);
  await bench.cycle();
  expect(await cpuIn(bench)).toBe(750);
});

test("where the requests for another source are damaged, only environments that it may have had are paused", async () => {
  const bench = await startBench({});
  const { repository, clock } = bench;
  repository.push(at(500));
  await bench.cycle();
  const production = "---\nkind: Environment\nproject: shop\nname: production\nmode: PRODUCTION\n";
  repository.push({
    "infra/shop.yaml": shop + job("a", "cpu: 750") + production + job("b", "", "shop/production"),
  });
  let text = "{broken";
  const memories = async () => [{ name: "before", place: "there", state: undefined, requests: text }];
  const others = othersOf("moved", new SourceClaims(clock), new Deleters(), memories);
  const { requests } = bench;
  await requests.know(["", "shop", "shop/staging"]);
  bench.reconciler = bench.restart("data", "infra", { others });
  const { end } = await bench.cycle();
  expect(end.environments).toMatchObject([
    { environment: "shop", state: "synced" },
    { environment: "shop/staging", state: "synced" },
    {
      environment: "shop/production",
      state: "waiting",
      reason: expect.stringMatching(
        /^paused by the service: requests\.json of the source before, in there, is damaged/,
      ),
    },
  ]);
  expect(await cpuIn(bench)).toBe(750);
  // The next cycle comes soon, however long the interval is: somebody may have mended them.
  expect(bench.rateBudget.attention).toBeLessThanOrEqual(clock.now() + 10_000);
  text = await readFile(join(repository.folder, "data", "requests.json"), "utf8");
  expect((await bench.cycle()).end.environments?.map(({ state }) => state)).toEqual([
    "synced",
    "synced",
    "synced",
  ]);
});
