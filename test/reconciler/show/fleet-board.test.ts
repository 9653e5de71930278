import picocolors from "picocolors";
import { expect, test } from "vitest";
import { anybody } from "../../../reconciler/identity.ts";
import { renderFleetStatus } from "../../../cli/render/fleet-status.ts";
import { DatabaseError } from "../../../adapters/database/index.ts";
import { FleetBoard } from "../../../reconciler/show/fleet-board.ts";
import { renderFleet } from "../../../reconciler/show/page/fleet-overview.ts";
import { html } from "../../../adapters/web/html.ts";
import { fleetMetrics } from "../../../reconciler/show/metrics/fleet-metrics.ts";
import { everywhere, type Person } from "../../../reconciler/people/index.ts";
import { movableClock } from "../../fixtures/movable-clock.ts";

const reader: Person = { identity: anybody, grants: [everywhere("see")] };
const source = { name: "shop", file: "a.yaml", repository: "https://git.example.com/a.git" };

const since = "2026-12-01T08:00:00.000Z";
const environments = ["shop/dev", "shop/production"].map((name) => ({
  name,
  state: "synced",
  since,
  services: [],
}));

/** A board over one source that does not run here, with what another worker has said about it. */
function boardOf({ isAdmitted }: { isAdmitted: boolean }) {
  const clock = movableClock();
  const member = { source, running: undefined, since: clock.now(), isAdmitted, isEnding: false };
  const database = { answerTime: 10 };
  const board = new FleetBoard({
    clock,
    members: () => [member],
    describe: ({ message }) => message,
    answerTime: () => database.answerTime,
  });
  const checkedAt = new Date(clock.now()).toISOString();
  const reported = (age: number) =>
    board.others([
      {
        source: "shop",
        worker: "1f3ab2c4-0000-4000-8000-000000000000",
        host: "other",
        age,
        view: { ...source, state: "synced", synced: 2, environments, checked_at: checkedAt },
      },
    ]);
  const texts = () => {
    const status = board.status(reader);
    const selection = { search: "", page: 1, state: undefined, team: undefined };
    return [
      renderFleet(status, selection, html``)
        .replaceAll(/<[^>]*>/g, "")
        .replaceAll(/\s+/g, " "),
      renderFleetStatus(status, picocolors.createColors(false)),
    ];
  };
  return { board, clock, database, reported, texts, shown: () => board.status(reader).sources[0] };
}

test("a source without a report for 15 seconds does not run, whatever its state was", () => {
  const { clock, reported, shown, texts } = boardOf({ isAdmitted: false });
  clock.advance(600_000);
  reported(2000);
  expect(shown()).toMatchObject({ state: "synced", worker: { name: "1f3ab2c4", host: "other" } });
  for (const text of texts()) expect(text).toMatch(/2 of 2 synced(,| ·) checked 10 min ago/);
  reported(16_000);
  expect(shown()).toMatchObject({ state: "down", failure: { reason: "no worker has run it since then" } });
  for (const text of texts()) {
    expect(text).toContain("2 of 2 synced as of 10 min ago");
    expect(text).not.toMatch(/synced(,| ·) checked/);
  }
});

test("a source that no worker has taken within a minute does not run; one that waits for its turn here does", () => {
  for (const [isAdmitted, state] of [
    [false, "down"],
    [true, "unread"],
  ] as const) {
    const { clock, shown } = boardOf({ isAdmitted });
    expect(shown()?.state).toBe("unread");
    clock.advance(61_000);
    expect(shown()?.state).toBe(state);
  }
});

test("while the database is away, nobody knows at once how any source stands, and each worker says so", async () => {
  const { board, database, reported, shown, texts } = boardOf({ isAdmitted: false });
  database.answerTime = 1500;
  const metrics = fleetMetrics({
    board,
    version: "1",
    running: () => new Map(),
    deliveries: () => ({ waiting: 2, delivered: 0, failed: 7, lost: 0 }),
  });
  reported(2000);
  const before = await metrics.read();
  expect(before).toContain("infrasync_database_up 1");
  expect(before).toContain("infrasync_database_answer_seconds 1.5");
  // Its worker reports it.
  expect(before).not.toContain('source="shop"');
  for (const text of texts()) expect(text).toContain("is too slow: an answer takes 1.5 s");
  database.answerTime = 999;
  expect(board.status(reader)).not.toHaveProperty("database_slow_seconds");
  for (const text of texts()) expect(text).not.toContain("too slow");
  board.database(new DatabaseError("the database does not answer", "wait"));
  for (const text of texts()) expect(text).toContain("the database does not answer");
  expect(shown()).toMatchObject({ state: "unknown", in_doubt: { because: "database" } });
  const text = await metrics.read();
  for (const line of [
    "infrasync_database_up 0",
    'infrasync_source_in_doubt{source="shop",team=""} 1',
    'infrasync_source_state{state="unknown",source="shop",team=""} 1',
    'infrasync_fleet_sources{state="unknown"} 1',
    "infrasync_notifications_waiting 2",
    'infrasync_notifications_total{result="failed"} 7',
  ])
    expect(text).toContain(line);
  expect(renderFleetStatus(board.status(reader), picocolors.createColors(false))).toMatch(
    /^Source shop is out of date, 0 of 2 environments synced, in 1 source\nThe database that the workers share cannot be used, since .*: the database does not answer\n.*\n  the database that the workers share cannot be used since /,
  );
  board.database(undefined);
  expect(shown()?.state).toBe("synced");
});

test("a rule of the operator that restricts nothing in any source is told, once each source was looked at", () => {
  const clock = movableClock();
  const member = (name: string) => ({
    source: { ...source, name },
    running: undefined,
    since: clock.now(),
    isAdmitted: false,
    isEnding: false,
  });
  const board = new FleetBoard({
    clock,
    members: () => [member("one"), member("two")],
    describe: ({ message }) => message,
  });
  const reported = (...idle: (string[] | undefined)[]) => {
    const view = { state: "synced", synced: 2, environments };
    board.others(
      ["one", "two"].map((name, at) => ({
        source: name,
        worker: "w",
        host: "other",
        age: 0,
        view: { ...source, ...view, name, ...(idle[at] && { idle: idle[at] }) },
      })),
    );
    return board.status(reader).notes;
  };
  expect(reported(["a route", "a role"], undefined)).toBe(undefined);
  expect(reported(["a route", "a role"], ["a role"])).toEqual(["a role"]);
  expect(board.status({ ...reader, grants: [] }).notes).toBe(undefined);
});

test("the numbers beside the states count environments, as the headline does, and a project has none", () => {
  const { board, reported } = boardOf({ isAdmitted: false });
  reported(2000);
  const { sources, ...status } = board.status(reader);
  const pageWith = (state: "synced" | "drift") => {
    const project = { name: "shop", state, since, services: [] };
    const withProject = sources.map((each) => ({ ...each, environments: [project, ...each.environments] }));
    const selection = { search: "", page: 1, state: undefined, team: undefined };
    return renderFleet({ ...status, sources: withProject }, selection, html``);
  };
  const text = pageWith("synced").replaceAll(/<[^>]*>/g, "");
  expect(text).toMatch(/2 of 2 environments synced[^]*all\s+2\s+synced\s+2\s/);
  // A project has a row of its own only where it is not synced.
  expect(pageWith("synced")).not.toContain('aria-label="shop"');
  expect(pageWith("drift")).toMatch(/<article[^>]* aria-label="shop"[^]*shop\/dev/);
});

test("of 12 sources with 10 environments each, the page and its headline begin with the broken one; search finds environments, services, sources and teams", () => {
  const clock = movableClock();
  const sources = Array.from({ length: 12 }, (_, index) => ({
    ...source,
    name: `team-${index}`,
    team: index < 6 ? "blue" : "red",
  }));
  const members = sources.map((each) => ({
    source: each,
    running: undefined,
    since: clock.now(),
    isAdmitted: false,
    isEnding: false,
  }));
  const board = new FleetBoard({ clock, members: () => members, describe: ({ message }) => message });
  board.others(
    sources.map((each) => ({
      source: each.name,
      worker: "1f3ab2c4-0000-4000-8000-000000000000",
      host: "other",
      age: 0,
      view: {
        ...each,
        state: each.name === "team-7" ? "unhealthy" : "synced",
        synced: each.name === "team-7" ? 9 : 10,
        checked_at: since,
        environments: Array.from({ length: 10 }, (_, index) => ({
          name: `${each.name}/env-${index}`,
          since,
          services: [`api-of-${each.name}`],
          commit: { id: "3f2c1a9".padEnd(40, "0"), subject: "Raise the memory", author: "Ada", at: since },
          ...(each.name === "team-7" && index === 9
            ? { state: "unhealthy", reason: "container api: its probe fails" }
            : { state: "synced" }),
        })),
      },
    })),
  );
  const page = (search = "", team?: string) =>
    renderFleet(board.status(reader), { search, page: 1, state: undefined, team }, html``);
  const names = (text: string) =>
    [...text.matchAll(/<article[^>]* aria-label="([^"]*)"/g)].map(([, name]) => name);
  expect(names(page())).toHaveLength(100);
  expect(names(page())[0]).toBe("team-7/env-9");
  expect(page()).toMatch(
    /<h1[^>]*>team-7\/env-9 is unhealthy, 119 of 120 environments synced, in 12 sources</,
  );
  expect(page()).toContain("its probe fails");
  const [broken = "", synced = ""] = [...page().matchAll(/<article[^]*?<\/article>/g)].map(([card]) => card);
  for (const card of [broken, synced]) expect(card).toMatch(/title="Raise the memory · Ada">3f2c1a9<[^]*Ada/);
  expect(synced).toMatch(/3f2c1a9<[^]* · Ada · synced\s+for/);
  expect(board.status(reader).sources[1]?.environments[0]).toMatchObject({
    state: "synced",
    since,
    commit: { subject: "Raise the memory", author: "Ada" },
  });
  expect(names(page("team-3/env-4"))).toEqual(["team-3/env-4"]);
  expect(new Set(names(page("api-of-team-11")))).toEqual(
    new Set(Array.from({ length: 10 }, (_, index) => `team-11/env-${index}`)),
  );
  expect(names(page("team-7"))[0]).toBe("team-7/env-9");
  expect(names(page("", "red"))).toHaveLength(60);
  expect(names(page("red"))).toHaveLength(60);
});
