import { once } from "node:events";
import { join } from "node:path";
import { type Child, spawnInfrasync } from "../cli/child.ts";
import type { FastTime } from "./fast-time.ts";

/** The API as a process whose clock is fast. */
export interface FastEmulator extends AsyncDisposable {
  url: string;
  organization: { id: string; name: string };
  tokens: { admin: string };
  /** Sends a request as a person. */
  request(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** Makes a token. */
  tokenFor(name: string): Promise<string>;
  /** The names of all jobs, in order. */
  jobs(): Promise<string[]>;
}

/** @param quota requests in an hour of the fast time, for each token */
export async function startFastEmulator(time: FastTime, quota: number): Promise<FastEmulator> {
  const child: Child = spawnInfrasync(
    ["emulator", "--port", "0", "--set", `rate_limit=${quota}`, "--set", "duplicate_names=true"],
    { ...time.env, NODE_OPTIONS: `--import=${join(import.meta.dirname, "fast-clock.mjs")}` },
  );
  const first = await Promise.race([once(child.process.stdout, "data"), child.ended]);
  if (!Array.isArray(first)) throw new Error(first.stderr);
  const started = JSON.parse(String(first[0])) as Pick<FastEmulator, "url" | "organization" | "tokens">;
  // What people ask in an hour, which takes seconds, is more than one token may.
  const people = [started.tokens.admin];
  let count = 0;
  const request = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(started.url + path, {
      method,
      headers: {
        authorization: `Token ${people[(count += 1) % people.length]}`,
        "content-type": "application/json",
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
  };
  const tokenFor = async (name: string) => {
    const path = `/organization/${started.organization.id}/apiToken`;
    return String((await request("POST", path, { name, scope: "ADMIN" }))["token"]);
  };
  for (let person = 1; person < 20; person += 1) people.push(await tokenFor(`person-${person}`));
  return {
    ...started,
    request,
    tokenFor,
    async jobs() {
      const { results } = await request("GET", `/organization/${started.organization.id}/services`);
      return (results as { name: string }[]).map(({ name }) => name).toSorted();
    },
    async [Symbol.asyncDispose]() {
      child.process.kill("SIGKILL");
      await child.ended;
    },
  };
}
