import { renameSync } from "node:fs";
import { rename } from "node:fs/promises";
import picocolors from "picocolors";
import { expect, test } from "vitest";
import { withAdvice } from "../../../cli/render/remedies.ts";
import { renderServiceStatus } from "../../../cli/render/service-status.ts";
import { serve } from "../../../reconciler/service/service.ts";
import type { ServiceStatus } from "../../../reconciler/show/status-form.ts";
import { job, shop } from "../../fixtures/manifests.ts";
import { startBench } from "../fixture.ts";
import { endWith, showPage, type ShownPage, environmentState } from "./page-fixture.ts";

const title = /<title>([^<]*)</;

async function headlineOf(page: ShownPage): Promise<string> {
  const { text } = await page.get("/");
  const [, headline = ""] = /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(text) ?? [];
  return headline
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

async function statusOf(page: ShownPage): Promise<ServiceStatus> {
  return JSON.parse((await page.get("/status.json")).text) as ServiceStatus;
}

const synced = endWith(environmentState("shop/dev", "synced"), environmentState("shop/staging", "synced"));
const known = "2 of 2 environments synced with 3f2c1a9, checked";
const unknown = "Out of date, 2 of 2 environments were synced with 3f2c1a9, checked";

test.each<[name: string, because: string, begin: (page: ShownPage) => unknown]>([
  [
    "while the API does not answer",
    "unanswered",
    ({ board, clock }) => board.waiting(new Date(clock.now() + 5_000), "retry"),
  ],
  [
    "while the repository cannot be read",
    "unread",
    ({ board }) => board.journal.repositoryRead({ code: "repository", reason: "the host is unknown" }),
  ],
  [
    "after a cycle that has failed",
    "failed",
    ({ board, clock }) => board.failed({ code: "unreachable", reason: "no route" }, 1, clock.now() + 60_000),
  ],
  ["after a look that was due and did not come", "stale", ({ clock }) => clock.advance(300_000)],
])("nobody claims that environments are synced %s", async (_, because, begin) => {
  const page = await showPage();
  await page.ended(synced);
  page.clock.advance(40_000);
  expect(await headlineOf(page)).toBe(`${known} 40 s ago`);
  expect(await statusOf(page)).not.toHaveProperty("in_doubt");
  expect((await page.get("/metrics")).text).toContain("infrasync_source_in_doubt 0");

  await begin(page);
  expect(await headlineOf(page)).toContain(unknown);
  expect(title.exec((await page.get("/")).text)?.[1]).toContain("Out of date");
  const status = await statusOf(page);
  expect(status).toMatchObject({ in_doubt: { because } });
  expect(renderServiceStatus(status, picocolors.createColors(false))).toContain(unknown);
  expect((await page.get("/metrics")).text).toContain("infrasync_source_in_doubt 1");

  await page.ended(synced);
  expect(await headlineOf(page)).toBe(`${known} 0 s ago`);
});

test("an outage of the repository is told even if it is over before the next cycle", async () => {
  const bench = await startBench();
  const { repository, clock, reconciler } = bench;
  const page = await showPage();
  repository.push({ "infra/shop.yaml": shop, "infra/a.yaml": job("a") });
  const stop = new AbortController();
  const lines: string[] = [];
  const write = (level: string) => (_: unknown, message: string) => void lines.push(`${level} ${message}`);
  const away = `${repository.origin}.away`;
  page.board.journal.onEntries((entries) => {
    if (entries.some(({ type }) => type === "repository_away")) renameSync(away, repository.origin);
  });
  let cycles = 0;
  await serve({
    reconciler,
    interval: 60_000,
    // Live resources are looked at seldom, the repository each minute.
    rateBudget: {
      get nextLiveRead() {
        return clock.now() + 600_000;
      },
    },
    clock,
    signal: stop.signal,
    describe: withAdvice,
    log: { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") },
    journal: page.board.journal,
    observers: [
      {
        async ended() {
          cycles += 1;
          if (cycles === 2) stop.abort("SIGTERM");
          else await rename(repository.origin, away);
        },
      },
    ],
  });
  const { text } = await page.get("/journal");
  expect(text).toContain("the repository could not be read; trying again");
  expect(text).toContain("the repository can be read again");
});

test("a pause that begins while a cycle is at work is shown also when that cycle has ended", async () => {
  const page = await showPage();
  await page.ended(synced);
  const now = page.clock.now();
  const by = { id: "user:anna", name: "anna" };
  page.board.checking();
  const pause = { pattern: "shop/dev", until: now + 60_000, reason: "a move", by, at: now };
  await page.requests.change({ pauses: (all) => [...all, pause] }, by, now);
  await page.ended(synced);
  const suspended = async () =>
    (await statusOf(page)).environments.flatMap(({ name, suspended: holds = [] }) =>
      holds.map(({ reason }) => `${name}: ${reason}`),
    );
  expect(await suspended()).toEqual(["shop/dev: a move"]);
  await page.requests.change({ pauses: () => [] }, by, now);
  expect(await suspended()).toEqual([]);
});
