import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, onTestFinished } from "vitest";
import { infrasync, type Ran } from "../cli/captured.ts";
import { GitRepository } from "../fixtures/git-repository.ts";
import { shop } from "../fixtures/manifests.ts";
import { ApiLog } from "./api-log.ts";
import { Postgres } from "./postgres.ts";
import { startWorker, type Worker } from "./workers.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

/** What workers of a test share: PostgreSQL, sources with a repository each, and the API. */
export interface SharedFleet {
  readonly postgres: Postgres;
  readonly folder: string;
  /** What the workers have sent to the API so far. */
  readonly api: ApiLog;
  migrate(): Promise<Ran>;
  /** Makes a repository and a document for each name. @param more further lines of its document */
  state(
    names: readonly string[],
    given?: { manifest?: (name: string) => string; more?: (name: string, index: number) => string },
  ): Map<string, GitRepository>;
  /** Starts one more worker. @param args further flags @param delay milliseconds that a message to or from the database takes */
  start(env?: Record<string, string>, args?: readonly string[], delay?: number): Promise<Worker>;
  /** The process id of the worker that has a source, as the database says. */
  ownerOf(source: string): Promise<number | undefined>;
}

/** Gives each test of a file a PostgreSQL and a folder. */
export function useFleet(fixture: {
  readonly emulator: { url: string; tokens: { admin: string } };
}): SharedFleet {
  let postgres: Postgres;
  let folder = "";
  let api: ApiLog;
  let started = 0;
  beforeEach(async () => {
    postgres = await Postgres.start();
    folder = mkdtempSync(join(tmpdir(), "infrasync-fleet-"));
    api = await ApiLog.before(fixture.emulator.url);
    mkdirSync(join(folder, "sources"));
    mkdirSync(join(folder, "files"));
    return async () => {
      api.close();
      await postgres[Symbol.asyncDispose]();
      await removeFolder(folder);
    };
  });
  return {
    get postgres() {
      return postgres;
    },
    get folder() {
      return folder;
    },
    get api() {
      return api;
    },
    migrate: () => infrasync(["reconcile", "migrate"], { env: { INFRASYNC_DATABASE: postgres.url } }),
    state(names, { manifest = (name: string) => shop.replaceAll("shop", name), more = () => "" } = {}) {
      return new Map(
        names.map((name, index) => {
          const repository = new GitRepository();
          onTestFinished(() => repository[Symbol.dispose]());
          repository.push({ "infra/a.yaml": manifest(name) });
          writeFileSync(
            join(folder, "sources", `${name}.yaml`),
            `kind: Source\nname: ${name}\nteam: ${name}\nrepository: ${repository.origin}\npath: infra\n${more(name, index)}`,
          );
          return [name, repository];
        }),
      );
    },
    async start(env = {}, args = [], delay = 0) {
      const token = fixture.emulator.tokens.admin;
      const name = `w${(started += 1)}`;
      const worker = await startWorker(name, { folder, postgres, apiUrl: api.url, token, env, args, delay });
      onTestFinished(() => void worker.child.process.kill("SIGKILL"));
      return worker;
    },
    async ownerOf(source) {
      const [row] = await postgres.query<{ process_id: number }>(
        "select w.process_id from infrasync.source_status s join infrasync.worker w on w.id = s.worker where s.source = $1",
        [source],
      );
      return row?.process_id;
    },
  };
}
