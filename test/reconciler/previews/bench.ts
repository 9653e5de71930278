import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { startRun } from "../../../core/execution/session/index.ts";
import { LiveStore } from "../../../core/state/live/index.ts";
import { defaultCaps } from "../../../core/index.ts";
import type { PreviewCheck } from "../../../reconciler/previews/states.ts";
import type { Forge, ForgeSettings } from "../../../adapters/forge/index.ts";
import { github } from "../../../adapters/forge/github.ts";
import { gitlab } from "../../../adapters/forge/gitlab.ts";
import { type PreviewPolicy, readPolicy } from "../../../reconciler/policy/index.ts";
import { type PreviewContext, PreviewKeeper, PreviewRecord } from "../../../reconciler/previews/index.ts";
import {
  type ForgeServer,
  gitHostToken,
  repository,
  startGitHub,
  startGitLab,
} from "../../fixtures/forges/server.ts";
import type { Behaviour } from "../../../emulator/index.ts";
import { Harness } from "../../fixtures/harness.ts";
import { application, job, lifecycleJob, shop } from "../../fixtures/manifests.ts";
import { TestClock } from "../fixture.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

export const policyText = `
previews:
  from: shop/staging
  max: 2
  expires_after: 3d
  services:
    application:api: { git_repository: { branch: "{branch}" } }
    job:migrate: { source: { image: { tag: "{sha}" } }, cpu: 250 }
`;

/** Where the pull requests of a bench are. */
interface BenchForge {
  server: ForgeServer;
  client(settings: ForgeSettings): Forge;
  open(number: number, branch: string, labels: string[], isFork: boolean): void;
  push(number: number, commit: string): void;
  close(number: number): void;
  unlabel(number: number): void;
}

export async function onGitHub(): Promise<BenchForge> {
  const server = await startGitHub();
  const change = (desired: number, to: Partial<(typeof server.pulls)[0]>) =>
    void Object.assign(server.pulls.find(({ number }) => number === desired) ?? {}, to);
  return {
    server,
    client: (settings) => github.connect(repository, settings),
    open: (number, ref, labels, isFork) =>
      void server.pulls.push({
        number,
        labels,
        head: { ref, sha: commitOf(number), ...(isFork && { repository: "mallory/infra" }) },
      }),
    push: (number, sha) => change(number, { head: { ref: `topic-${number}`, sha } }),
    close: (number) => change(number, { state: "closed" }),
    unlabel: (number) => change(number, { labels: [] }),
  };
}

async function onGitLab(): Promise<BenchForge> {
  const server = await startGitLab();
  const change = (number: number, to: Partial<(typeof server.requestsToMerge)[0]>) =>
    void Object.assign(server.requestsToMerge.find(({ iid }) => iid === number) ?? {}, to);
  return {
    server,
    client: (settings) => gitlab.connect("7", settings),
    open: (iid, branch, labels, isFork) =>
      void server.requestsToMerge.push({
        iid,
        labels,
        source_branch: branch,
        sha: commitOf(iid),
        ...(isFork && { source_project_id: 8 }),
      }),
    push: (number, sha) => change(number, { sha }),
    close: (number) => change(number, { state: "closed" }),
    unlabel: (number) => change(number, { labels: [] }),
  };
}

export const forges = { GitHub: onGitHub, GitLab: onGitLab };

export interface Bench extends Pick<BenchForge, "push" | "close" | "unlabel"> {
  server: Harness;
  folder: string;
  forge: ForgeServer;
  clock: TestClock;
  log: { level: string; message: string; fields: Record<string, unknown> }[];
  /** One look, by a keeper that lives on. */
  keep(options?: {
    affordable?: number;
    rules?: Partial<PreviewContext["rules"]>;
    policy?: PreviewPolicy;
  }): Promise<void>;
  /** A look after the policy has lost its previews. */
  drop(): Promise<void>;
  /** A look by a keeper in another process. */
  restart(how?: () => Promise<void>): Promise<void>;
  open(number: number, given?: { branch?: string; labels?: string[]; isFork?: boolean }): void;
  /** The previews on the server, by name. */
  previews(): Promise<string[]>;
  comments(number: number): string[];
  /** What people are shown after the last look. */
  kept: PreviewCheck;
  context(): Omit<PreviewContext, "owner">;
}

export function policyWith(text: string): PreviewPolicy {
  const { policy, problems } = readPolicy(Buffer.from(text), "infrasync.reconcile.yaml");
  expect(problems).toEqual([]);
  if (!policy.previews) throw new Error("there is no policy of previews");
  return policy.previews;
}

export const commitOf = (number: number) => String(number).padStart(40, "a");

export async function startBench(
  text = policyText,
  start = onGitHub,
  behaviour: Behaviour = {},
): Promise<Bench> {
  const server = await Harness.start({ behaviour });
  const folder = await mkdtemp(join(tmpdir(), "infrasync-previews-"));
  onTestFinished(async () => {
    await server[Symbol.asyncDispose]();
    await removeFolder(folder);
  });
  await server.reconcile(
    shop +
      application("api", "auto_preview: true") +
      application("other") +
      job("nightly") +
      lifecycleJob("migrate"),
  );
  const { server: forge, client, open, push, close, unlabel } = await start();
  const clock = new TestClock();
  const previews = policyWith(text);
  const log: Bench["log"] = [];
  const logs = (level: string) => (fields: object, message: string) =>
    void log.push({ level, message, fields: { ...fields } });
  const make = () =>
    new PreviewKeeper({
      forge: () =>
        Promise.resolve(
          client({ apiUrl: forge.url, token: gitHostToken, environment: {}, clock, longestWait: 1000 }),
        ),
      branch: "main",
      owner: "main of github.com/acme/infra",
      clock,
      record: new PreviewRecord(join(folder, "previews.json")),
      slowAfter: 600_000,
      log: { debug: logs("debug"), info: logs("info"), warn: logs("warn"), error: logs("error") },
      watch: { previewsChecked: (kept) => void Object.assign(bench, { kept }) },
    });
  let keeper = make();
  let live = new LiveStore(clock);
  const contextOf = () => ({
    run: startRun(server.client, { live, limits: { clone: 5000, deletion: 5000, busy: 5000 } }),
    organization: server.organization,
    rules: { protect: [], caps: defaultCaps },
    parallelism: 10,
    onQuota: "fail" as const,
    affordable: () => Infinity,
  });
  const bench: Bench = {
    server,
    folder,
    forge,
    clock,
    log,
    keep: ({ affordable = Infinity, rules, policy: other = previews } = {}) =>
      keeper.keep({
        ...contextOf(),
        policy: other,
        rules: { protect: [], caps: defaultCaps, ...rules },
        affordable: () => affordable,
      }),
    drop: () => keeper.end(contextOf()),
    restart(how = () => bench.keep()) {
      keeper = make();
      live = new LiveStore(clock);
      return how();
    },
    open: (number, { branch = `topic-${number}`, labels = ["preview"], isFork = false } = {}) =>
      open(number, branch, labels, isFork),
    push,
    close,
    unlabel,
    async previews() {
      return [...(await server.everything())]
        .filter(([path, { mode }]) => mode === "PREVIEW" && !path.includes(" "))
        .map(([path]) => path)
        .toSorted();
    },
    kept: { previews: [] },
    context: () => ({ ...contextOf(), policy: previews }),
    comments: (number) => (forge.comments.get(number) ?? []).map(({ body }) => body),
  };
  return bench;
}
