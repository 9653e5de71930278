import { createHmac } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseAddress } from "../../../core/model/addresses/address.ts";
import { withAdvice } from "../../../cli/render/remedies.ts";
import { GitError } from "../../../adapters/git/index.ts";
import { Journal, type NewEntry, wordsOf } from "../../../reconciler/journal/index.ts";
import { systemClock } from "../../../core/api/index.ts";
import { databaseOutage, Notifier, type Repeats } from "../../../reconciler/notify/index.ts";
import { mostWaiting, Outbox } from "../../../reconciler/notify/outbox.ts";
import type { CycleResult } from "../../../reconciler/journal/index.ts";
import type { PlanOutcome } from "../../../reconciler/carry-out/index.ts";
import { whileAtWork } from "../../../reconciler/policy/index.ts";
import type { NotificationFormat } from "../../../reconciler/notify/message.ts";
import { readRoutes, type RouteRules } from "../../../reconciler/notify/routes-file.ts";
import { TestClock } from "../fixture.ts";
import { commit, endWith, environmentState } from "../show/page-fixture.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";
import { temporaryFolder } from "../../fixtures/temporary-folder.ts";

interface Received {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A notifier, and the receiver of its notifications, which answers with the given statuses and then with 200. A negative one comes with a page, as from a proxy. */
async function startNotifier(
  format: NotificationFormat = "json",
  statuses: number[] = [],
  {
    routes: more = [],
    repeats,
    keep,
  }: { routes?: RouteRules[]; repeats?: Repeats; keep?: () => Promise<void> } = {},
) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      received.push({ path: (request.url ?? "").slice(1), headers: request.headers, body });
      const status = statuses.shift() ?? 200;
      response.writeHead(Math.abs(status)).end(status < 0 ? "<html>of a proxy</html>" : undefined);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const folder = await mkdtemp(join(tmpdir(), "infrasync-notify-"));
  onTestFinished(async () => {
    server.close();
    await removeFolder(folder);
  });
  const clock = new TestClock();
  const warnings: unknown[] = [];
  const port = typeof address === "object" && address ? address.port : 0;
  const destination = (path: string) => () =>
    Promise.resolve({
      url: `http://127.0.0.1:${port}/${path}`,
      secret: "notify-secret-canary",
      environment: {},
    });
  const log = { debug() {}, info() {}, error() {}, warn: (fields: object) => void warnings.push(fields) };
  const start = async () => {
    const quiet = { ...log, warn() {} };
    const journal = new Journal({ folder, clock, log: quiet, describe: withAdvice });
    await journal.open();
    let isClosing = false;
    const notifier = new Notifier({
      // The receiver is a real server: the end waits for it in real time.
      clock: {
        now: () => clock.now(),
        random: () => clock.random(),
        sleep: (milliseconds, signal) => (isClosing ? systemClock : clock).sleep(milliseconds, signal),
      },
      journal,
      source: { repository: "https://git.example.com/acme/infra.git", branch: "main", path: "infra" },
      routes: [
        { name: "first", format, destination: destination("canary-path") },
        ...more.map((rules, index) => ({
          ...rules,
          name: String(index),
          destination: destination(String(index)),
        })),
      ],
      ...(repeats && { repeats }),
      keep,
      file: join(folder, "notified.json"),
      log,
    });
    await notifier.open();
    onTestFinished(() => {
      isClosing = true;
      return notifier.close(5000);
    });
    return {
      journal,
      ended: (cycle: CycleResult) => journal.ended(cycle),
      failed: (reason: string, failures: number) => journal.failed({ code: "failed", reason }, failures),
      close(milliseconds: number) {
        isClosing = true;
        return notifier.close(milliseconds);
      },
      get deliveries() {
        return notifier.deliveries;
      },
    };
  };
  const news = () => received.map(({ body }) => (JSON.parse(body) as { events: object[] }).events);
  return { start, received, news, clock, warnings };
}

const drifted = environmentState("shop/staging", "drift", {
  changes: [
    {
      action: "update",
      cause: "drift",
      address: "job:shop/staging/report",
      fields: ["cpu 500 -> value-canary"],
    },
  ],
});

test("only what stands differently is told, once a cycle for all environments together", async () => {
  const { start, news } = await startNotifier();
  const notifier = await start();
  const well = environmentState("shop/dev", "synced");
  await notifier.ended(endWith(well, environmentState("shop/staging", "synced")));
  await notifier.ended(endWith(well, drifted));
  await notifier.ended(endWith(well, drifted));
  await notifier.ended(endWith({ ...well, state: "waiting", reason: "suspended" }, drifted));
  await notifier.ended(endWith(well, environmentState("shop/staging", "synced")));
  await notifier.close(5000);
  const at = { at: expect.any(String), since: expect.any(String) };
  expect(news()).toEqual([
    [
      {
        type: "drift",
        commit,
        environment: "shop/staging",
        from: "synced",
        changes: [{ action: "update", address: "job:shop/staging/report" }],
        reasons: [],
        ...at,
      },
    ],
    [
      {
        type: "waiting",
        commit,
        environment: "shop/dev",
        from: "synced",
        changes: [],
        reasons: ["suspended"],
        ...at,
      },
    ],
    [
      { type: "synced", commit, environment: "shop/dev", from: "waiting", changes: [], reasons: [], ...at },
      { type: "synced", commit, environment: "shop/staging", from: "drift", changes: [], reasons: [], ...at },
    ],
  ]);
});

test.each(["json", "slack"] as const)(
  "the message about undone drift names who had changed the field: %s",
  async (format) => {
    const { start, received } = await startNotifier(format);
    const notifier = await start();
    const by = "mallory@example.com, CONSOLE, 2026-12-01T14:02:00.000Z";
    const reverted = [
      {
        action: "update" as const,
        cause: "drift" as const,
        address: "job:shop/dev/a",
        fields: ["cpu 500 -> value-canary"],
        by,
      },
      { action: "create" as const, cause: "drift" as const, address: "job:shop/dev/b" },
    ];
    await notifier.ended(endWith(environmentState("shop/dev", "synced", { reverted })));
    await notifier.ended(endWith(environmentState("shop/dev", "synced")));
    await notifier.close(5000);
    const [body = "", ...others] = received.map((each) => each.body);
    expect(others).toEqual([]);
    expect(body).not.toContain("value-canary");
    expect(body).toContain(
      format === "slack"
        ? `> job:shop/dev/a was changed, by ${by}\\n> job:shop/dev/b was missing`
        : JSON.stringify([
            { action: "update", address: "job:shop/dev/a", by },
            { action: "create", address: "job:shop/dev/b" },
          ]),
    );
  },
);

test("that somebody has ended an approval is told, and is in the history; that it was carried out is in the history alone", async () => {
  const { start, news } = await startNotifier();
  const notifier = await start();
  const by = { id: "user:anna", name: "anna" };
  const approval = { type: "ended", environment: "shop/dev", request: "approve", by } as const;
  const end = endWith(environmentState("shop/dev", "rolled_back"));
  const reasons = ["ben has rolled it back to 1234567"];
  await notifier.ended({ ...end, ended: [{ ...approval, isCarriedOut: false, reasons }] });
  await notifier.ended({ ...end, ended: [{ ...approval, isCarriedOut: true, reasons: [] }] });
  await notifier.close(5000);
  const told = { ...approval, isCarriedOut: false, reasons, at: expect.any(String) };
  expect(news()).toEqual([[told, expect.objectContaining({ type: "rolled_back" })]]);
  const history = notifier.journal.entries().map((entry) => wordsOf(entry).sentence);
  expect(history[0]).toBe("shop/dev approved by anna");
  expect(history).toContain("shop/dev approved by anna had no effect: ben has rolled it back to 1234567");
});

test("a restart tells nothing twice", async () => {
  const { start, received } = await startNotifier();
  const notifier = await start();
  await notifier.ended(endWith(drifted));
  await notifier.close(5000);
  const restarted = await start();
  await restarted.ended(endWith(drifted));
  await restarted.close(5000);
  expect(received.length).toBe(1);
});

test("an outage has one message, and its end another", async () => {
  const { start, news, clock } = await startNotifier();
  const notifier = await start();
  await notifier.ended(endWith(drifted));
  for (let failures = 1; failures <= 10; failures += 1) {
    clock.advance(60_000);
    await notifier.failed("the server cannot be reached", failures);
  }
  await notifier.ended(endWith(drifted));
  // One failure alone is no outage.
  await notifier.failed("the server cannot be reached", 1);
  await notifier.ended(endWith(drifted));
  await notifier.close(5000);
  expect(news().slice(1)).toEqual([
    [
      {
        type: "outage",
        at: expect.any(String),
        since: expect.any(String),
        reason: "the server cannot be reached",
      },
    ],
    [{ type: "recovered", at: expect.any(String), since: expect.any(String), isOutage: true }],
  ]);
});

test("a commit with mistakes is told once, and when they are mended", async () => {
  const { start, news } = await startNotifier();
  const notifier = await start();
  const problems = [{ code: "invalid" as const, message: "there is no field colour", advice: "take it out" }];
  await notifier.ended({ ...endWith(), mistakes: problems });
  await notifier.ended({ ...endWith(), mistakes: problems });
  await notifier.ended(endWith());
  await notifier.close(5000);
  expect(news()).toEqual([
    [
      {
        type: "mistakes",
        at: expect.any(String),
        commit,
        reasons: ["there is no field colour; take it out"],
        isStill: false,
      },
    ],
    [{ type: "fixed", at: expect.any(String), commit }],
  ]);
});

test("a notification is signed as Standard Webhooks want it, and has no value of a field", async () => {
  const { start, received } = await startNotifier();
  const notifier = await start();
  await notifier.ended(endWith(drifted));
  await notifier.close(5000);
  const [{ headers, body }] = received as [Received];
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature } = headers;
  const expected = createHmac("sha256", "notify-secret-canary")
    .update(`${String(id)}.${String(time)}.${body}`)
    .digest("base64");
  expect(signature).toBe(`v1,${expected}`);
  expect(body).not.toContain("value-canary");
  expect(body).not.toContain("notify-secret-canary");
});

test("the form for Slack is a text in which nothing is a link or a mention", async () => {
  const { start, received } = await startNotifier("slack");
  const notifier = await start();
  await notifier.ended(
    endWith(
      environmentState("shop/<!channel>", "blocked", {
        problems: [{ code: "replacement", message: "it must be replaced", advice: "allow it" }],
      }),
      drifted,
    ),
  );
  await notifier.close(5000);
  expect(JSON.parse(received[0]?.body ?? "")).toEqual({
    text: [
      "*infrasync* https://git.example.com/acme/infra.git · main · infra",
      "• shop/&lt;!channel&gt; is blocked",
      "> it must be replaced; allow it",
      "• shop/staging has drift: job:shop/staging/report",
    ].join("\n"),
  });
});

test("a notification is tried again until it arrives, by the next start too, and what the receiver refuses is named in the log without its URL", async () => {
  const { start, received, warnings, news } = await startNotifier("json", [
    ...Array<number>(9).fill(503),
    429,
    404,
    200,
    400,
    503,
  ]);
  const notifier = await start();
  await notifier.ended(endWith(drifted));
  await notifier.ended(endWith(environmentState("shop/staging", "synced")));
  await expect.poll(() => received.length).toBe(13);
  const ids = received.map(({ headers }) => headers["webhook-id"]);
  expect(new Set(ids.slice(0, 12)).size).toBe(1);
  await expect
    .poll(() => warnings)
    .toEqual([{ reason: "the receiver answers 503" }, { reason: "the receiver answers 400" }]);
  expect(JSON.stringify(warnings)).not.toContain("canary-path");
  expect(notifier.deliveries).toEqual({ waiting: 0, delivered: 1, failed: 12, lost: 1 });
  await notifier.ended(endWith(drifted));
  await notifier.close(5000);
  expect(received.length).toBe(14);
  expect(notifier.deliveries.waiting).toBe(1);
  const restarted = await start();
  await expect.poll(() => received.length).toBe(15);
  await restarted.close(5000);
  expect(news()[14]).toEqual(news()[13]);
  expect(received[14]?.headers["webhook-id"]).toBe(received[13]?.headers["webhook-id"]);
});

test.each([
  [407, "407, a proxy asks for a user and a password"],
  [-403, "403, an HTML page of a proxy, a gateway or a firewall, so the answer is not from the server"],
  [-400, "400, an HTML page of a proxy, a gateway or a firewall, so the answer is not from the server"],
])(
  "a notification that a proxy refuses is sent again, and the proxy is blamed: %i",
  async (status, reason) => {
    const { start, received, warnings } = await startNotifier("json", [status]);
    const notifier = await start();
    await notifier.ended(endWith(drifted));
    await expect.poll(() => received.length).toBe(2);
    expect(warnings).toEqual([{ reason }]);
    await notifier.close(5000);
  },
);

test("of too many notifications that have not arrived, the newest are kept, and the log says how many are lost", async () => {
  const folder = temporaryFolder("notify");
  const warnings: object[] = [];
  const outbox = new Outbox(join(folder, "notified.json"), { warn: (fields) => void warnings.push(fields) });
  await outbox.open();
  const messages = Array.from({ length: mostWaiting + 2 }, (_, index) => ({
    to: "a",
    message: String(index),
  }));
  await outbox.add(messages, { last: 0, times: {} });
  expect(outbox.deliveries).toMatchObject({ waiting: mostWaiting, lost: 2 });
  expect(outbox.next("a")?.message).toBe("2");
  expect(warnings).toEqual([{ dropped: 2 }]);
});

const anna = { id: "user:anna", name: "anna" };

const suspended = (until: number) => ({
  suspensions: [
    { until, reason: "a migration", pause: { by: anna, pattern: "**", until, reason: "a migration", at: 0 } },
  ],
});

test.each<[string, CycleResult[], unknown[]]>([
  [
    "a deployment that goes on is no news, also while the server is still at work",
    [
      endWith(environmentState("shop/staging", "synced")),
      endWith(environmentState("shop/staging", "waiting", { reason: whileAtWork })),
      endWith(environmentState("shop/staging", "deploying")),
      endWith(environmentState("shop/staging", "synced")),
    ],
    [],
  ],
  [
    "where drift is off, nobody looks between two commits, which is no news and ends no failure",
    [
      endWith(environmentState("shop/staging", "unwatched")),
      endWith(environmentState("shop/staging", "synced")),
      endWith(environmentState("shop/staging", "unwatched")),
      endWith(environmentState("shop/staging", "unhealthy")),
      endWith(environmentState("shop/staging", "unwatched")),
      endWith(environmentState("shop/staging", "unhealthy")),
      endWith(environmentState("shop/staging", "synced")),
    ],
    [
      { type: "unhealthy", from: "synced" },
      { type: "synced", from: "unhealthy" },
    ],
  ],
  [
    "a pause and its end are told once",
    [
      endWith(environmentState("shop/staging", "synced", suspended(1e12))),
      endWith(environmentState("shop/staging", "synced", suspended(1e12))),
      endWith(environmentState("shop/staging", "synced")),
    ],
    [
      {
        type: "paused",
        environment: "shop/staging",
        reason: "paused until 2001-09-09T01:46:40Z by anna (**): a migration",
        by: anna,
      },
      { type: "resumed", environment: "shop/staging" },
    ],
  ],
  [
    "a rollback says who has wanted it",
    [
      endWith(environmentState("shop/staging", "synced")),
      endWith(
        environmentState("shop/staging", "rolled_back", {
          rolledBack: { commit, by: anna, at: "2026-12-01T08:00:00.000Z" },
        }),
      ),
    ],
    [{ type: "rolled_back", reasons: ["rolled back to 3f2c1a9 at 2026-12-01T08:00:00.000Z by anna"] }],
  ],
])("%s", async (_what, ends, expected) => {
  const { start, news } = await startNotifier();
  const notifier = await start();
  for (const end of ends) await notifier.ended(end);
  await notifier.close(5000);
  expect(news().flat()).toMatchObject(expected);
  expect(news().flat()).toHaveLength(expected.length);
});

test.each(["json", "slack"] as const)(
  "a commit that was applied is told with its changes by environment: %s",
  async (format) => {
    const { start, received } = await startNotifier(format);
    const notifier = await start();
    const address = parseAddress("job:shop/staging/report");
    const actions = [
      { id: "1", address, type: "update", cause: "commit" },
      { id: "2", address, type: "update", cause: "drift" },
      { id: "3", address, type: "update", cause: "commit" },
    ];
    const outcomes = actions.map(({ id, type }) => ({
      id,
      address,
      type,
      status: id === "3" ? "failed" : "done",
    }));
    const enacted = [{ plan: { actions }, report: { outcomes } }] as unknown as PlanOutcome[];
    await notifier.ended({ ...endWith(environmentState("shop/staging", "synced")), enacted });
    await notifier.close(5000);
    expect(received.length).toBe(1);
    expect(received[0]?.body).toContain(
      format === "slack"
        ? "• 3f2c1a9 is applied in shop/staging: 1 updated"
        : `"changes":${JSON.stringify([{ action: "update", address: "job:shop/staging/report" }])}`,
    );
  },
);

test("nothing is sent before it is stored where the next worker finds it", async () => {
  let isAway = true;
  const keep = () => (isAway ? Promise.reject(new Error("the database is away")) : Promise.resolve());
  const { start, news, warnings } = await startNotifier("json", [], { keep });
  const notifier = await start();
  await notifier.ended(endWith(drifted));
  await expect.poll(() => warnings).toContainEqual({ reason: "it cannot be stored" });
  expect(news()).toEqual([]);
  isAway = false;
  await expect.poll(() => news()).toMatchObject([[{ type: "drift" }]]);
  await notifier.close(5000);
});

test("stale knowledge and an unreachable repository are reported once, and so is their end", async () => {
  const { start, news, clock } = await startNotifier();
  const notifier = await start();
  const known = (staleAt: number) =>
    endWith(
      environmentState("shop/staging", "synced", { knowledge: { since: clock.now() - 60_000, staleAt } }),
    );
  await notifier.ended(known(clock.now() - 1));
  await notifier.ended(known(clock.now() - 1));
  const away = { ...known(clock.now() + 1), repositoryFailure: new Error("the repository is away") };
  for (let cycle = 0; cycle < 5; cycle += 1) await notifier.ended(away);
  await notifier.ended(known(clock.now() + 1));
  await notifier.close(10_000);
  expect(news()).toMatchObject([
    [{ type: "stale", environment: "shop/staging" }],
    [{ type: "read", environment: "shop/staging" }],
    [{ type: "outage", reason: "the repository is away" }],
    [{ type: "recovered" }],
  ]);
});

/** The rules of a file of notifications. */
function rulesOf(text: string): { routes: RouteRules[]; repeats: Repeats } {
  const { problems, ...rules } = readRoutes(text, "notify.yaml");
  expect(problems).toEqual([]);
  return rules;
}

test("a route hears of its environments and events, in its own words", async () => {
  const rules = rulesOf(`
routes:
  - { url_file: a, environments: [shop/production], events: [unhealthy, outage] }
  - url_file: b
    format: slack
    environments: ["shop/**"]
    template: "<!here> {environment}: {event} at {commit} ({reasons})"
`);
  const { start, received } = await startNotifier("json", [], rules);
  const notifier = await start();
  const ill = { reason: "<api> failed" };
  await notifier.ended(
    endWith(
      environmentState("shop/production", "unhealthy", ill),
      environmentState("shop/staging", "unhealthy", ill),
      environmentState("blog/production", "unhealthy", ill),
    ),
  );
  await notifier.ended(
    endWith(
      environmentState("shop/production", "synced"),
      environmentState("shop/staging", "unhealthy", ill),
    ),
  );
  await notifier.close(5000);
  const of = (path: string) =>
    received.filter((each) => each.path === path).map(({ body }) => JSON.parse(body));
  expect(of("0")).toMatchObject([{ events: [{ type: "unhealthy", environment: "shop/production" }] }]);
  const short = commit.slice(0, 7);
  expect(of("1")).toEqual([
    {
      text: ["production", "staging"]
        .map((name) => `<!here> shop/${name}: unhealthy at ${short} (&lt;api&gt; failed)`)
        .join("\n"),
    },
    { text: `<!here> shop/production: synced at ${short} ()` },
  ]);
});

test("a state that lasts is reported again after its time, also after a restart, until it ends", async () => {
  const { repeats } = rulesOf("repeat_after: { unhealthy: 4h, stale: 1h, outage: 2h }\nroutes: []\n");
  const { start, news, clock } = await startNotifier("json", [], { repeats });
  const hour = 3_600_000;
  const started = clock.now();
  const ill = environmentState("shop/staging", "unhealthy", { reason: "api failed" });
  const old = environmentState("shop/dev", "synced", {
    knowledge: { since: started - hour, staleAt: started - 1 },
  });
  let notifier = await start();
  for (let hours = 0; hours <= 4; hours += 1) {
    await notifier.ended(endWith(ill, old));
    await notifier.close(5000);
    notifier = await start();
    clock.advance(hour);
  }
  const reported = news().map((each) => (each as { type: string }[]).map(({ type }) => type));
  expect(reported).toEqual([["unhealthy", "stale"], ["stale"], ["stale"], ["stale"], ["unhealthy", "stale"]]);
  await notifier.ended(
    endWith(environmentState("shop/staging", "synced"), environmentState("shop/dev", "synced")),
  );
  clock.advance(24 * hour);
  await notifier.ended(
    endWith(environmentState("shop/staging", "synced"), environmentState("shop/dev", "synced")),
  );
  for (let failures = 1; failures <= 3; failures += 1) await notifier.failed("gone", failures);
  clock.advance(2 * hour);
  await notifier.failed("gone", 4);
  await notifier.failed("gone", 5);
  await notifier.close(5000);
  expect(news().slice(5).flat()).toMatchObject([
    { type: "synced" },
    { type: "read" },
    { type: "outage", reason: "gone" },
    { type: "outage", reason: "gone" },
  ]);
});

test("an outage of the repository is reported again while cycles continue", async () => {
  const { repeats } = rulesOf("repeat_after: { outage: 2h }\nroutes: []\n");
  const { start, news, clock } = await startNotifier("json", [], { repeats });
  const notifier = await start();
  const away = new GitError("unreachable", "the repository cannot be read", "wait");
  const end = { ...endWith(environmentState("shop/staging", "synced")), repositoryFailure: away };
  for (let cycles = 0; cycles < 8; cycles += 1) {
    await notifier.ended(end);
    clock.advance(1_800_000);
  }
  await notifier.close(5000);
  expect(news().flat()).toMatchObject([{ type: "outage" }, { type: "outage" }]);
});

test("a database that is away is news when a fail-over would be over, and so is its end", async () => {
  const reported: NewEntry[] = [];
  const waits: (() => void)[] = [];
  const clock = {
    now: () => 0,
    random: () => 0,
    sleep: () => new Promise<void>((resolve) => waits.push(resolve)),
  };
  const outage = databaseOutage(clock, new AbortController().signal, (entry) => reported.push(entry));
  const wait = async () => {
    waits.shift()?.();
    await Promise.resolve();
    await Promise.resolve();
  };
  outage.away("it does not answer");
  outage.back();
  await wait();
  expect(reported).toEqual([]);
  outage.away("it does not answer");
  await wait();
  outage.back();
  outage.back();
  expect(reported).toEqual([
    { type: "database_unreachable", since: 0, reason: "it does not answer" },
    { type: "database_back", since: 0 },
  ]);
});

test("news of the service as a whole go to its receivers", async () => {
  const { start, received } = await startNotifier("slack");
  const notifier = await start();
  const stopped = [{ name: "shop", at: 1, left: ["job:shop/staging/a"] }];
  await notifier.journal.stopped(stopped);
  await notifier.close(5000);
  const next = await start();
  await next.journal.stopped(stopped);
  await next.close(5000);
  expect(received.length).toBe(1);
  expect(received[0]?.body).toContain(
    "the source shop has stopped, because no document declares it any more; 1 live resource stays",
  );
});

test("a preview that two want is news once, also after a restart, and again when it comes back", async () => {
  const { start, news } = await startNotifier();
  const preview = { environment: "shop/pr-7", number: 7, state: "failed", reason: "two want it" } as const;
  const contested = { previews: [{ ...preview, isContested: true as const }] };
  const notifier = await start();
  await notifier.journal.previewsChecked({ previews: [preview] });
  await notifier.journal.previewsChecked(contested);
  await notifier.journal.previewsChecked({ failure: "the Git host is away" });
  await notifier.journal.previewsChecked(contested);
  await expect.poll(() => news()).toHaveLength(1);
  await notifier.close(1000);
  const next = await start();
  await next.journal.previewsChecked(contested);
  await next.journal.previewsChecked({ previews: [preview] });
  await next.journal.previewsChecked(contested);
  await expect.poll(() => news()).toHaveLength(2);
  const entry = { type: "conflict", at: expect.any(String), environment: "shop/pr-7", reason: "two want it" };
  expect(news()).toEqual([[entry], [entry]]);
});

test("a mistake in the file of notifications is reported with its place", () => {
  const { problems } = readRoutes(
    [
      "repeat_after: { fixed: 1h }",
      "routes:",
      "  - { url_file: a, template: hello }",
      "  - { url_file: b, format: slack, template: '{nobody}' }",
      "  - { url_file: c, environments: ['a/b/c'] }",
    ].join("\n"),
    "notify.yaml",
  );
  expect(problems.map(({ message, position }) => `${position?.line}: ${message}`)).toMatchInlineSnapshot(`
    [
      "1: "fixed" is an event, not a lasting state",
      "3: a template needs format: slack",
      "4: the template has "{nobody}"",
      "5: routes[2].environments[0]: "a/b/c" is not a pattern of environments",
    ]
  `);
});
