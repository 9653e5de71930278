import { authorization, createTransport } from "../../../core/api/index.ts";
import { type Behaviour, createEmulator, type Emulator } from "../../../emulator/index.ts";
import {
  type Connection,
  type Probed,
  runStories,
  stories,
  type AssumptionStory,
} from "../../../cli/probe/index.ts";

const control = { "content-type": "application/json", "x-emulator-control": "1" };

/** A server on which clones, deletions and deployments take a while. */
const slow: Behaviour = { clone_delay_ms: 3_000, delete_delay_ms: 3_000, deploy_delay_ms: 3_000 };

/** The way of the probe to an emulator, with a token of each scope. */
export function connectionTo({ url, tokens }: Pick<Emulator, "url" | "tokens">): Connection {
  let now = Date.now();
  const { admin: own, read: Read, deploy: Deploy, write: Write } = tokens;
  const transports = Object.entries({ own, Read, Deploy, Write }).map(([name, token]) => {
    const settings = { proxy: undefined, requestTimeout: 60_000, maxResponseSize: 10_000_000 };
    return [name, createTransport({ ...settings, authorization: authorization({ token }) })] as const;
  });
  const all = Object.fromEntries(transports);
  return {
    baseUrl: url,
    transport: (name) => all[name],
    clock: {
      now: () => now,
      random: () => 0.5,
      async sleep(milliseconds) {
        now += milliseconds;
        const body = JSON.stringify({ advance_ms: milliseconds });
        await fetch(`${url}/_emulator/clock`, { method: "POST", headers: control, body });
      },
    },
  };
}

/** Starts an emulator whose clock passes in waits only, lets a moment pass, and gives it to the work. */
export async function onServer<Result>(
  server: Behaviour,
  work: (connection: Connection, emulator: Emulator) => Promise<Result>,
): Promise<Result> {
  const emulator = await createEmulator({ clock: "frozen", profile: { server: { ...slow, ...server } } });
  try {
    const connection = connectionTo(emulator);
    await connection.clock.sleep(10_000);
    return await work(connection, emulator);
  } finally {
    await emulator.close();
  }
}

/** Runs stories against a server, with faults of it. */
export function probed(
  server: Behaviour,
  { chosen = stories, faults = [] }: { chosen?: readonly AssumptionStory[]; faults?: object[] } = {},
): Promise<Probed> {
  return onServer(server, async (connection, { url, organization }) => {
    const body = JSON.stringify(faults);
    if (faults.length > 0) await fetch(`${url}/_emulator/faults`, { method: "POST", headers: control, body });
    return runStories(connection, chosen, { organizationId: organization.id, prefix: "probe-" });
  });
}

/** The names of the stories with a result. */
export function named({ told }: Probed, result: string): string[] {
  return told.filter((each) => each.result === result).map(({ story }) => story.name);
}
