import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Child, spawnInfrasync } from "../cli/child.ts";
import { Wire } from "./cut.ts";
import type { Postgres } from "./postgres.ts";

/** A worker: a process, its page, and its way to the database. */
export interface Worker {
  name: string;
  child: Child;
  url: string;
  webhookUrl: string | null;
  /** To the database. */
  wire: Wire;
}

/** What workers are started with. */
export interface WorkersOf {
  /** With the folders `sources` and `files`. */
  folder: string;
  postgres: Postgres;
  /** The API. Workers with different URLs would have different ledgers of a token. */
  apiUrl: string;
  token: string;
  env: Record<string, string>;
  args: readonly string[];
  /** How long a message to or from the database takes, in milliseconds; default: 0. */
  delay?: number;
}

/** Starts a worker; its requests name it. */
export async function startWorker(name: string, of: WorkersOf): Promise<Worker> {
  const wire = await Wire.to(of.postgres.port);
  wire.delay = of.delay ?? 0;
  const data = join(of.folder, name);
  mkdirSync(data, { recursive: true });
  const child = spawnInfrasync(
    [
      "reconcile",
      "--sources",
      join(of.folder, "sources"),
      "--data",
      data,
      "--allow-local-repo",
      "--yes",
      "--interval",
      "1s",
      "--listen",
      "0",
      ...of.args,
    ],
    {
      INFRASYNC_BASE_URL: of.apiUrl,
      INFRASYNC_TOKEN: of.token,
      INFRASYNC_SOURCE_FILES: join(of.folder, "files"),
      INFRASYNC_DATABASE: of.postgres.urlAt(wire.port),
      HOME: of.folder,
      INFRASYNC_TEST_WORKER: name,
      NODE_OPTIONS: ["worker-name", "clock-shift", "fast-clock"]
        .map((file) => `--import=${join(import.meta.dirname, `${file}.mjs`)}`)
        .join(" "),
      ...of.env,
    },
  );
  child.process.once("close", () => wire.close());
  const first = await Promise.race([once(child.process.stdout, "data"), child.ended]);
  if (!Array.isArray(first)) throw new Error(first.stderr);
  const { url, webhook_url: webhookUrl } = JSON.parse(String(first[0])) as {
    url: string;
    webhook_url: string | null;
  };
  return { name, child, url, webhookUrl, wire };
}

/** The sources as a worker tells them: their names, states, and the workers that have them. */
export async function statusOf({
  url,
}: Pick<Worker, "url">): Promise<{ sources: { name: string; state: string; worker?: { host: string } }[] }> {
  return (await fetch(`${url}/status.json`)).json() as Promise<{
    sources: { name: string; state: string; worker?: { host: string } }[];
  }>;
}
