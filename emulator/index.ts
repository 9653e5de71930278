import type { AddressInfo } from "node:net";
import { Clock } from "./clock.ts";
import { Faults } from "./faults.ts";
import { Journal } from "./journal.ts";
import { Limits } from "./limits.ts";
import type { Named, Role } from "./records.ts";
import { createServer } from "./server.ts";
import { restoreSnapshot, takeSnapshot } from "./snapshot.ts";
import { populate } from "./start.ts";
import { World } from "./world.ts";

/** How an emulator behaves. */
export interface EmulatorOptions {
  /** Default 0: a free one. The host is 127.0.0.1. */
  port?: number;
  /** Milliseconds added to every answer; default 0. */
  latency?: number;
  /** Requests in a window and by token; default 1000, 0 for no limit. */
  rateLimit?: number;
  /** Seconds; default 3600. */
  rateWindow?: number;
  /** Milliseconds until a clone can be read; default 0. */
  cloneDelay?: number;
  /** Milliseconds that a deletion takes; default 0: it is done with the answer. */
  deleteDelay?: number;
  /** Lets resources of one parent and kind share a name. */
  allowDuplicateNames?: boolean;
  /** "frozen": time moves by `POST /_emulator/clock` alone. */
  clock?: "real" | "frozen";
  /** Gets one line a request. */
  log?: (line: string) => void;
}

/** What a client needs to know of a running emulator: the line that `infrasync emulator` prints. */
export interface Announcement {
  url: string;
  organization: { id: string; name: string };
  tokens: { admin: string; read: string; deploy: string; write: string };
  clusters: { id: string; name: string }[];
  registries: { id: string; name: string }[];
}

/** A running emulator. */
export interface Emulator extends Announcement {
  close(): Promise<void>;
}

/** Starts the API as a local server. Throws when the port is taken. */
export async function createEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { rateLimit = 1000, rateWindow = 3600, latency = 0, port = 0 } = options;
  const { cloneDelay = 0, deleteDelay = 0, allowDuplicateNames = false } = options;
  const clock = new Clock(options.clock === "frozen");
  const world = new World({ cloneDelay, deleteDelay, allowDuplicateNames }, clock);
  populate(world);
  const start = takeSnapshot(world.store);

  const app = createServer({
    world,
    limits: new Limits(clock, rateLimit, rateWindow),
    faults: new Faults(),
    journal: new Journal(),
    latency,
    log: options.log,
    reset: () => {
      world.operations.clear();
      clock.offset = 0;
      restoreSnapshot(world.store, start);
    },
  });
  await app.listen({ host: "127.0.0.1", port });
  const { port: taken } = app.server.address() as AddressInfo;
  return { ...announce(world, `http://127.0.0.1:${taken}`), close: () => app.close() };
}

/** The object of the line that says that the emulator is ready. */
export function announcement({ url, organization, tokens, clusters, registries }: Emulator): Announcement {
  return { url, organization, tokens, clusters, registries };
}

function announce({ store }: World, url: string): Announcement {
  const [organization] = store.organizations.all();
  if (!organization) throw new Error("the emulator has no organization");
  const secretOf = (role: Role) =>
    store.apiTokens.under(organization.id).find(({ spec }) => spec.role === role)?.secret ?? "";
  return {
    url,
    organization: brief(organization),
    tokens: {
      admin: secretOf("Admin"),
      read: secretOf("Read"),
      deploy: secretOf("Deploy"),
      write: secretOf("Write"),
    },
    clusters: store.clusters.under(organization.id).map(brief),
    registries: store.registries.under(organization.id).map(brief),
  };
}

function brief({ id, name }: Named): { id: string; name: string } {
  return { id, name };
}
