import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import Fastify from "fastify";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CompletionCache } from "../../cli/commands/complete/cache.ts";
import { FollowedSources } from "../../cli/service/fleet/followed-sources.ts";
import { InvalidInputError, startRun, writePlan } from "../../core/index.ts";
import { propose } from "../../core/execution/session/index.ts";
import { findKind, type Kind } from "../../core/model/kinds/index.ts";
import {
  cachedPages,
  fileFor,
  readCacheFile,
  writeCacheFile,
} from "../../core/state/live/cache-files/file.ts";
import { CacheKey } from "../../core/state/live/cache-files/key.ts";
import { readAnyPlan } from "../../core/outputs/forms/saved-plan/file.ts";
import { isFields, type Json, parsedJson } from "../../core/values/json.ts";
import { RunLedger } from "../../provider/lifecycle/ledger.ts";
import { UnfinishedCreations } from "../../provider/lifecycle/unfinished-creations.ts";
import { SourceFiles } from "../../reconciler/database/source-files.ts";
import { Audit, Journal, Memory, PreviewRecord, RateBudget, Requests } from "../../reconciler/index.ts";
import { Outbox } from "../../reconciler/notify/outbox.ts";
import { takeOver } from "../../reconciler/service/take-over.ts";
import { addSessions } from "../../reconciler/show/page/sessions.ts";
import { steppingClock } from "../fixtures/fast-clock.ts";
import { desiredOf } from "../fixtures/desired.ts";
import { openPolicy } from "../fixtures/policy.ts";
import { tries } from "../fixtures/random-cases.ts";
import { DatabaseError } from "../../adapters/database/index.ts";
import { useHarness } from "../fixtures/use-harness.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

const harness = useHarness();
const clock = steppingClock();
const [commit, tree] = ["c".repeat(40), "d".repeat(40)];
const by = { id: "user:root", name: "root on this machine" };
const change = {
  action: "create",
  address: "job:shop/staging/a",
  fields: ["cpu 1 -> 2"],
  losses: ["x"],
  by: "b",
};
const entry = { type: "applied", id: 1, at: 5, environment: "shop/staging", commit, changes: [change] };
const asked = {
  type: "requested",
  id: 1,
  at: 5,
  by,
  request: "sync",
  environment: "shop/staging",
  client: "c",
};
const key = new CacheKey("the token of the tests");
const job = findKind("job") as Kind;

/** What hears the sentence that a reader logs. */
function listener() {
  let heard: string | undefined;
  const [quiet, warn] = [() => undefined, (_fields: object, message: string) => void (heard = message)];
  return { log: { debug: quiet, info: quiet, error: warn, warn }, heard: () => heard };
}

function damageListener() {
  let heard: string | undefined;
  return { onDamage: (report: string) => void (heard = report), heard: () => heard };
}

const isRefused = (error: unknown): string => {
  if (!(error instanceof InvalidInputError)) throw error;
  const [{ message, advice = "", remedies } = { message: "" }] = error.problems;
  return `${message}; ${advice}${remedies ? "do that again" : ""}`;
};

type Report = string | boolean | undefined;

interface StoredThing {
  /** Its file in a folder. */
  file: string;
  /** Its content, where nothing is damaged: the text, or what writes it. */
  content: string | ((folder: string) => Promise<unknown> | void);
  /** Reads it as the program does. Returns the report of the damage, or whether the reader believes nothing of it. */
  isUnknown(folder: string): Promise<Report> | Report;
  /** Whether a proof covers each byte. */
  isProven?: true;
  /** The damages that nobody can find, since a process may have ended while it wrote. */
  unseen?: readonly string[];
  /** It has no file of its own. */
  isText?: true;
}

const json = (content: object) => `${JSON.stringify({ version: 1, ...content })}\n`;
const lines = (...all: object[]) => all.map((each) => `${JSON.stringify(each)}\n`).join("");
const state = json({
  organization: "o",
  began: 1,
  applied: { commit, tree },
  inventory: { id: { address: "job:shop/staging/a", isCopy: true, entries: ["variables.A"] } },
  partly: { commit, tree, done: ["shop/staging"] },
  documents: { "job:shop/staging/a": "digest" },
  appliedCommits: [{ commit, tree, environments: ["shop/staging"], at: 1 }],
  undone: { a: { owner: "job:shop/staging/a", document: "digest", times: [1], pause: 2 } },
  deletions: [{ at: 1, tree, id: "i", event: "e", title: "job:shop/staging/a", isDone: true }],
  countedSince: 1,
  healthy: { "shop/staging": { digest: "d", since: 1 } },
  rollouts: {
    "shop/staging": { started: { digest: "d", at: 1 }, healthy: { commit, tree, digest: "d" }, givenUp: "d" },
  },
  secrets: { "job:shop/staging/a": { "secrets.A": { revision: "m", at: 1, source: "s", value: "v" } } },
  identities: { "job:shop/staging/a": "id" },
});
const requests = json({
  requested: { "shop/staging": { type: "approve", by, plan: "digest" } },
  rollbacks: { "shop/staging": { commit, tree, by, at: "2026-12-01T08:00:00.000Z", instead: "d" } },
  pauses: [{ pattern: "shop/*", until: 9e15, reason: "r", by, at: 1 }],
  ended: [{ key: "shop/staging", by, reason: "r" }],
  known: ["shop/staging"],
});
const environment = { key: "environment:shop/other", names: ["shop", "other"] };
const takesOver = async (folder: string) => {
  const own = new Requests(join(folder, "own"));
  await own.open();
  const others = await new FollowedSources(folder).beside("own");
  const declared = [environment] as unknown as Parameters<typeof takeOver>[0];
  return takeOver(declared, "o", own, others, 1).then(() => false, isRefused);
};

const things: Record<string, StoredThing> = {
  "the memory of a source": {
    file: "state.json",
    content: state,
    isUnknown: (folder) => new Memory(join(folder, "state.json")).read(),
  },
  "the memory of a source that has stopped": {
    file: "sources/two/state.json",
    content: state,
    async isUnknown(folder) {
      const followed = [{ name: "two", repository: "r" }];
      await writeFile(join(folder, "followed.json"), json({ places: {}, followed, stopped: [] }));
      const sources = new FollowedSources(folder);
      await sources.open();
      await sources.follow([], {}, [], 1);
      expect(sources.stopped).toHaveLength(1);
      return sources.stopped[0]?.left === undefined;
    },
  },
  "the requests of people": {
    file: "requests.json",
    content: requests,
    async isUnknown(folder) {
      const its = new Requests(folder);
      await its.open();
      return its.unknown && isRefused(its.unknown);
    },
  },
  "the memory of another source": {
    file: "sources/other/state.json",
    content: async (folder) => {
      await writeFile(join(folder, "sources/other/state.json"), state);
      await writeFile(join(folder, "sources/other/requests.json"), requests);
    },
    isUnknown: takesOver,
  },
  "the requests of people for another source": {
    file: "sources/other/requests.json",
    content: requests,
    isUnknown: takesOver,
  },
  "the sources that a service follows": {
    file: "followed.json",
    content: json({
      places: { one: "p" },
      followed: [{ name: "one", team: "t", repository: "r", path: "p" }],
      stopped: [{ name: "two", team: "t", repository: "r", path: "p", at: 1, left: ["job:a/b/c"] }],
    }),
    isUnknown: (folder) => new FollowedSources(folder).open(),
  },
  "the journal": {
    file: "journal.jsonl",
    content: lines(
      {
        version: 1,
        current: { "state shop/staging": entry },
        started: [{ id: "1", commit, address: "a", action: "create" }],
      },
      entry,
    ),
    async isUnknown(folder) {
      const { log, heard } = listener();
      await new Journal({ folder, clock, log, describe: String }).open();
      return heard();
    },
  },
  "the audit trail": {
    file: "audit.jsonl",
    content: lines(asked, asked),
    isUnknown: async (folder) => (await new Audit(folder, clock).newest()).damaged > 0,
    unseen: ["empty"],
  },
  "the waiting notifications": {
    file: "outbox.json",
    content: json({ last: 1, times: { a: 1 }, waiting: [{ id: "1", to: "t", message: "m" }] }),
    async isUnknown(folder) {
      const { log, heard } = listener();
      const reported = await new Outbox(join(folder, "outbox.json"), log).open();
      return reported === undefined && heard();
    },
  },
  "the requested previews": {
    file: "previews.json",
    content: json({ previews: [{ project: "shop", number: 1, requested: 5 }] }),
    isUnknown: (folder) => new PreviewRecord(join(folder, "previews.json")).open(),
  },
  "the spent requests": {
    file: "quota.json",
    content: json({ checking: { end: 9e15, spent: 5 }, applying: { end: 9e15, spent: 5 } }),
    async isUnknown(folder) {
      const file = join(folder, "quota.json");
      const budget = new RateBudget({ clock, interval: 60_000, file });
      const damage = await budget.open();
      // All that the token has spent may have been spent on changes.
      if (damage !== undefined) expect(budget.affordable({ limit: 1000, remaining: 400 })).toBe(0);
      return damage;
    },
  },
  "the number of the state that a worker has seen": {
    file: "generation",
    content: "2",
    async isUnknown(folder) {
      const lease = {
        epoch: 1,
        query: async () => [{ name: "generation", content: "2" }],
        join: async () => [],
      };
      const files = new SourceFiles(
        lease as unknown as ConstructorParameters<typeof SourceFiles>[0],
        "one",
        folder,
      );
      return files.restore().then(
        () => false,
        (error: unknown) =>
          error instanceof DatabaseError ? `${error.message}; ${error.advice}` : isRefused(error),
      );
    },
  },
  "a session of a browser": {
    isText: true,
    file: "session.json",
    content: JSON.stringify({
      cookie: {},
      identity: { type: "provider", identity: by, groups: ["ops"] },
      reported: { text: "done", isRefused: false },
    }),
    async isUnknown(folder) {
      const text = await readFile(join(folder, "session.json"), "utf8");
      const nothing = async () => undefined;
      const app = Fastify();
      await addSessions(app, clock, {
        find: async () => text,
        begin: nothing,
        change: nothing,
        end: nothing,
      });
      app.get("/", async ({ session }) => session.identity ?? "nobody");
      const answer = await app.inject({ url: "/", cookies: { infrasync: "i".repeat(32) } });
      await app.close();
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.body === "nobody";
    },
  },
  "the ledger of a run of Pulumi": {
    file: "run.jsonl",
    content: (folder) => {
      const ledger = new RunLedger(join(folder, "run.jsonl"), false);
      const urn = "urn:pulumi:dev::shop::infrasync:index:Job::a";
      ledger.record({ did: "states", id: "id", urn, kind: "job", names: ["a"], state: "digest" });
      ledger.claim("a domain", urn);
      ledger.record({ did: "lost", id: "id", what: "its data" });
      ledger.record({ did: "written", id: "id", urn });
    },
    isUnknown: (folder) => {
      const ledger = new RunLedger(join(folder, "run.jsonl"), false);
      void [ledger.namesOf("id"), ledger.isHeld("id", "a"), ledger.kindOf("id"), ledger.lostBeside("x")];
      return !ledger.isWhole;
    },
    unseen: ["empty", "cut", "a broken link"],
  },
  "the creations that Pulumi has begun": {
    file: "",
    content: (folder) =>
      new UnfinishedCreations({ INFRASYNC_CACHE: folder }).begin(
        { kind: job, parentId: "p", name: "a" },
        "r",
        5,
      ),
    isUnknown: (folder) =>
      new UnfinishedCreations({ INFRASYNC_CACHE: folder }).startedAt(
        { kind: job, parentId: "p", name: "a" },
        "r",
        6,
      ) === undefined,
  },
  "the cached parts of resources": {
    file: "",
    content: (folder) =>
      writeCacheFile(
        fileFor(folder, key, "https://api.example.com", "organization"),
        {
          looked: 7,
          known: new Set(["event 1"]),
          runs: new Map([["run 1", { end: 5, isOver: true, lasted: 3, events: 2 }]]),
          lists: new Map([
            [
              "list",
              {
                owner: "o",
                above: ["a"],
                at: 1,
                changed: "c",
                isReported: true,
                entries: [{ id: "v", value: "h" }],
              },
            ],
          ]),
        },
        key,
      ),
    async isUnknown(folder) {
      const { onDamage, heard } = damageListener();
      const file = fileFor(folder, key, "https://api.example.com", "organization");
      const content = await readCacheFile(file, key, { onDamage });
      return content === undefined && heard();
    },
    isProven: true,
  },
  "how a server pages its lists": {
    file: "",
    content: (folder) => cachedPages(folder, { token: "t", baseUrl: "b" }).write('{"since":1}'),
    async isUnknown(folder) {
      const { onDamage, heard } = damageListener();
      const content = await cachedPages(folder, { token: "t", baseUrl: "b" }, onDamage).read();
      return content === undefined && heard();
    },
    isProven: true,
  },
  "the names for completion": {
    file: "",
    content: (folder) => completion(folder).keep("list", [{ kind: "job", name: "a", id: "i" }]),
    isUnknown: (folder) => completion(folder).get("list") === undefined,
  },
  "a saved plan": {
    file: "plan.json",
    content: async (folder) => {
      const manifest = "kind: Project\nname: shop\n---\nkind: Environment\nproject: shop\nname: dev\n";
      const inputs = { ...desiredOf(manifest), policy: openPolicy };
      const run = startRun(harness.client);
      const { plan } = await propose(run, harness.organization, "reconcile", inputs.resources, inputs.policy);
      const saved = { inputs, known: run.live.known(), baseUrl: "https://api.example.com" };
      await writePlan(join(folder, "plan.json"), plan, saved);
    },
    isUnknown: (folder) => readAnyPlan(join(folder, "plan.json")).then(() => false, isRefused),
    isProven: true,
  },
};

const completion = (folder: string) =>
  CompletionCache.open({ XDG_CACHE_HOME: folder }, { baseUrl: "b", token: "t" }, 1000);

/** Where texts of JSON are read, and the row that damages what is read there. */
const readers: Readonly<Record<string, string>> = {
  "adapters/forge/client.ts": "answers of Git hosts: test/adapters/forge",
  "adapters/forge/github.ts": "the event of a workflow: test/adapters/forge",
  "cli/commands/complete/cache.ts": "the names for completion",
  "cli/commands/emulator.ts": "seeds of the emulator",
  "cli/service/endpoint.ts": "answers of the service: test/cli/commands/reconcile",
  "cli/service/fleet/followed-sources.ts": "the sources that a service follows",
  "core/api/judge.ts": "answers of the API: test/core/api",
  "core/api/server-pages.ts": "how a server pages its lists",
  "core/files/stored-form.ts": "the reader itself",
  "core/outputs/forms/saved-plan/file.ts": "a saved plan",
  "core/state/events/event.ts": "events of the API: test/core/state/events",
  "core/state/live/cache-files/file.ts": "the cached parts of resources",
  "core/state/live/creation-record.ts": "test/core/execution/session/lagging-lists",
  "core/values/json.ts": "the parser itself",
  "provider/lifecycle/ledger-file.ts": "the ledger of a run of Pulumi",
  "provider/lifecycle/outputs.ts": "states of Pulumi: test/provider/lifecycle/outputs",
  "provider/lifecycle/unfinished-creations.ts": "the creations that Pulumi has begun",
  "reconciler/journal/audit.ts": "the audit trail",
  "reconciler/journal/journal.ts": "the journal",
  "reconciler/lock.ts": "the greeting of a process: test/reconciler/lock",
  "reconciler/memory/left-live.ts": "the memory of a source that has stopped",
  "reconciler/memory/memory.ts": "the memory of a source",
  "reconciler/notify/outbox.ts": "the waiting notifications",
  "reconciler/previews/record.ts": "the requested previews",
  "reconciler/requests/requests.ts": "the requests of people",
  "reconciler/service/take-over.ts": "the memory of another source",
  "reconciler/show/page/request-relay.ts": "answers of other workers: test/fleet",
  "reconciler/show/page/sessions.ts": "a session of a browser",
  "reconciler/watch/rate-budget.ts": "the spent requests",
};

test("whoever reads a text of JSON is in the list above", async () => {
  const reads = /\b(?:(?:openStored|readJson|readStored(?:File|Text|Lines))|parsedJson|JSON\.parse)\(/;
  const folders = ["adapters", "ci", "cli", "core", "provider", "reconciler"];
  const entries = folders.map((name) => readdir(name, { recursive: true, withFileTypes: true }));
  const found: string[] = [];
  for (const { name, parentPath } of (await Promise.all(entries)).flat()) {
    if (!name.endsWith(".ts")) continue;
    // To copy a value is not to read one.
    const text = (await readFile(join(parentPath, name), "utf8")).replaceAll(
      "JSON.parse(JSON.stringify(",
      "",
    );
    if (reads.test(text)) found.push(join(parentPath, name));
  }
  expect(found.toSorted()).toEqual(Object.keys(readers).toSorted());
  const rows = Object.values(readers).filter(
    (row) => row.startsWith("the ") && !row.includes("itself") && !row.includes(":"),
  );
  expect(rows.filter((row) => !Object.hasOwn(things, row))).toEqual([]);
});

/** A JSON value with another type at each place, one after the other. */
function* withOtherTypes(value: Json): Generator<Json> {
  yield Array.isArray(value) ? 7 : [[7]];
  if (Array.isArray(value))
    for (const [index, each] of value.entries())
      for (const other of withOtherTypes(each)) yield value.with(index, other);
  else if (isFields(value))
    for (const [member, each] of Object.entries(value))
      for (const other of withOtherTypes(each)) yield { ...value, [member]: other };
}

/** A JSON value without a member, one after the other. */
function* withoutMembers(value: Json): Generator<Json> {
  if (Array.isArray(value))
    for (const [index, each] of value.entries())
      for (const other of withoutMembers(each)) yield value.with(index, other);
  else if (isFields(value))
    for (const [member, each] of Object.entries(value)) {
      const { [member]: _without, ...rest } = value;
      yield rest;
      for (const other of withoutMembers(each)) yield { ...value, [member]: other };
    }
}

type Damaged = [how: string, bytes: string | Buffer];

/** The text with each of its lines of JSON damaged. */
function* damagedLines(
  how: string,
  text: string,
  damage: (value: Json) => Iterable<Json>,
): Generator<Damaged> {
  const all = text.split("\n");
  for (const [index, line] of all.entries()) {
    const value = parsedJson(line);
    for (const other of value === undefined ? [] : damage(value))
      yield [how, all.with(index, JSON.stringify(other)).join("\n")];
  }
}

function* otherVersion(value: Json): Generator<Json> {
  if (isFields(value) && value["version"] === 1) yield { ...value, version: 2 };
}

const folders: string[] = [];
const pristine = new Map<string, { folder: string; path: string; text: string }>();

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "infrasync-damaged-"));
  folders.push(folder);
  return folder;
}

beforeAll(async () => {
  for (const [name, { file, content }] of Object.entries(things)) {
    const folder = await newFolder();
    const path = join(folder, file);
    if (file !== "") await mkdir(dirname(path), { recursive: true });
    if (typeof content === "string") await writeFile(path, content);
    else await content(folder);
    const [found = ""] = file === "" ? await filesIn(folder) : [path];
    pristine.set(name, { folder, path: found, text: await readFile(found, "utf8") });
  }
});
afterAll(() => Promise.all(folders.map((folder) => removeFolder(folder))));

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** What else can have the name of a file. */
const places: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  "a directory": (path) => mkdir(join(path, "below"), { recursive: true }),
  "a broken link": (path) => symlink(join(path, "..", "nowhere"), path),
  "a link to itself": (path) => symlink(path, path),
  "an object without members": (path) => writeFile(path, "{}"),
  "no object": (path) => writeFile(path, "null"),
};

describe.each(Object.entries(things))("%s", (name, { isUnknown, isProven, unseen = [], isText }) => {
  /** Reads it with a damage. */
  const read = async (bytes: string | Buffer): Promise<boolean> => {
    const { folder, path } = pristine.get(name) ?? { folder: "", path: "" };
    await writeFile(path, bytes);
    const report = await isUnknown(folder);
    return report !== undefined && report !== false;
  };
  const text = () => pristine.get(name)?.text ?? "";

  test("is read where nothing is damaged", async () => {
    expect(await read(text())).toBe(false);
  });

  test.skipIf(isText).each(Object.entries(places))("is unknown where %s has its name", async (what, put) => {
    if (unseen.includes(what)) return;
    const { folder, path } = pristine.get(name) ?? { folder: "", path: "" };
    await removeFolder(path);
    await put(path);
    // What cannot be read now may be intact: it is refused, and not called damaged.
    const report = await (async () => isUnknown(folder))().catch(isRefused);
    if (what.includes("link") && typeof report === "string" && !isProven)
      expect(report).not.toContain("is damaged");
    if (report !== true) {
      expect(report).toContain(dirname(path));
      expect(report).toContain(basename(path));
      expect(report).toMatch(/delete|again|start that source|make it a file that this user can read/i);
    }
    await removeFolder(path);
  });

  test("is unknown, and said to be, where it is empty, cut off, of another version or of another form", async () => {
    const cut = Array.from({ length: 20 }, (_, index) => Math.floor((text().length * index) / 20));
    const damages: Damaged[] = [
      ["empty", ""],
      ...cut
        .filter((end) => end > 0 && text()[end - 1] !== "\n" && text()[end] !== "\n")
        .map((end): Damaged => ["cut", text().slice(0, end)]),
      ["other", "\u0000".repeat(50)],
      ["other", "{broken\n"],
      ["other", "[]\n"],
      ...damagedLines("version", text(), otherVersion),
      ...damagedLines("type", text(), withOtherTypes),
    ];
    for (const [how, bytes] of damages)
      if (!unseen.includes(how)) expect([how, bytes, await read(bytes)]).toEqual([how, bytes, true]);
  });

  test("crashes no reader where members are missing or bits have changed, and is said where it is no JSON then", async () => {
    for (const [, bytes] of damagedLines("missing", text(), withoutMembers)) {
      const isSaid = await read(bytes);
      if (isProven) expect([bytes, isSaid]).toEqual([bytes, true]);
    }
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(7), async (at, bit) => {
        const bytes = Buffer.from(text());
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
        const isSaid = await read(bytes);
        const isJson = bytes
          .toString("utf8")
          .trimEnd()
          .split("\n")
          .every((line) => parsedJson(line) !== undefined);
        if (isProven || (!isJson && !unseen.includes("cut"))) expect(isSaid).toBe(true);
      }),
      { numRuns: tries(60) },
    );
  });
});
