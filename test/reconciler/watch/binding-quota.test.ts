import { expect, test } from "vitest";
import { createClient } from "../../../core/index.ts";
import { Allowance, SharedLooks, TokenSharers } from "../../../reconciler/watch/index.ts";
import { waitFor } from "../../../reconciler/service/service.ts";
import { job } from "../../fixtures/manifests.ts";
import { startBench } from "../fixture.ts";

const minute = 60_000;

/** A project with an environment, and jobs in it. */
const documents = (team: number, cpu: number) =>
  `kind: Project\nname: team-${team}\n---\nkind: Environment\nproject: team-${team}\nname: live\nmode: STAGING\n` +
  ["a", "b", "c"].map((name) => job(name, `cpu: ${cpu}`, `team-${team}/live`)).join("");

/** New sources of one token and organization, which look when a service would. */
async function startSources(count: number, rateLimit: number) {
  const bench = await startBench({}, "admin", { onDrift: "apply" }, { clock: "frozen", rateLimit });
  const { server, repository, clock } = bench;
  const [sharers, looks] = [new TokenSharers(clock), new SharedLooks(clock)];
  const { url: baseUrl, tokens } = server.emulator;
  const commit = (team: number, cpu: number) =>
    void repository.push({ [`team-${team}/all.yaml`]: documents(team, cpu) });
  const sources = Array.from({ length: count }, (_, team) => {
    commit(team, 500);
    const client = createClient(
      { baseUrl, token: tokens.admin, onQuota: "fail", beforeWrite: async () => looks.wrote() },
      clock,
    );
    const allowance = new Allowance({ clock, interval: minute, sharers });
    const reconciler = bench.restart(`data-${team}`, `team-${team}`, {
      clients: () => Promise.resolve({ looking: client, looks }),
      allowance,
    });
    return { reconciler, allowance, next: 0, failures: 0, state: "" };
  });
  /** Minutes pass until all sources are in step. @returns how many; Infinity when they are not within three windows */
  const minutesUntilInStep = async () => {
    for (const source of sources) source.state = "";
    for (let passed = 0; passed < 3 * 60; passed += 1) {
      clock.advance(minute);
      await server.api("POST", "/_emulator/clock", { advance_ms: minute });
      for (const source of sources) {
        if (clock.now() < source.next) continue;
        source.state = await source.reconciler.cycle().then(
          ({ type }) => type,
          () => "failed",
        );
        source.failures = source.state === "failed" ? source.failures + 1 : 0;
        const rested = clock.now() + waitFor(minute, source.failures, 2 * minute);
        source.next = Math.max(rested, source.allowance.nextLiveRead);
      }
      if (sources.every(({ state }) => state === "in_step")) return passed;
    }
    return Infinity;
  };
  return { commit, minutesUntilInStep };
}

test("new sources whose token has few requests are in step within three windows, and so are their next commits", async () => {
  const { commit, minutesUntilInStep } = await startSources(4, 140);
  expect(await minutesUntilInStep()).toBeLessThan(Infinity);
  for (let team = 0; team < 4; team += 1) commit(team, 700);
  expect(await minutesUntilInStep()).toBeLessThan(Infinity);
});
