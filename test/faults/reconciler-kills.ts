import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Child, spawnInfrasync } from "../cli/child.ts";
import { GitRepository } from "../fixtures/git-repository.ts";
import { Harness } from "../fixtures/harness.ts";
import { job } from "../fixtures/manifests.ts";
import { findTool } from "../fixtures/tools.ts";
import { type Moment, moments, Proxy } from "./stopping-proxy.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

const shop = `kind: Project
name: shop
---
kind: Environment
project: shop
name: staging
mode: STAGING
manage: { prune: true }
`;
const before = { "infra/shop.yaml": shop, ...files(["kept", "changed", "removed"]), ...replaced("on_start") };
const after = {
  ...files(["kept", "made"]),
  "infra/changed.yaml": job("changed", "cpu: 750"),
  "infra/removed.yaml": undefined,
  ...replaced("on_stop"),
};

function files(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`infra/${name}.yaml`, job(name, "cpu: 500")]));
}

function replaced(when: string): Record<string, string> {
  const schedule =
    when === "on_start" ? 'cronjob: { scheduled_at: "0 3 * * *", timezone: UTC }' : "on_stop: {}";
  return { "infra/replaced.yaml": job("replaced").replace(/schedule: .*/, `schedule: { ${schedule} }`) };
}

/** When a call of git is cut off: before it has begun, while it works, when it is done. */
const gitMoments = ["before", "during", "after"] as const;

/** Where a service is killed: at a moment of a request to the API, or of a call of git. Numbers count from 1. */
export type KillPoint =
  | { request: number; moment: Moment }
  | { call: number; moment: (typeof gitMoments)[number] };

/** Whether the service starts for the first time, or has applied a commit before. */
export type Start = "first" | "next";

/** How many requests and calls of git a service needs until it is in step. */
export interface Extent {
  requests: number;
  calls: number;
}

/** All points at which a service can be killed while it applies a commit. */
export function pointsOf({ requests, calls }: Extent): KillPoint[] {
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  return [
    ...upTo(requests).flatMap((request) => moments.map((moment) => ({ request, moment }))),
    ...upTo(calls).flatMap((call) => gitMoments.map((moment) => ({ call, moment }))),
  ];
}

/** A repository with two commits, and a git that kills whoever calls it. */
export class KillStage implements Disposable {
  readonly #repository = new GitRepository();
  readonly #first: string;
  readonly #last: string;
  readonly #bin: string;

  constructor() {
    this.#first = this.#repository.push(before);
    this.#last = this.#repository.push(after);
    this.#bin = join(this.#repository.folder, "bin");
    mkdirSync(this.#bin);
    const git = findTool("git") ?? "git";
    // The parent of this script is the service.
    const script = `#!/bin/sh
count=$(( $(cat ${this.#bin}/count) + 1 ))
echo $count > ${this.#bin}/count
read -r at moment < ${this.#bin}/point
if [ "$count" = "$at" ]; then
  case $moment in
    before) kill -9 $PPID; exit 1 ;;
    during) ${git} "$@" <&0 & sleep 0.005; kill -9 $PPID $!; exit 1 ;;
    after) ${git} "$@"; kill -9 $PPID; exit 1 ;;
  esac
fi
exec ${git} "$@"
`;
    writeFileSync(join(this.#bin, "git"), script, { mode: 0o755 });
  }

  [Symbol.dispose](): void {
    this.#repository[Symbol.dispose]();
  }

  /** Counts what an undisturbed service needs. */
  async extent(start: Start): Promise<Extent> {
    let extent: Extent | undefined;
    await this.#play(start, async (serve, proxy) => {
      void proxy.stopAt();
      const service = serve();
      await service.says(`"commit":"${this.#last}"`);
      const requests = proxy.count;
      const calls = Number(readFileSync(join(this.#bin, "count"), "utf8"));
      await end(service);
      extent = { requests, calls };
    });
    if (!extent) throw new Error("nothing was counted");
    return extent;
  }

  /**
   * Starts a service, kills it at a point, and starts it again.
   *
   * @returns whether it was killed: it may need fewer requests than another time
   * @throws when the next one does not bring the server to the wanted state, or has done anything twice
   */
  async kill(start: Start, point: KillPoint): Promise<boolean> {
    let isKilled = false;
    await this.#play(start, async (serve, proxy) => {
      const reached = proxy.stopAt("request" in point ? point : undefined);
      this.#killAt("call" in point ? point : undefined);
      const first = serve();
      const killed = "request" in point ? reached.then(() => first.process.kill("SIGKILL")) : undefined;
      isKilled = await Promise.race([
        first.ended.then(() => true),
        (killed ?? first.ended).then(() => true),
        first.says(`"commit":"${this.#last}"`).then(() => false),
      ]);
      first.process.kill("SIGKILL");
      await first.ended;
      void proxy.stopAt();
      this.#killAt(undefined);
      const second = serve();
      await second.says(`"commit":"${this.#last}"`);
      await end(second);
    });
    return isKilled;
  }

  #killAt(point: { call: number; moment: string } | undefined): void {
    writeFileSync(join(this.#bin, "count"), "0\n");
    writeFileSync(join(this.#bin, "point"), `${point ? `${point.call} ${point.moment}` : "none"}\n`);
  }

  async #play(start: Start, work: (serve: () => Child, proxy: Proxy) => Promise<void>): Promise<void> {
    await using server = await Harness.start({ behaviour: { delete_delay_ms: 20, duplicate_names: true } });
    await using proxy = await Proxy.open(server.emulator.url);
    await server.reconcile(Object.values(before).join("---\n"));
    const ids = await idsIn(server);
    const data = join(this.#repository.folder, "data");
    await removeFolder(data);
    const serve = () =>
      spawnInfrasync(
        // What is live was made after the commits: to a service that starts first, it is drift.
        `reconcile --path infra --allow-local-repo --yes --prune --on-drift apply --allow-replace ** --interval 1s --listen off`
          .split(" ")
          .concat("--repo", `file://${this.#repository.origin}`, "--data", data),
        {
          PATH: `${this.#bin}:${process.env["PATH"]}`,
          INFRASYNC_BASE_URL: proxy.url,
          INFRASYNC_TOKEN: server.emulator.tokens.admin,
        },
      );
    this.#killAt(undefined);
    if (start === "next") await this.#applyFirst(serve);
    await work(serve, proxy);
    await check(server, ids, start);
    checkData(data);
  }

  /** Has a service apply the first commit: its data folder has the ids of what it has applied. */
  async #applyFirst(serve: () => Child): Promise<void> {
    const [first, last] = [this.#first, this.#last];
    this.#repository.atOrigin("update-ref", "refs/heads/main", first);
    const service = serve();
    await service.says(`"commit":"${first}"`);
    await end(service);
    this.#repository.atOrigin("update-ref", "refs/heads/main", last);
    this.#killAt(undefined);
  }
}

async function end(service: Child): Promise<void> {
  service.process.kill("SIGTERM");
  const { code, stderr } = await service.ended;
  if (code !== 0) throw new Error(`the service has ended with ${code}: ${stderr}`);
}

async function idsIn(server: Harness): Promise<Map<string, string>> {
  const services = await server.results(`/organization/${server.organization.id}/services`);
  return new Map(services.map(({ name, id }) => [String(name), String(id)]));
}

/**
 * Nothing is missing, nothing is there twice, and what did not have to go is what it was. A service that starts first has
 * applied no commit that declared the removed job, so it leaves that alone.
 */
async function check(server: Harness, idsBefore: ReadonlyMap<string, string>, start: Start): Promise<void> {
  const documents = { ...before, ...after };
  const text = Object.values(documents).filter((content) => content !== undefined);
  const plan = await server.plan(text.join("---\n"), { prune: start === "next" });
  const open = plan.actions.filter(({ type }) => type !== "none").map(({ id }) => id);
  const services = await server.results(`/organization/${server.organization.id}/services`);
  const names = services.map(({ name }) => String(name)).toSorted();
  const ids = await idsIn(server);
  const isKept = ["kept", "changed"].every((name) => ids.get(name) === idsBefore.get(name));
  if (open.length + plan.problems.length > 0 || !isKept || !isDeepStrictEqual(names, desired[start]))
    throw new Error(`after the restart: ${JSON.stringify({ open, problems: plan.problems, names, isKept })}`);
}

const desired: Record<Start, string[]> = {
  first: ["changed", "kept", "made", "removed", "replaced"],
  next: ["changed", "kept", "made", "replaced"],
};

/** What the service keeps is whole, and counts each deletion once. */
function checkData(data: string): void {
  const state = JSON.parse(readFileSync(join(data, "state.json"), "utf8")) as {
    deletions?: { title: string }[];
  };
  const titles = (state.deletions ?? []).map(({ title }) => title);
  if (new Set(titles).size !== titles.length) throw new Error(`counted twice: ${titles.join(", ")}`);
  for (const line of readFileSync(join(data, "journal.jsonl"), "utf8").trim().split("\n")) JSON.parse(line);
}
