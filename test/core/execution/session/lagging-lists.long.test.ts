import { appendFile, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createClient, startRun } from "../../../../core/index.ts";
import { chooseServices } from "../../../../core/deployments/index.ts";
import { dump, findLive } from "../../../../core/import/live/index.ts";
import { parsePattern } from "../../../../core/model/addresses/pattern.ts";
import { parseAddress } from "../../../../core/model/addresses/address.ts";
import type { Fields } from "../../../../core/values/json.ts";
import { type Behaviour, createEmulator } from "../../../../emulator/index.ts";
import { application, clone, environment, job, project } from "../../../fixtures/documents.ts";
import { fastClock } from "../../../fixtures/fast-clock.ts";
import { send } from "../../../fixtures/send.ts";
import { type Connection, keptIn, run, type RunOptions } from "../../../fixtures/plan-and-apply.ts";
import { summary } from "../../../fixtures/harness.ts";
import { removeFolder } from "../../../fixtures/remove-folder.ts";

const documents = [
  project(),
  environment("shop/staging"),
  job("shop/staging/migrate"),
  application("shop/staging/web"),
];
const lagging: Behaviour = { list_delay_ms: 200_000, duplicate_names: true };

type Server = Connection & { folder: string };

/** On a machine that keeps what runs have made. */
async function onServer(behaviour: Behaviour, work: (server: Server) => Promise<void>): Promise<void> {
  const emulator = await createEmulator({ clock: "frozen", behaviour });
  const folder = await mkdtemp(join(tmpdir(), "lag-"));
  const { url, tokens, organization } = emulator;
  try {
    const server = { url, token: tokens.admin, organization, folder };
    // No list lags for what was there when the server began.
    await pass(server, 60_000);
    await work(server);
  } finally {
    await emulator.close();
    await removeFolder(folder);
  }
}

const pass = (server: Server, milliseconds: number) =>
  send(`${server.url}/_emulator/clock`, {
    method: "POST",
    headers: { "x-emulator-control": "1" },
    body: { advance_ms: milliseconds },
  });

const apply = (server: Server, declared: Fields[], options: RunOptions = {}) =>
  run(server, declared, { kept: keptIn(server.folder, server), ...options });

test("a run after another one finds what no list shows yet, and creates nothing again", () =>
  onServer(lagging, async (server) => {
    await apply(server, documents);
    const { plan } = await apply(server, [...documents, job("shop/staging/new")]);
    expect(summary(plan)).toEqual(["create job:shop/staging/new"]);
    const again = await apply(server, [...documents, job("shop/staging/new")]);
    expect(summary(again.plan)).toEqual([]);
  }));

test("a job gets the deployment stage that the same run has created and no list shows yet", () =>
  onServer(lagging, async (server) => {
    const stage = { kind: "DeploymentStage", environment: "shop/staging", name: "first" };
    const declared = [
      project(),
      environment("shop/staging"),
      stage,
      job("shop/staging/migrate", { deployment_stage: "first" }),
    ];
    const { report } = await apply(server, declared);
    expect(report.outcomes.map(({ status, message }) => message ?? status)).toEqual(
      declared.map(() => "done"),
    );
    expect(summary((await apply(server, declared)).plan)).toEqual([]);
    const other = job("shop/staging/other", { deployment_stage: "first" });
    await elsewhere(server, async (machine) => {
      const later = await apply(machine, [project(), environment("shop/staging"), other]);
      expect(summary(later.plan)).toEqual(["create job:shop/staging/other"]);
      expect(later.report.outcomes.filter(({ status }) => status !== "done")).toEqual([]);
    });
  }));

/** The same server for another machine, which knows nothing of the first one. */
async function elsewhere(server: Server, work: (other: Server) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "lag-"));
  try {
    await work({ ...server, folder });
  } finally {
    await removeFolder(folder);
  }
}

/** The names of what runs make, as often as the server has them once no list lags. */
async function everything(server: Server): Promise<string[]> {
  await pass(server, 600_000);
  const { documents: dumped } = await dump(reading({ ...server, folder: undefined }), server.organization);
  const all = new Set(["shop", "staging", "migrate", "web", "new"]);
  return dumped
    .map(({ name }) => name)
    .filter((name) => all.has(name))
    .toSorted();
}

test("a run on another machine creates nothing again that no list shows yet", () =>
  onServer(lagging, async (server) => {
    await apply(server, documents);
    await elsewhere(server, async (other) => {
      const { plan } = await apply(other, [...documents, job("shop/staging/new")]);
      expect(summary(plan)).toEqual(["create job:shop/staging/new"]);
      const again = await apply(server, [...documents, job("shop/staging/new")]);
      expect(summary(again.plan)).toEqual([]);
    });
    expect(await everything(server)).toEqual(["migrate", "new", "shop", "staging", "web"]);
  }));

test("a destruction on another machine names everything that no list shows yet", () =>
  onServer(lagging, async (server) => {
    await apply(server, [project(), environment("shop/staging")]);
    await pass(server, 300_000);
    await apply(server, documents);
    await elsewhere(server, async (other) => {
      const { plan } = await apply(other, documents, { goal: "destroy" });
      expect(summary(plan)).toHaveLength(4);
    });
    expect(await everything(server)).toEqual([]);
  }));

test("a prune on another machine names what no list shows yet", () =>
  onServer(lagging, async (server) => {
    const pruned = environment("shop/staging", { manage: { prune: true } });
    await apply(server, [project(), pruned, job("shop/staging/migrate")]);
    await pass(server, 300_000);
    await apply(server, [project(), pruned, job("shop/staging/migrate"), job("shop/staging/new")]);
    await elsewhere(server, async (other) => {
      const { plan } = await apply(other, [project(), pruned], { policy: { prune: true } });
      expect(summary(plan).toSorted()).toEqual([
        "delete job:shop/staging/migrate",
        "delete job:shop/staging/new",
      ]);
    });
  }));

test.each<Behaviour>([lagging, { list_delay_ms: 200_000 }, { cached_lists_ms: 200_000 }])(
  "a destruction right after an apply deletes everything, on a server with %j",
  (behaviour) =>
    onServer(behaviour, async (server) => {
      // With cached lists, the first answers are those before the creation.
      await apply(server, documents);
      const { plan } = await apply(server, documents, { goal: "destroy" });
      expect(summary(plan).toSorted()).toEqual(
        [
          "delete application:shop/staging/web",
          "delete environment:shop/staging",
          "delete job:shop/staging/migrate",
          "delete project:shop",
        ].toSorted(),
      );
    }),
);

const reading = (server: Connection & { folder: string | undefined }) => {
  const client = createClient({ baseUrl: server.url, token: server.token, onQuota: "fail" });
  return startRun(client, { cache: server.folder === undefined ? undefined : keptIn(server.folder, server) });
};

test.each(["the same machine", "another one"])("a dump on %s right after an apply has everything", (where) =>
  onServer(lagging, async (server) => {
    await apply(server, documents);
    const from = where === "another one" ? { ...server, folder: undefined } : server;
    const { documents: dumped } = await dump(reading(from), server.organization);
    expect(dumped.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["shop", "staging", "migrate", "web"]),
    );
  }),
);

test("a service is found by its address and chosen for a deployment before a list shows it", () =>
  onServer(lagging, async (server) => {
    await apply(server, documents);
    const address = parseAddress("job:shop/staging/migrate");
    const found = address && (await findLive(reading(server), server.organization, address));
    expect(found?.name).toBe("migrate");
    const choices = await chooseServices(reading(server), server.organization, [
      parsePattern("job:shop/staging/*"),
    ]);
    expect(choices.flatMap(({ services }) => services.map(({ live }) => live.name))).toEqual(["migrate"]);
  }));

test("a cluster that only its list could show is not created again: the plan is refused, with the reason", () =>
  onServer({ cached_lists_ms: 200_000, duplicate_names: true }, async (server) => {
    const paris = { kind: "Cluster", name: "paris", region: "eu-west-3", cloud_provider: "AWS" };
    const policy = { infrastructure: ["paris"] };
    await apply(server, [paris], { policy });
    await expect(apply(server, [paris], { policy })).rejects.toThrow(
      /the list does not show the Cluster paris \(.*\) yet, which was created \d+ s ago; try again in a minute/,
    );
  }));

test("a run that creates reads the events once, and one that changes nothing never does", () =>
  onServer({}, async (server) => {
    const spent = async (more: Fields[]) => (await apply(server, [...documents, ...more])).plan.spent;
    const first = await spent([]);
    const another = { kind: "Project", name: "another" };
    expect([await spent([]), await spent([another]), await spent([another])]).toEqual([3, 4, 3]);
    expect(first).toBeLessThanOrEqual(4);
  }));

/** The server has no events. */
const silent = { missing_operations: ["GET /organization/{organizationId}/events"] };

test("where events cannot be read, the first creation shows that lists lag, and nothing is there twice", () =>
  onServer({ ...lagging, ...silent }, async (server) => {
    await apply(server, documents);
    // Of two that were created in one millisecond, nobody can tell the older one.
    await pass(server, 1000);
    await elsewhere(server, async (other) => {
      const waits: unknown[] = [];
      const { report } = await apply(other, [...documents, job("shop/staging/new")], {
        onWait: ({ reason, subject }) => {
          if (waits.length === 0) void pass(server, 200_000);
          waits.push({ reason, subject });
        },
      });
      expect(waits).toEqual([{ reason: "lists", subject: "Project shop" }]);
      expect(report.outcomes.map(({ status }) => status)).toEqual(["done", "done", "done", "done", "done"]);
    });
    expect(await everything(server)).toEqual(["migrate", "new", "shop", "staging", "web"]);
  }));

test("where events cannot be read and lists do not lag, a run that creates reads one list more, and does not wait", () =>
  onServer(silent, async (server) => {
    const clock = countingClock();
    const { report, plan } = await apply(server, documents, { clock });
    expect(report.spent.total - plan.spent).toBe(documents.length + 1);
    expect(clock.waited).toBe(0);
  }));

/** A clock that counts the milliseconds for which a run waits. */
function countingClock() {
  const clock = { ...fastClock(), waited: 0 };
  const { sleep } = clock;
  clock.sleep = (milliseconds, signal) => {
    clock.waited += milliseconds;
    return sleep(milliseconds, signal);
  };
  return clock;
}

test("a run does not wait for a resource that this machine has created and somebody has deleted", () =>
  onServer(silent, async (server) => {
    const { report } = await apply(server, documents);
    const made = report.outcomes.find(({ address }) => address.kind.name === "Job");
    const { status } = await send(`${server.url}/job/${made?.resourceId}`, {
      method: "DELETE",
      headers: { authorization: `Token ${server.token}` },
    });
    expect(status).toBe(204);
    const clock = countingClock();
    const { plan } = await apply(server, documents, { clock });
    expect(summary(plan)).toEqual(["create job:shop/staging/migrate"]);
    expect(clock.waited).toBeLessThan(5_000);
  }));

test("a run waits for a clone that a run before it has requested, and says so", () =>
  onServer({ clone_delay_ms: 100_000, ...silent }, async (server) => {
    const copied = [...documents, clone("Environment", "shop/copy", "shop/staging")];
    await apply(server, documents);
    const first = await apply(server, copied, { limits: { clone: 1000 } });
    expect(first.report.outcomes.map(({ status }) => status)).toContain("pending");
    const reported: unknown[] = [];
    const { plan, report } = await apply(server, copied, {
      onWait: ({ reason, subject }) => {
        if (reported.length === 0) void pass(server, 200_000);
        reported.push({ reason, subject });
      },
    });
    expect(summary(plan)).toEqual(["clone environment:shop/copy"]);
    expect(reported).toEqual([{ reason: "clone", subject: "Environment copy" }]);
    expect(report.outcomes.flatMap(({ remarks = [] }) => remarks)).toContain("adopted");
  }));

const recordIn = async ({ folder }: Server) =>
  join(folder, (await readdir(folder)).find((name) => name.startsWith("creations-")) ?? "");

test.each<[string, (record: string) => Promise<unknown>]>([
  ["damaged", (record) => writeFile(record, "{")],
  ["cut off", (record) => writeFile(record, '{"kind":"job","parent":"1","na')],
  ["of another form", (record) => writeFile(record, '{"kind":"job","parent":"1","name":5,"at":1}\n')],
  ["no file", (record) => rm(record).then(() => mkdir(record))],
  [
    "too long",
    (record) => appendFile(record, `${JSON.stringify({ deleted: "x".repeat(100) })}\n`.repeat(50_000)),
  ],
])("where the record of creations is %s, a run asks the events what was created", (_what, spoil) =>
  onServer(lagging, async (server) => {
    await apply(server, documents);
    await spoil(await recordIn(server));
    const { plan } = await apply(server, [...documents, job("shop/staging/new")]);
    expect(summary(plan)).toEqual(["create job:shop/staging/new"]);
    const again = await apply(server, [...documents, job("shop/staging/new")]);
    expect(summary(again.plan)).toEqual([]);
  }),
);
