import { execFileSync } from "node:child_process";
import { request } from "node:http";
import { readFileSync } from "node:fs";
import { readFile, writeFile, symlink } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { Ajv } from "ajv";
import type { FastifyRequest } from "fastify";
import picocolors from "picocolors";
import { expect, onTestFinished, test } from "vitest";
import { parseAddress, parseAnyAddress } from "../../../core/model/addresses/address.ts";
import { renderServiceStatus } from "../../../cli/render/service-status.ts";
import type { ServiceStatus } from "../../../reconciler/show/status-form.ts";
import { serviceStatusForm } from "../../../reconciler/show/status-form.ts";
import { FailedLogins, PeopleGate } from "../../../reconciler/people/index.ts";
import { loginOriginOf } from "../../../reconciler/show/page/sessions.ts";
import { suspensionText } from "../../../reconciler/policy/index.ts";
import { syncStates } from "../../../reconciler/sync-states.ts";
import type { Change } from "../../../reconciler/decide/index.ts";
import { findTool, mayBeMissing } from "../../fixtures/tools.ts";
import { commit, endWith, interval, showPage, environmentState } from "./page-fixture.ts";
import { withAdvice } from "../../../cli/render/remedies.ts";

/** The text of HTML, without its tags. */
const textOf = (html: string) =>
  html
    .replace(/<style>.*?<\/style>|<script>.*?<\/script>/gs, "")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/\s+/g, " ");

test("the page says at a glance how many environments are synced, at which commit and since when, the worst first", async () => {
  const page = await showPage();
  expect(textOf((await page.get("/")).text)).toContain("No state yet");
  const drifted = {
    action: "update" as const,
    address: "job:shop/staging/report",
    cause: "drift" as const,
    fields: ["cpu 500 -> 1000"],
    by: "dev@example.com, CONSOLE, 2026-12-01T14:02:00.000Z",
    keep: "cpu: 1000",
  };
  const problem = {
    code: "replacement" as const,
    message: "the job must be replaced",
    address: "job:shop/production/x",
  };
  await page.ended(
    endWith(
      environmentState("shop/dev", "synced"),
      environmentState("shop/staging", "drift", { changes: [drifted] }),
      environmentState("shop/production", "blocked", {
        problems: [{ ...problem, advice: "write `consent: <x>`" }],
        applied: "9".repeat(40),
      }),
    ),
  );
  page.clock.advance(40_000);
  const { text, headers } = await page.get("/");
  const shown = textOf(text);
  expect(shown).toContain(
    "shop/production is blocked and 1 more is not synced, 1 of 3 environments synced with 3f2c1a9, checked 40 s ago",
  );
  expect(shown).toContain("Next check in 20 s");
  expect(shown).toContain("https://git.example.com/acme/infra.git · main · manifests");
  const order = ["shop/production", "shop/staging", "shop/dev"].map((name) =>
    text.indexOf(`<h3>${name}</h3>`),
  );
  expect(order).toEqual(order.toSorted((left, right) => left - right));
  expect(shown).toContain("Applied: 9999999");
  expect(text).toContain("the job must be replaced; write <code>consent: &lt;x&gt;</code>");
  expect(shown).toContain("cpu 500 -&gt; 1000");
  expect(shown).toContain("by dev@example.com, CONSOLE");
  expect(text).toContain('<pre class="paste" tabindex="0">cpu: 1000</pre>');
  expect(shown).toContain("Requests: 612 of 1000 left, the quota resets in 29 min");
  expect(text).not.toMatch(/<button(?! type="button")|type="submit"/);
  expect(headers.get("content-security-policy")).toMatch(
    /default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+';.*frame-ancestors 'none'/,
  );
});

test("while the newest commit has mistakes, the headline names the commit that is applied", async () => {
  const page = await showPage();
  const newest = "a".repeat(40);
  const mistake = { code: "invalid" as const, message: 'unknown kind "Jbo"', advice: "did you mean Job?" };
  const mistakes = Array.from({ length: 120 }, (_, at) => ({ ...mistake, message: `mistake ${at}` }));
  await page.ended({
    mistakes,
    commit: newest,
    spent: 0,
    environments: [
      environmentState("shop/dev", "synced"),
      environmentState("shop/staging", "drift", { problems: [mistake, ...mistakes.slice(1)] }),
    ],
  });
  const { text } = await page.get("/");
  expect(textOf(text)).toContain(
    "shop/staging has drift, 1 of 2 environments synced with 3f2c1a9, newest commit aaaaaaa not applied, checked",
  );
  expect(textOf(text)).toContain("The commit aaaaaaa is not applied as a whole");
  const status = JSON.parse((await page.get("/status.json")).text) as ServiceStatus;
  for (const reported of [status.problems, ...status.environments.flatMap(({ reasons }) => [reasons])].slice(
    0,
    2,
  ))
    expect(reported).toEqual(expect.arrayContaining([expect.stringContaining("and 20 more")]));
  expect(status.problems).toHaveLength(101);
  const rendered = renderServiceStatus(status, picocolors.createColors(false));
  expect(rendered).toContain(
    "shop/staging has drift, 1 of 2 environments synced with 3f2c1a9, newest commit aaaaaaa not applied, checked",
  );
  expect(rendered).toContain('\n  unknown kind "Jbo"\n    did you mean Job?\n');
  expect((await page.get("/metrics")).text).toContain("infrasync_newest_commit_not_applied 1");
  await page.ended(endWith(environmentState("shop/dev", "synced")));
  expect((await page.get("/metrics")).text).toContain("infrasync_newest_commit_not_applied 0");
});

test("an environment that is rolled back is not synced: the headline says to which commit, by whom and when", async () => {
  const page = await showPage();
  const at = new Date(page.clock.now() - 1_200_000).toISOString();
  const rolledBack = { commit: "20d7f1e".padEnd(40, "0"), by: { id: "user:anna", name: "anna" }, at };
  await page.ended(
    endWith(
      environmentState("shop/dev", "synced"),
      environmentState("shop/production", "rolled_back", { rolledBack }),
    ),
  );
  const headline = `shop/production is rolled back to 20d7f1e 20 min ago by anna, 1 of 2 environments synced with 3f2c1a9, checked`;
  expect(textOf((await page.get("/")).text)).toContain(headline);
  const status = JSON.parse((await page.get("/status.json")).text) as ServiceStatus;
  expect(status).toMatchObject({ synced: 1, environments: [{ state: "rolled_back" }, {}] });
  expect(renderServiceStatus(status, picocolors.createColors(false))).toContain(headline);
  expect((await page.get("/metrics")).text).toMatch(/environment_state\{.*state="rolled_back"\} 1/);
});

test.each([
  [25 * 3_600_000, "25 h ahead of"],
  [-120_000, "2 min behind"],
  [59_000, undefined],
])(
  "the page says where the clock of the machine is %d ms ahead of that of the server",
  async (ahead, said) => {
    const page = await showPage();
    page.clockAhead = ahead;
    await page.ended(endWith(environmentState("shop/dev", "synced")));
    const text = textOf((await page.get("/")).text);
    const status = JSON.parse((await page.get("/status.json")).text) as ServiceStatus;
    const rendered = renderServiceStatus(status, picocolors.createColors(false));
    for (const shown of [text, rendered])
      if (said === undefined) expect(shown).not.toContain("The clock of this machine");
      else expect(shown).toContain(`The clock of this machine is ${said} that of the server`);
  },
);

test("a pause is on the page and in the status at once, before the next cycle", async () => {
  const page = await showPage();
  await page.ended(
    endWith(environmentState("shop/dev", "synced"), environmentState("shop/staging", "drift")),
  );
  const suspended = async () =>
    (JSON.parse((await page.get("/status.json")).text) as ServiceStatus).environments.flatMap(
      ({ name, suspended: by = [] }) => by.map(({ reason }) => `${name}: ${reason}`),
    );
  const by = { id: "user:anna", name: "anna" };
  const until = page.clock.now() + 60_000;
  const pause = { pattern: "shop/staging", reason: "a migration", by, until, at: 0 };
  await page.requests.change({ pauses: (all) => [...all, pause] }, by, until - 1);
  expect(await suspended()).toEqual(["shop/staging: a migration"]);
  page.clock.advance(60_000);
  expect(await suspended()).toEqual([]);
});

test("a terminal shows a pause once, and how to approve a plan only until somebody has approved it", async () => {
  const page = await showPage();
  const [plan, by] = ["5eed".repeat(16), { id: "user:anna", name: "anna" }];
  const pause = { pattern: "shop/st*", reason: "a migration", by, until: page.clock.now() + 60_000, at: 0 };
  const [until, reason] = [pause.until, "a migration"];
  const suspensions = [{ until, reason, pause }];
  const [blocked, paused] = ["shop/dev", "shop/staging"];
  await page.ended(
    endWith(
      environmentState(blocked, "blocked", { plan }),
      environmentState(paused, "waiting", { suspensions, reason: suspensionText({ until, reason, pause }) }),
    ),
  );
  const onTerminal = () => renderServiceStatus(page.board.status(), picocolors.createColors(false));
  expect(onTerminal().match(/paused/g)).toHaveLength(1);
  expect(onTerminal()).toContain(" by anna (shop/st*): a migration\n");
  const advice = `reconcile approve ${blocked} --plan ${plan.slice(0, 16)}`;
  expect(onTerminal()).toContain(advice);
  const unapprovable = "the environment is protected";
  await page.ended(endWith(environmentState(blocked, "blocked", { plan, unapprovable })));
  expect(onTerminal()).not.toContain("to approve it");
  expect(page.board.status().environments.map((each) => each.plan)).toEqual([undefined]);
  await page.ended(endWith(environmentState(blocked, "blocked", { plan })));
  expect(onTerminal()).toContain(advice);
  await page.requests.change(
    {
      to: [{ key: "shop/dev", name: "shop/dev", names: ["shop", "dev"] }],
      requested: { type: "approve", plan },
    },
    by,
    0,
  );
  expect(onTerminal()).not.toContain(advice);
  expect(onTerminal()).toContain("approved by anna");
});

test("the page shows previews of pull requests, the worst first, with their pull requests and since when", async () => {
  const page = await showPage();
  expect(textOf((await page.get("/")).text)).not.toContain("Previews of pull requests");
  const preview = (number: number, others: object) => ({
    environment: `shop/pr-${number}`,
    number,
    pullRequest: { title: `Change <${number}>`, url: `https://git.example.com/acme/infra/pull/${number}` },
    commit,
    state: "ready" as const,
    ...others,
  });
  const tell = (...previews: ReturnType<typeof preview>[]) => page.board.previewsChecked({ previews });
  tell(preview(7, {}), preview(8, {}));
  page.clock.advance(30_000);
  const hostile = { title: "x", url: "javascript:alert(1)" };
  tell(
    preview(7, {}),
    preview(8, { state: "failed", reason: "the image is not there" }),
    preview(9, { pullRequest: hostile }),
  );
  page.clock.advance(10_000);
  const { text } = await page.get("/");
  const shown = textOf(text);
  expect(shown).toMatch(
    /Previews of pull requests.*shop\/pr-8 was failed 3f2c1a9 · failed for 10 s Pull request 8: Change &lt;8&gt; the image is not there.*shop\/pr-7 was ready 3f2c1a9 · ready for 40 s/,
  );
  expect(text).toContain(
    '<a href="https://git.example.com/acme/infra/pull/7">Pull request 7: Change &lt;7&gt;</a>',
  );
  expect(text).not.toContain("javascript:");
  expect(shown).toContain("Pull request 9: x");
  expect((await page.get("/metrics")).text).toContain('infrasync_previews{state="ready"} 2');

  page.board.previewsChecked({ failure: "401 from the Git host" });
  page.clock.advance(5_000);
  expect(textOf((await page.get("/")).text)).toContain(
    "Previews have not been updated for 5 s: 401 from the Git host",
  );
  const status: unknown = JSON.parse((await page.get("/status.json")).text);
  expect(new Ajv({ formats: { "date-time": true } }).validate(serviceStatusForm, status)).toBe(true);
  expect(status).toMatchObject({
    preview_failure: { reason: "401 from the Git host" },
    previews: [
      { name: "shop/pr-8", state: "failed", pull_request: { number: 8, title: "Change <8>" }, commit },
      { name: "shop/pr-7", state: "ready" },
      { name: "shop/pr-9", state: "ready" },
    ],
  });
  const onTerminal = renderServiceStatus(status as ServiceStatus, picocolors.createColors(false));
  expect(onTerminal).toContain("Previews have not been updated for 5 s: 401 from the Git host");
  expect(onTerminal).toContain(
    "shop/pr-8  failed for 15 s, 3f2c1a9\n  https://git.example.com/acme/infra/pull/8\n  the image is not there\nshop/pr-7  ready",
  );
  page.board.previewsChecked({ previews: [] });
  expect(textOf((await page.get("/")).text)).not.toContain("Previews of pull requests");
});

test("a state that is older than it should be says so by itself, and the loop's silence is seen", async () => {
  const page = await showPage();
  await page.ended(endWith(environmentState("shop/dev", "synced")));
  page.clock.advance(2 * interval);
  expect((await page.get("/")).text).not.toContain('class="stale"');
  page.clock.advance(interval + 1);
  const { text } = await page.get("/");
  expect(text).toContain('class="stale"');
  expect(text).toContain("<title>Out of date, 1 of 1 environments were synced");
  expect(JSON.parse((await page.get("/status.json")).text)).toMatchObject({ stale: true, synced: 1 });

  expect(await page.get("/healthz")).toMatchObject({ status: 200 });
  page.clock.advance(9 * interval);
  expect(await page.get("/healthz")).toMatchObject({ status: 503 });
  page.board.requested();
  expect(await page.get("/healthz")).toMatchObject({ status: 200 });
  // A wait for the quota is no silence.
  page.board.waiting(new Date(page.clock.now() + 3_000_000), "quota");
  page.clock.advance(3_000_000);
  expect(await page.get("/healthz")).toMatchObject({ status: 200 });
});

test.each([
  ["quota", "waiting for new requests, because the quota of the token is used up"],
  ["limited", "waiting, because the API takes no requests for a while (429)"],
  ["retry", "waiting for the API"],
] as const)("the page, its health and its status say what it waits for: %s", async (reason, words) => {
  const page = await showPage();
  const until = new Date(page.clock.now() + 40_000);
  page.board.waiting(until, reason);
  expect((await page.get("/healthz")).text).toBe(`ok, ${words}, until ${until.toISOString()}\n`);
  expect(textOf((await page.get("/")).text)).toContain(`Now ${words}, started 0 s ago; next check in 40 s.`);
  expect(JSON.parse((await page.get("/status.json")).text)).toMatchObject({
    activity: { type: "waiting", reason, until: until.toISOString() },
  });
});

test("a service that rests after 429 says so, and that it goes on", async () => {
  const page = await showPage();
  const next = page.clock.now() + interval;
  await page.board.failed({ code: "rate_limited", reason: "GET /x: 429" }, 1, next);
  expect(await page.get("/healthz")).toMatchObject({
    status: 200,
    text: `ok, waiting, because the API takes no requests for a while (429), until ${new Date(next).toISOString()}\n`,
  });
  page.board.checking();
  expect((await page.get("/healthz")).text).toBe("ok\n");
});

test("the service is ready also while the API or the quota is out, and no longer when it ends", async () => {
  const page = await showPage();
  await page.board.failed(
    { code: "failed", reason: "the API cannot be reached" },
    3,
    page.clock.now() + interval,
  );
  expect(await page.get("/readyz")).toMatchObject({ status: 200 });
  expect(textOf((await page.get("/")).text)).toContain(
    "The last 3 cycles have failed, since 0 s ago: the API cannot be reached",
  );
  page.stop.abort("SIGTERM");
  expect(await page.get("/readyz")).toMatchObject({ status: 503 });
});

test("nothing that comes from elsewhere is HTML", async () => {
  const page = await showPage();
  const evil = `<img src=x onerror=alert(1)>"'&\u202E`;
  const problem = { code: "invalid" as const, message: evil };
  await page.ended({
    ...endWith(
      environmentState(evil, "waiting", {
        reason: evil,
        applied: evil,
        changes: [{ action: "update", cause: "drift", address: evil, fields: [evil], by: evil, keep: evil }],
        driftLoops: [{ address: evil, fields: [evil], until: new Date().toISOString() }],
      }),
    ),
    mistakes: [problem],
    commit: evil,
  });
  for (const path of ["/", `/?q=${encodeURIComponent(evil)}`, "/journal"]) {
    const { text, status } = await page.get(path);
    expect(status).toBe(200);
    expect(text).not.toContain("<img");
    expect(text).not.toContain("\u202E");
    expect(text).toContain("&lt;img");
  }
});

test("2,000 environments come in pages, and search and states choose among them", async () => {
  const page = await showPage();
  const all = Array.from({ length: 2000 }, (_, index) =>
    environmentState(`shop/e${String(index).padStart(4, "0")}`, index % 100 === 0 ? "drift" : "synced"),
  );
  await page.ended(endWith(...all));
  const names = async (path: string) =>
    [...(await page.get(path)).text.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, name]) => name);
  expect(await names("/")).toHaveLength(100);
  expect((await names("/")).slice(0, 2)).toEqual(["shop/e0000", "shop/e0100"]);
  expect(await names("/?page=20")).toHaveLength(100);
  expect(await names("/?page=9999")).toEqual(await names("/?page=20"));
  expect(await names("/?q=E1234")).toEqual(["shop/e1234"]);
  expect(await names("/?state=drift&q=e1")).toHaveLength(10);
  expect(textOf((await page.get("/?q=none-such")).text)).toContain("Nothing matches");
  expect((await page.get("/")).text.length).toBeLessThan(120_000);
});

test("journal names what has changed, links to each plan, and is there after a restart", async () => {
  const page = await showPage();
  const end = endWith(environmentState("shop/dev", "synced"));
  const outcomes = ["shop/dev", "shop/dev", "shop/production"].map((where, index) => ({
    id: String(index),
    type: "create",
    cause: "commit",
    status: index === 1 ? "failed" : "done",
    address: parseAnyAddress(`job:${where}/a`),
  }));
  await page.ended({
    ...end,
    enacted: [{ plan: { actions: outcomes } as never, report: { outcomes } as never }],
  });
  const journal = textOf((await page.get("/journal")).text);
  expect(journal).toMatch(/3f2c1a9 is applied in shop\/dev: 1 created\s+0 s ago\s+Executed plan/);
  expect(journal).toContain("3f2c1a9 is applied in shop/production: 1 created");
  expect(journal).toMatch(/Commit 3f2c1a9 Raise the memory of the report · Ada,/);
  const problem = { code: "replacement" as const, message: "database:shop/dev/orders must be replaced" };
  await page.ended(endWith(environmentState("shop/dev", "blocked", { problems: [problem] })));
  expect(textOf((await page.get("/journal")).text)).toContain("database:shop/dev/orders must be replaced");
  expect(await page.get("/plans/1")).toMatchObject({ status: 200, text: expect.stringContaining("A plan") });
  for (const path of ["/plans/2", "/plans/../journal.jsonl", "/plans/%2e%2e%2fhistory"])
    expect((await page.get(path)).status).toBe(404);
  const { Journal } = await import("../../../reconciler/journal/index.ts");
  const reverted: Change = {
    action: "update",
    cause: "drift",
    address: "job:shop/dev/a",
    fields: ["cpu 500 -> 640"],
    by: `mallory@example.com, CONSOLE, ${new Date(page.clock.now() - 7_200_000).toISOString()}`,
  };
  await page.ended(
    endWith(environmentState("shop/dev", "synced", { reverted: [{ ...reverted, keep: "cpu: 640" }] })),
  );
  const made = "job:shop/dev/a was changedcpu 500 -&gt; 640by mallory@example.com, CONSOLE, 2 h ago";
  expect(textOf((await page.get("/journal")).text)).toContain(made);
  await page.ended(endWith(environmentState("shop/dev", "synced")));
  expect(textOf((await page.get("/")).text)).toContain(`Reverted 0 s ago: ${made}`);
  expect(JSON.parse((await page.get("/status.json")).text)).toMatchObject({
    environments: [{ name: "shop/dev", state: "synced", reverted: { changes: [reverted] } }],
  });
  const lines = (await readFile(join(page.folder, "journal.jsonl"), "utf8")).trim().split("\n");
  const { cause: _cause, ...change } = reverted;
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ type: "reverted", environment: "shop/dev", changes: [change] }),
  );
  const warnings: string[] = [];
  const quiet = () => undefined;
  const log = {
    debug: quiet,
    info: quiet,
    error: quiet,
    warn: (_fields: object, message: string) => void warnings.push(message),
  };
  const { folder, clock } = page;
  const opened = async () => {
    const its = new Journal({ folder, clock, log, describe: withAdvice });
    await its.open();
    return its;
  };
  expect((await opened()).entries()).toEqual(page.board.journal.entries());
  expect(warnings).toEqual([]);
  // A damaged line is said, and the others are read.
  const [state = "", , ...others] = lines;
  await writeFile(join(folder, "journal.jsonl"), [state, "{broken", ...others, ""].join("\n"));
  expect((await opened()).entries()).toHaveLength(others.length);
  await writeFile(join(folder, "journal.jsonl"), ["{broken", ...others, ""].join("\n"));
  const third = await opened();
  expect(third.entries()).toHaveLength(others.length);
  expect(Object.keys(third.current)).toEqual(["state shop/dev"]);
  const damage = expect.stringContaining("journal.jsonl is damaged: 1 line") as string;
  expect(warnings).toEqual([damage, damage]);
});

test.each([
  [["shop", "shop/dev"], [], "1 of 1 environments synced with 3f2c1a9", 1],
  [["shop", "shop/dev"], ["shop"], "shop has drift, 1 of 1 environments synced with 3f2c1a9", 1],
  [
    ["the organization", "shop", "web", "shop/dev"],
    ["the organization", "shop", "web"],
    "shop has drift and 2 more are not synced, 1 of 1 environments synced with 3f2c1a9",
    1,
  ],
  [
    ["the organization", "shop", "shop/dev"],
    ["shop/dev"],
    "shop/dev has drift, 0 of 1 environments synced with 3f2c1a9",
    0,
  ],
  [["shop"], [], "1 of 1 synced with 3f2c1a9", 0],
  [["the organization", "shop"], ["shop"], "shop has drift, 1 of 2 synced with 3f2c1a9", 0],
] as const)(
  "of %j, with %j not synced, the headline counts environments alone",
  async (names, differ, headline, count) => {
    const page = await showPage();
    const isDiffering = (name: string) => differ.some((each) => each === name);
    await page.ended(
      endWith(...names.map((name) => environmentState(name, isDiffering(name) ? "drift" : "synced"))),
    );
    const status = JSON.parse((await page.get("/status.json")).text) as ServiceStatus;
    expect(status.synced).toBe(count);
    expect(textOf((await page.get("/")).text)).toContain(`${headline}, checked`);
    expect(renderServiceStatus(status, picocolors.createColors(false))).toContain(`${headline}, checked`);
  },
);

test("environments of several projects stand below their project, the one with the worst first, and a synced project last", async () => {
  const page = await showPage();
  const names = ["shop", "web/dev", "shop/dev", "web/staging", "shop/production"];
  await page.ended(
    endWith(...names.map((name) => environmentState(name, name === "web/staging" ? "drift" : "synced"))),
  );
  const { text } = await page.get("/");
  const shown = [...text.matchAll(/<(?:strong|h3)>(.*?)<\/(?:strong|h3)>/g)].map(([, name]) => name);
  expect(shown).toEqual(["web", "web/staging", "web/dev", "shop", "shop/dev", "shop/production", "shop"]);
  expect(textOf(text)).toContain("shop was synced project");
  expect(textOf(text)).toContain("web 1 of 2 synced");
});

test("a commit is shown with its message, author and time, and leads to its page", async () => {
  const page = await showPage();
  await page.ended(
    endWith(environmentState("shop/dev", "synced"), environmentState("shop/production", "drift")),
  );
  const { text } = await page.get("/");
  expect(text).toContain(`<a href="https://git.example.com/acme/infra/commit/${commit}"><code`);
  expect(textOf(text)).toMatch(/Newest commit: 3f2c1a9 Raise the memory of the report · Ada, .* ago/);
});

test("the row of a synced environment names its commit and author, and each time has the exact one as its title", async () => {
  const page = await showPage();
  await page.ended(endWith(environmentState("shop/dev", "synced")));
  page.clock.advance(20 * 60_000);
  const { text } = await page.get("/");
  const [row = ""] = /<summary>[^]*?<\/summary>/.exec(text) ?? [];
  expect(textOf(row)).toMatch(/shop\/dev was synced 3f2c1a9 · Ada · synced for 20 min/);
  expect(row).toMatch(/title="since \d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)? UTC"/);
  const times = [...text.matchAll(/<time [^>]*>/g)].map(([tag]) => tag);
  expect(times.length).toBeGreaterThan(2);
  for (const tag of times) expect(tag).toMatch(/title="(since )?\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)? UTC"/);
  expect(JSON.parse((await page.get("/status.json")).text)).toMatchObject({
    environments: [{ state: "synced", commit: { id: commit, author: "Ada" } }],
  });
});

test("each page leads to the others, and says which one it is", async () => {
  const page = await showPage();
  await page.ended(endWith(environmentState("shop/dev", "synced")));
  for (const [path, here] of [
    ["/", "./"],
    ["/journal", "journal"],
    ["/audit", "audit"],
  ] as const) {
    const [nav = ""] = /<nav class="chips"[^]*?<\/nav>/.exec((await page.get(path)).text) ?? [];
    expect([...nav.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(["./", "journal", "audit"]);
    expect(nav).toContain(`href="${here}"  aria-current="page"`);
  }
});

test("the quota is one line, at the end of the page", async () => {
  const page = await showPage();
  await page.ended(endWith(environmentState("shop/dev", "synced")));
  const lines = textOf((await page.get("/")).text).match(/Requests: /g);
  expect(lines).toHaveLength(1);
  expect((await page.get("/")).text).toMatch(
    /<p class="faint">\s*Requests: 612 of 1000 left[^]*<\/p>\s*<\/main>/,
  );
});

test("a name that others could point to this machine is refused", async () => {
  const page = await showPage();
  const statusFor = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      request(`${page.url}/`, { headers: { host } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on("error", reject)
        .end();
    });
  expect(await statusFor("evil.example.com")).toBe(421);
  expect(await statusFor("localhost.evil.example.com:8081")).toBe(421);
  expect(await statusFor("localhost:8081")).toBe(200);
  expect(await statusFor("[::1]:8081")).toBe(200);
});

test("whoever is recognised and has no role here is refused by name, and not as somebody", async () => {
  const identity = { id: "database:anna", name: "anna through the database" };
  const gate = new PeopleGate({ type: "public" });
  expect(await gate.personOf({}, { type: "token", identity })).toMatchObject({ identity });
  expect(await gate.personOf({}, undefined)).toMatchObject({ identity: { name: "somebody" } });
});

test("no answer of the page has what nobody may see, whatever a cycle has found", async () => {
  const page = await showPage();
  const problems = [{ code: "invalid" as const, message: "no login with canary-of-the-service" }];
  await page.ended(endWith(environmentState("shop/staging", "blocked", { problems })));
  for (const path of ["/", "/journal", "/status.json", "/metrics", "/environments/shop/staging"]) {
    const { text } = await page.get(path);
    expect(text).not.toContain("canary-of-the-service");
  }
  expect((await page.get("/status.json")).text).toContain("no login with [secret]");
});

test("where the audit cannot be read, its page says so, and says why to who may see it", async () => {
  const page = await showPage();
  await symlink("nowhere", join(page.folder, "audit.jsonl"));
  for (const path of ["/audit", "/audit.json"])
    expect(await page.get(path)).toMatchObject({
      status: 503,
      text: expect.stringContaining(`${page.folder}/audit.jsonl cannot be read`),
    });
});

test("wrong tokens at the form are written down, and after ten of them no more are checked for now", async () => {
  const file = join((await showPage()).folder, "token");
  await writeFile(file, "page-token-canary\n");
  const page = await showPage({ type: "token", file });
  const enter = async (token: string, headers: Record<string, string> = {}) => {
    const body = new URLSearchParams({ token });
    return (await fetch(`${page.url}/enter`, { method: "POST", body, headers, redirect: "manual" })).status;
  };
  const foreign = [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example.com" }];
  for (let each = 0; each < 10; each += 1)
    for (const headers of foreign) expect(await enter(`guess-${each}`, headers)).toBe(401);
  // All at once: each counts for the next.
  const guesses = Array.from({ length: 12 }, (_, each) => enter(`guess-${each}`));
  expect((await Promise.all(guesses)).toSorted()).toEqual([...Array<number>(10).fill(401), 429, 429]);
  expect(await enter("page-token-canary")).toBe(429);
  expect(await enter("page-token-canary", { "x-forwarded-for": "203.0.113.10" })).toBe(429);
  const audit = await readFile(join(page.folder, "audit.jsonl"), "utf8");
  expect(audit.match(/"reason":"[^"]*"/g)).toEqual([
    '"reason":"a wrong token"',
    '"reason":"10 wrong tokens within ten minutes; no more are checked for now"',
  ]);
  expect(audit).not.toContain("guess");
});

test("a proxy is not locked out for one of those it asks for, and whoever has not failed gets in when many have", () => {
  const failed = new FailedLogins({ now: () => Date.now() });
  const fail = (peer: string, forwarded?: string) => {
    const isLooked = !failed.isLimited({ peer, forwarded });
    return isLooked ? failed.failed({ peer, forwarded }) : "limited";
  };
  const isLimited = (peer: string, forwarded?: string) => failed.isLimited({ peer, forwarded });
  for (let each = 0; each < 12; each += 1) fail("proxy", "a");
  expect([isLimited("proxy", "a"), isLimited("proxy", "b"), isLimited("a")]).toEqual([true, false, false]);
  const reported = Array.from({ length: 120 }, (_, each) => fail("proxy", `spoofed-${each}`));
  expect(reported.filter((each) => each !== "limited")).toHaveLength(90);
  expect(reported[89]).toBe("100 wrong tokens within ten minutes; no more are checked for now");
  expect([isLimited("proxy", "b"), isLimited("proxy"), isLimited("other")]).toEqual([true, true, false]);
  const many = Array.from({ length: 300 }, (_, each) => fail(`many-${each}`));
  expect(many.filter((each) => each === undefined)).toHaveLength(100);
  expect([isLimited("many-0"), isLimited("other")]).toEqual([true, false]);
});

test.each([
  ["nobody", undefined, undefined],
  ["one", "203.0.113.9", "203.0.113.9"],
  ["what the client has said, and what the proxy says", "10.0.0.1, 203.0.113.9", "203.0.113.9"],
])("of a header that names %s, the last address counts", (_what, header, forwarded) => {
  const headers = header === undefined ? {} : { "x-forwarded-for": header };
  const given = { headers, socket: { remoteAddress: "10.0.0.2" } } as unknown as FastifyRequest;
  expect(loginOriginOf(given)).toEqual({ peer: "10.0.0.2", forwarded });
});

test("the page is served while connections are open that have sent half a header, and few of them stay", async () => {
  const page = await showPage();
  const { hostname, port } = new URL(page.url);
  const open = Array.from({ length: 400 }, () => connect(Number(port), hostname));
  onTestFinished(() => open.forEach((socket) => void socket.destroy()));
  await Promise.all(
    open.map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.on("error", () => resolve()).once("close", () => resolve());
          socket.once("connect", () => socket.write("GET / HTTP/1.1\r\nhost: ", () => resolve()));
        }),
    ),
  );
  expect((await page.get("/")).status).toBe(200);
  await expect.poll(() => open.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(100);
});

test("with a token, the page lets in who has it, as a header or through the form, and nobody without", async () => {
  const file = join((await showPage()).folder, "token");
  const page = await showPage({ type: "token", file });
  const enter = (token: string) =>
    fetch(`${page.url}/enter`, { method: "POST", body: new URLSearchParams({ token }), redirect: "manual" });
  expect((await page.get("/")).status).toBe(401);
  expect((await enter("")).status).toBe(401);
  await writeFile(file, "page-token-canary\n");
  for (const path of ["/", "/journal", "/metrics", "/status.json", "/events", "/plans/1"])
    expect((await page.get(path)).status).toBe(401);
  expect((await page.get("/", { accept: "text/html" })).text).toContain('type="password"');
  expect((await page.get("/", { authorization: "Bearer page-token-canary" })).status).toBe(200);
  expect((await page.get("/", { authorization: "Bearer page-token-canar" })).status).toBe(401);
  expect((await enter("wrong")).status).toBe(401);
  const entered = await enter("page-token-canary");
  const cookie = entered.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/HttpOnly; SameSite=Lax/);
  expect(cookie).not.toContain("canary");
  const [pair = ""] = cookie.split(";");
  expect((await page.get("/", { cookie: pair })).status).toBe(200);
  // A new token ends what the old one has opened.
  await writeFile(file, "another-token");
  expect((await page.get("/", { cookie: pair })).status).toBe(401);
  expect((await page.get("/healthz")).status).toBe(200);
});

test("who listens to the events hears of a change, and every 20 seconds of the service's clock that the page is there", async () => {
  const page = await showPage();
  const answer = await fetch(`${page.url}/events`);
  expect(answer.headers.get("content-type")).toBe("text/event-stream");
  const reader = answer.body?.getReader();
  let heard = "";
  const until = async (what: string) => {
    while (!heard.includes(what)) heard += new TextDecoder().decode((await reader?.read())?.value);
  };
  await until("retry:");
  await page.ended(endWith(environmentState("shop/dev", "synced")));
  await until("event: change");
  expect(heard).not.toContain(": still here");
  page.beat();
  await until(": still here");
  await reader?.cancel();
});

test("the page, the status and a metric list live resources that no document declares, except previews", async () => {
  const page = await showPage();
  const unmanaged = ["environment:shop/pr-7", "environment:shop/qa"];
  await page.ended(
    endWith(
      environmentState("shop", "synced", { unmanaged }),
      environmentState("shop/dev", "drift", { unmanaged: ["variable LEVEL of job:shop/dev/a"] }),
      environmentState("shop/unread", "unread"),
    ),
  );
  page.board.previewsChecked({ previews: [{ environment: "shop/pr-7", number: 7, state: "ready" }] });
  const text = textOf((await page.get("/")).text);
  expect(text).toContain(
    "shop/dev has drift, 0 of 2 environments synced with 3f2c1a9, 1 not read yet, checked",
  );
  expect(text).toContain("2 unmanaged resources.");
  expect(text).toContain("1 unmanaged variable LEVEL of job:shop/dev/a");
  const status = JSON.parse((await page.get("/status.json")).text) as ServiceStatus;
  expect(status).toMatchObject({
    environments: [
      { name: "shop/dev", unmanaged: ["variable LEVEL of job:shop/dev/a"] },
      expect.not.objectContaining({ unmanaged: expect.anything() }),
      { name: "shop", unmanaged: ["environment:shop/qa"] },
    ],
  });
  expect(renderServiceStatus(status, picocolors.createColors(false))).toContain(
    "Unmanaged:\n  shop/dev  variable LEVEL of job:shop/dev/a\n  shop  environment:shop/qa",
  );
  const metrics = (await page.get("/metrics")).text;
  expect(metrics).toContain('infrasync_environment_unmanaged{environment="shop"} 1');
  expect(metrics).not.toContain('infrasync_environment_unmanaged{environment="shop/unread"}');
});

test("the page, the status and the terminal say what has not been read, with the words of a plan", async () => {
  const page = await showPage();
  const unread = (text: string, ...sorts: string[]) => {
    const address = parseAddress(text);
    if (!address) throw new Error(`${text} is no address`);
    return sorts.map((sort) => ({ address, sort }));
  };
  const inDev = unread("job:shop/dev/a", "variables and secrets", "settings");
  await page.ended(
    endWith(
      environmentState("shop", "synced", { unread: [] }),
      environmentState("shop/dev", "synced", { unread: inDev }),
      environmentState("shop/staging", "drift", { unread: unread("environment:shop/staging", "settings") }),
    ),
  );
  const text = textOf((await page.get("/")).text);
  expect(text).toContain("Not checked: settings of 2 resources, variables and secrets of 1.");
  expect(text).toContain("Not checked: variables and secrets of 1 resource, settings of 1.");
  const status = JSON.parse((await page.get("/status.json")).text) as ServiceStatus;
  expect(status.environments.map(({ name, unread: there }) => [name, there])).toEqual([
    ["shop/staging", [{ address: "environment:shop/staging", sort: "settings" }]],
    ["shop", undefined],
    [
      "shop/dev",
      [
        { address: "job:shop/dev/a", sort: "variables and secrets" },
        { address: "job:shop/dev/a", sort: "settings" },
      ],
    ],
  ]);
  expect(renderServiceStatus(status, picocolors.createColors(false))).toContain(
    "\n\nNot checked: settings of 2 resources, variables and secrets of 1.\n\n",
  );
});

test("the metrics are few, and what is not known is absent", async () => {
  const page = await showPage();
  await page.ended(
    endWith(environmentState("shop/dev", "synced"), environmentState("shop/staging", "drift")),
  );
  page.board.requested();
  const { text, headers } = await page.get("/metrics");
  expect(headers.get("content-type")).toContain("text/plain; version=0.0.4");
  expect(text).toContain('infrasync_environment_state{environment="shop/staging",state="drift"} 1');
  expect(text).toContain('infrasync_api_quota_remaining{token="0a1b"} 612');
  expect(text).toContain('infrasync_build_info{version="1.2.3"} 1');
  page.budget = {};
  expect((await page.get("/metrics")).text).not.toMatch(/^infrasync_api_quota_remaining\{/m);
  expect(text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length).toBeLessThan(43);
});

const promtool = findTool("promtool");

test.skipIf(mayBeMissing(promtool))("Prometheus accepts the metrics without a remark", async () => {
  const page = await showPage();
  await page.ended(endWith(environmentState("shop/dev", "synced")));
  for (const budget of [page.budget, {}]) {
    page.budget = budget;
    const input = (await page.get("/metrics")).text;
    expect(execFileSync(promtool ?? "promtool", ["check", "metrics"], { input, encoding: "utf8" })).toBe("");
  }
});

test("the status for programs names each environment with what differs", async () => {
  const page = await showPage();
  await page.ended(
    endWith(
      environmentState("shop/dev", "drift", {
        changes: [{ action: "create", cause: "drift", address: "job:shop/dev/a" }],
      }),
    ),
  );
  const { text } = await page.get("/status.json");
  expect(JSON.parse(text)).toMatchObject({
    format: "infrasync-reconcile-status",
    version: 1,
    commit,
    stale: false,
    synced: 0,
    environments: [
      {
        name: "shop/dev",
        state: "drift",
        changes: [{ action: "create", cause: "drift", address: "job:shop/dev/a" }],
      },
    ],
    budget: { limit: 1000, remaining: 612 },
  });
});

test("the page and the status show the requests spent on reading and on applying, and how often live state is read", async () => {
  const page = await showPage();
  page.rateBudget = {
    checking: { spent: 34, allowed: 200 },
    applying: { spent: 5, allowed: 600 },
    interval,
    period: 3_480_000,
  };
  const spent = "In this window, 34 of 200 for drift checks and 5 of 600 for changes";
  expect(textOf((await page.get("/")).text)).toContain(
    `${spent}. Events are checked every 60 s, everything within 58 min.`,
  );
  expect(JSON.parse((await page.get("/status.json")).text)).toMatchObject({
    budget: {
      checking: { spent: 34, allowed: 200 },
      applying: { spent: 5, allowed: 600 },
      interval_seconds: 60,
      period_seconds: 3480,
    },
  });
});

test("the status matches its published schema, in every state", async () => {
  // The published one allows members of later versions, the other one only those that it names.
  const schemas = [
    readFileSync("schemas/reconcile-status.schema.json", "utf8"),
    JSON.stringify(serviceStatusForm),
  ];
  const checks = schemas.map((schema) =>
    new Ajv({ strict: true, strictRequired: false, allErrors: true })
      .addFormat("date-time", /^\d{4}-\d\d-\d\dT/)
      .compile(JSON.parse(schema) as object),
  );
  const page = await showPage();
  const check = async () => {
    const status: unknown = JSON.parse((await page.get("/status.json")).text);
    for (const validate of checks) {
      validate(status);
      expect(validate.errors ?? [], JSON.stringify(status)).toEqual([]);
    }
  };
  await check();
  page.rateBudget = {
    checking: { spent: 1, allowed: 2 },
    applying: { spent: 0, allowed: 6 },
    interval,
    period: 3,
  };
  await page.ended(
    endWith(
      ...syncStates.map((state) =>
        environmentState(`shop/${state}`, state, {
          reason: "a reason",
          until: page.clock.now(),
          changes: [
            {
              action: "update",
              cause: "drift",
              address: "job:a/b/c",
              fields: ["cpu 1 -> 2"],
              by: "dev",
              keep: "cpu: 2",
            },
          ],
          problems: [{ code: "replacement", message: "it must be replaced" }],
        }),
      ),
    ),
  );
  await check();
  await page.board.failed({ code: "failed", reason: "the server cannot be reached" }, 2, page.clock.now());
  await check();
});

test("knowledge that is older than promised is marked stale on the page, in the status, in readiness and in metrics", async () => {
  const page = await showPage();
  const since = page.clock.now() - 7_200_000;
  await page.ended(
    endWith(
      environmentState("shop/staging", "synced", { knowledge: { since, staleAt: page.clock.now() - 1 } }),
      environmentState("shop/dev", "synced", { knowledge: { since, staleAt: page.clock.now() + 60_000 } }),
    ),
  );
  expect(textOf((await page.get("/")).text).match(/stale: read 2 h ago/g)).toHaveLength(1);
  expect(JSON.parse((await page.get("/status.json")).text)).toMatchObject({
    environments: [
      { name: "shop/dev", stale: false, known_since: new Date(since).toISOString() },
      { name: "shop/staging", stale: true },
    ],
  });
  expect(await page.get("/readyz")).toMatchObject({
    status: 200,
    text: "ok, but 1 of 2 environments was last read longer ago than the limit\n",
  });
  expect((await page.get("/metrics")).text).toContain(
    'infrasync_environment_knowledge_age_seconds{environment="shop/staging"} 7200',
  );
});

test("the numbers beside the states count environments, as the headline does, and a project has none", async () => {
  const page = await showPage();
  await page.ended(
    endWith(
      environmentState("shop", "blocked"),
      environmentState("shop/staging", "synced"),
      environmentState("shop/production", "synced"),
    ),
  );
  const { text } = await page.get("/");
  const [chips = ""] = /<nav class="chips" aria-label="States">[^]*?<\/nav>/.exec(text) ?? [];
  expect(
    chips
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll(/\s+/g, " ")
      .trim(),
  ).toBe("all 2 blocked synced 2");
  expect(text).toContain("shop is blocked, 2 of 2 environments synced");
});
