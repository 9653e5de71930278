// oxlint-disable-next-line import/no-unassigned-import -- an old Node has to end here, before anything else is loaded
import "./refuse-old-node.ts";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { registerCloning } from "./lifecycle/cloning.ts";
import { registerClusters } from "./clusters/deployments.ts";
import { WorldClock } from "./world/clock.ts";
import { DataFile, readDataFile } from "./world/data-file.ts";
import { registerDeployments } from "./deployments/deployments.ts";
import { Faults } from "./control/faults.ts";
import { Journal } from "./http/journal.ts";
import { Limits } from "./http/limits.ts";
import type { NamedResource, Role } from "./world/records.ts";
import { registerRemoval } from "./lifecycle/removal.ts";
import { registerRules } from "./rules/schedule.ts";
import { plant } from "./seed/seed.ts";
import { readSeed, type Seed, type ParsedSeed } from "./seed/seed-file.ts";
import shop from "./seed/shop.json" with { type: "json" };
import { createServer } from "./server/server.ts";
import { restoreSnapshot, takeSnapshot } from "./world/snapshot.ts";
import { Behaviour as BehaviourSchema, type Behaviour } from "./world/behaviour.ts";
import { validateStrictly } from "./http/validation.ts";
import { World } from "./world/world.ts";

export type { Seed } from "./seed/seed-file.ts";
export type { Behaviour } from "./world/behaviour.ts";

/** Options of an emulator. */
export interface EmulatorOptions {
  /** Default 0: any free port. The host is always 127.0.0.1. */
  port?: number | undefined;
  /** The differences of the server from infrasync's assumptions. */
  behaviour?: Behaviour | undefined;
  /** The organization to start from, the YAML or JSON file that describes it, or a built-in one: `shop`, `terraform`. */
  seed?: Seed | string | undefined;
  /** Keeps the state in this file; a state in the file overrides a seed. */
  dataFile?: string | undefined;
  /** "frozen": only `POST /_emulator/clock` advances the time. */
  clock?: "real" | "frozen" | undefined;
  /** Called with one line for each request. */
  log?: ((line: string) => void) | undefined;
}

/** The connection to a running emulator; `infrasync emulator` prints it as one line of JSON. */
export interface Announcement {
  url: string;
  organization: { id: string; name: string };
  tokens: { admin: string; read: string; deploy: string; write: string };
  clusters: { id: string; name: string }[];
  registries: { id: string; name: string }[];
}

export interface Emulator extends Announcement {
  /** Ends all connections and operations; resolves when the data file is written. */
  close(): Promise<void>;
}

/** Starts the API as a local server. Throws when the port is in use or when the seed or the data file is invalid. */
export async function createEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  checkBehaviour(options.behaviour);
  const { behaviour = {} } = options;
  const { port = 0, dataFile } = options;
  const world = createWorld(options, behaviour);
  const { clock } = world;
  await plantSeed(options.seed, world);
  world.plantedUntil = world.stamp();
  const stored = dataFile === undefined ? undefined : await readDataFile(dataFile);
  if (stored) restoreSnapshot(world, stored);
  const start = structuredClone(takeSnapshot(world));

  const file = dataFile === undefined ? undefined : new DataFile(dataFile, () => takeSnapshot(world));
  await file?.save();
  const server = await createServer({
    world,
    limits: new Limits(clock, world.behaviour.rate_limit, world.behaviour.rate_window_s),
    faults: new Faults(),
    journal: new Journal(),
    log: options.log,
    save: async () => file?.save(),
    reset: () => restoreSnapshot(world, start),
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: taken } = server.address() as AddressInfo;
  const close = async () => {
    world.operations.stop();
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
    await file?.idle();
  };
  return { ...announce(world, `http://127.0.0.1:${taken}`), close };
}

/** @throws an error with the code `behaviour` for an unknown member or an invalid value */
function checkBehaviour(behaviour: Behaviour | undefined): void {
  try {
    if (behaviour) validateStrictly(BehaviourSchema, behaviour);
  } catch (error) {
    throw Object.assign(new Error(error instanceof Error ? error.message : String(error)), {
      code: "behaviour",
    });
  }
}

/** @throws an error with the code `seed` and all `mistakes` of the seed, those of a file with their lines */
async function plantSeed(given: Seed | string = {}, world: World): Promise<void> {
  const { seed, reported } = await takeSeed(given);
  world.isPlanting = true;
  const mistakes = reported(plant(seed, world));
  if (mistakes.length > 0) throw Object.assign(new Error(mistakes.join("\n")), { code: "seed", mistakes });
  world.isPlanting = false;
}

/** @param given a seed, the name of a built-in one, or a file; a file with the name of a built-in one is `./NAME` */
async function takeSeed(given: Seed | string): Promise<ParsedSeed> {
  const seed = given === "shop" ? shop : given;
  return typeof seed === "string" ? readSeed(seed) : { seed, reported: (mistakes) => mistakes };
}

/** The object of the line that `infrasync emulator` prints when it is ready. */
export function announcement({ url, organization, tokens, clusters, registries }: Emulator): Announcement {
  return { url, organization, tokens, clusters, registries };
}

function createWorld(options: EmulatorOptions, behaviour: Behaviour): World {
  const world = new World(behaviour, new WorldClock(options.clock === "frozen"));
  registerCloning(world);
  registerRemoval(world);
  registerDeployments(world);
  registerRules(world);
  registerClusters(world);
  return world;
}

function announce({ store }: World, url: string): Announcement {
  const [organization] = store.organizations.all();
  if (!organization)
    throw new Error("the data file contains no organization; choose another file, or remove this one");
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

function brief({ id, name }: NamedResource): { id: string; name: string } {
  return { id, name };
}
