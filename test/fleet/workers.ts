import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { type Child, spawnInfrasync } from "../cli/child.ts";
import { Wire } from "./cut.ts";
import type { Postgres } from "./postgres.ts";

/** A request that changes something, as it left a worker. */
export interface Write {
  worker: string;
  /** Milliseconds since 1970: when it began, and when it was answered. */
  begun: number;
  ended: number;
  line: string;
  status: number;
}

/** A worker: a process, its page, and its ways to the database and to the API. */
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
  /** The API. */
  apiUrl: string;
  token: string;
  writes: Write[];
  env: Record<string, string>;
  args: readonly string[];
}

/** Starts a worker whose writes are noted on their way to the API. */
export async function startWorker(name: string, of: WorkersOf): Promise<Worker> {
  const wire = await Wire.to(of.postgres.port);
  const api = createServer((incoming, outgoing) => {
    const begun = Date.now();
    const { method = "GET", url = "/", headers } = incoming;
    const onwards = request(of.apiUrl + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      answer.on("end", () => {
        if (method !== "GET")
          of.writes.push({
            worker: name,
            begun,
            ended: Date.now(),
            line: `${method} ${url}`,
            status: answer.statusCode ?? 0,
          });
      });
    });
    onwards.on("error", () => outgoing.destroy());
    incoming.pipe(onwards);
  }).listen(0, "127.0.0.1");
  await once(api, "listening");
  const address = api.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const data = join(of.folder, name);
  mkdirSync(data, { recursive: true });
  const child = spawnInfrasync(
    [
      "reconcile",
      "--sources",
      join(of.folder, "sources"),
      "--source-files",
      join(of.folder, "files"),
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
      INFRASYNC_BASE_URL: `http://127.0.0.1:${port}`,
      INFRASYNC_TOKEN: of.token,
      INFRASYNC_DATABASE: of.postgres.urlAt(wire.port),
      HOME: of.folder,
      ...of.env,
    },
  );
  child.process.once("close", () => {
    api.close();
    wire.close();
  });
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
