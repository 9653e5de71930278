import { type Clock, authorization, createTransport } from "../../../core/api/index.ts";
import { type Behaviour, createEmulator, type Emulator } from "../../../emulator/index.ts";
import { StoryRun } from "./run.ts";
import type { Connection, TokenName } from "./server.ts";
import type { Leftover } from "./stage.ts";
import { cases } from "./cases/index.ts";
import type { AssumptionCase, CaseFinding } from "./assumption-case.ts";

/** The beginning of the names of throwaway projects. */
export const prefix = "conformance-";

const control = { "content-type": "application/json", "x-emulator-control": "1" };

/** A server on which clones, deletions and deployments take a while. */
const slow: Behaviour = { clone_delay_ms: 3_000, delete_delay_ms: 3_000, deploy_delay_ms: 3_000 };

/** The way of cases to a server. */
export function connectionTo(
  baseUrl: string,
  tokens: Readonly<Partial<Record<TokenName, string>>>,
  clock: Clock,
): Connection {
  const settings = { proxy: undefined, requestTimeout: 60_000, maxResponseSize: 64 * 1024 * 1024 };
  const transports = Object.entries(tokens).map(
    ([name, token]) =>
      [name, createTransport({ ...settings, authorization: authorization({ token }) })] as const,
  );
  const all = Object.fromEntries(transports);
  return { baseUrl, transport: (name) => all[name], clock };
}

/** Starts an emulator whose clock passes in waits only, and lets a moment pass. */
export async function startServer(
  behaviour: Behaviour = {},
): Promise<{ connection: Connection; emulator: Emulator }> {
  const emulator = await createEmulator({ clock: "frozen", behaviour: { ...slow, ...behaviour } });
  const { admin: own, read: Read, deploy: Deploy, write: Write } = emulator.tokens;
  let now = Date.now();
  const clock: Clock = {
    now: () => now,
    random: () => 0.5,
    async sleep(milliseconds) {
      now += milliseconds;
      const body = JSON.stringify({ advance_ms: milliseconds });
      await fetch(`${emulator.url}/_emulator/clock`, { method: "POST", headers: control, body });
    },
  };
  await clock.sleep(10_000);
  return { connection: connectionTo(emulator.url, { own, Read, Deploy, Write }, clock), emulator };
}

/** The findings of cases, and the resources that could not be removed. */
export interface Played {
  findings: readonly (CaseFinding & { name: string })[];
  requests: number;
  left: Leftover | undefined;
}

/** Plays cases one after the other. */
export async function play(
  connection: Connection,
  organizationId: string,
  chosen: readonly AssumptionCase[] = cases,
): Promise<Played> {
  const run = await StoryRun.start(connection, chosen, { organizationId, prefix });
  const findings = [];
  for (const one of chosen) findings.push({ name: one.name, ...(await run.check(one)) });
  const left = await run.end();
  return { findings, requests: run.requests, left };
}

/** Plays all cases on an emulator of that behaviour, with faults of it. */
export async function playOn(behaviour: Behaviour, faults: object[] = []): Promise<Played> {
  const { connection, emulator } = await startServer(behaviour);
  try {
    const body = JSON.stringify(faults);
    if (faults.length > 0)
      await fetch(`${emulator.url}/_emulator/faults`, { method: "POST", headers: control, body });
    return await play(connection, emulator.organization.id);
  } finally {
    await emulator.close();
  }
}

/** The names of the cases with a result. */
export function named({ findings }: Played, result: CaseFinding["result"]): string[] {
  return findings.filter((each) => each.result === result).map(({ name }) => name);
}
