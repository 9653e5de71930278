import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, vi } from "vitest";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../emulator/index.ts";
import { impatientClock } from "../fixtures/fast-clock.ts";
import { clockOf, moveClock, type SimulatedTime } from "../fixtures/simulated-time.ts";
import { send } from "../fixtures/send.ts";
import { infrasync, type Ran, type RunOptions } from "./captured.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

/** A folder with files, and an emulator that is reset before each test. */
export interface Fixture {
  readonly emulator: Emulator;
  /** The environment variables that point to the emulator. */
  readonly env: Record<string, string>;
  readonly folder: string;
  /** Writes a file below the folder and returns its path. */
  write(name: string, content: string | Uint8Array): Promise<string>;
  /** Runs a command line against the emulator; its waits are short, and paths in the output are relative to the folder. */
  run(args: string[], options?: RunOptions): Promise<Ran>;
  /** Sends an API request as an administrator. */
  request(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** The requests that the emulator has received, as `GET /organization`. */
  requests(): Promise<string[]>;
  /** Returns the requests and clears the log. */
  takeRequests(): Promise<string[]>;
  /** Resolves when the emulator has received this request, whether or not it has responded. */
  arrival(request: string): Promise<void>;
  /** Resets the emulator. */
  reset(): Promise<void>;
  /** Lets time pass, for the server and for commands. */
  advance(milliseconds: number): Promise<void>;
  /** Adds faults to the emulator. */
  fault(...faults: object[]): Promise<void>;
  /** Removes all faults and returns how often each was applied. */
  takeFaults(): Promise<number>;
}

/** Sets up a fixture for the tests of a file. Time passes only while a command waits; `clock: "real"`: for commands in processes of their own. */
export function useFixture(options: EmulatorOptions = {}): Fixture {
  let emulator: Emulator | undefined;
  let clock: SimulatedTime | undefined;
  let folder = "";
  const running = (): Emulator => {
    if (!emulator) throw new Error("the emulator does not run");
    return emulator;
  };
  const control = async (method: string, path: string, body?: unknown) => {
    const headers = { "x-emulator-control": "1" };
    const { ok, status, text } = await send(`${running().url}/_emulator/${path}`, { method, headers, body });
    if (!ok) throw new Error(`${method} ${path}: ${status} ${text}`);
    return text;
  };

  beforeAll(async () => {
    emulator = await createEmulator({ clock: "frozen", ...options });
    if (options.clock !== "real") clock = clockOf(emulator);
  });
  const reset = async () => {
    await control("POST", "reset");
    clock?.reset();
  };
  beforeEach(async () => {
    await reset();
    folder = await mkdtemp(join(tmpdir(), "infrasync-cli-"));
    return () => removeFolder(folder);
  });
  afterAll(() => emulator?.close());

  return {
    get emulator() {
      return running();
    },
    get folder() {
      return folder;
    },
    get env() {
      return { INFRASYNC_BASE_URL: running().url, INFRASYNC_TOKEN: running().tokens.admin };
    },
    async write(name, content) {
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      return path;
    },
    async run(args, given = {}) {
      const ran = await infrasync(args, {
        clock: clock ?? impatientClock(),
        ...given,
        env: { ...this.env, ...given.env },
      });
      const shown = (text: string) => text.replaceAll(`${folder}/`, "").replaceAll(folder, "manifests");
      return { code: ran.code, stdout: shown(ran.stdout), stderr: shown(ran.stderr) };
    },
    async request(method, path, body) {
      const headers = { authorization: `Token ${running().tokens.admin}` };
      const { ok, status, text } = await send(running().url + path, { method, headers, body });
      if (!ok) throw new Error(`${method} ${path}: ${status} ${text}`);
      return (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
    },
    reset,
    async advance(milliseconds) {
      clock?.advance(milliseconds);
      await moveClock(running(), milliseconds);
    },
    async requests() {
      const log = JSON.parse(await control("GET", "requests")) as {
        requests: { method: string; path: string }[];
      };
      return log.requests.map(({ method, path }) => `${method} ${path.replaceAll(uuid, "{id}")}`);
    },
    async takeRequests() {
      const requests = await this.requests();
      await control("DELETE", "requests");
      return requests;
    },
    async arrival(request) {
      await vi.waitFor(async () => expect(await this.requests()).toContain(request), { timeout: 240_000 });
    },
    async fault(...faults) {
      await control("POST", "faults", faults);
    },
    async takeFaults() {
      const { results } = JSON.parse(await control("GET", "faults")) as { results: { hits: number }[] };
      await control("DELETE", "faults");
      return results.reduce((sum, { hits }) => sum + hits, 0);
    },
  };
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The text without the parts that differ from run to run. */
export function steady(text: string): string {
  return text
    .replaceAll(uuid, "{id}")
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "http://emulator")
    .replaceAll(/Digest: [0-9a-f]{64}/g, "Digest: {digest}")
    .replaceAll(/replace-[0-9a-f]{16}/g, "replace-{digest}")
    .replaceAll(/resets in \d+ (?:min|s)/g, "resets in N min")
    .replaceAll(/\b\d+ s ago/g, "N s ago")
    .replaceAll(/z[0-9a-f]{8}\.apps/g, "z{id}.apps")
    .replaceAll(/in \d+ (?:min|s), at \d\d:\d\d:\d\d UTC/g, "in N min, at HH:MM:SS UTC");
}

/** A report without its request counts, which depend on how often the engine polls. */
export function withoutRequests(text: string): string {
  return steady(text).replaceAll(/^Requests: \d+ spent \(.*$/gm, "Requests: …");
}

/** The requests that change something. */
export function writesOf(requests: readonly string[]): string[] {
  return requests.filter((request) => !request.startsWith("GET "));
}
