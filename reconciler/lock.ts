import { randomUUID } from "node:crypto";
import { readdir, stat, unlink } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "../core/api/index.ts";
import { makeOwnFolder } from "../core/files/files.ts";
import { ensureWritable } from "../core/files/writable.ts";
import { refusal } from "../core/problems/problem.ts";
import Type from "typebox";
import { form, optional } from "../core/outputs/forms/forms.ts";
import { readJson, type StoredForm } from "../core/files/stored-form.ts";
import { boundConnections } from "./listener.ts";
import { shortPath } from "./short-path.ts";
import { codeOf } from "../core/values/error-code.ts";

const holderForm = form({
  pid: Type.Number(),
  host: Type.String(),
  /** Since when it wants or has the lock, such as `2026-12-01T08:00:00.000Z`. */
  since: Type.String(),
});
const greetingForm = form({ ...holderForm.properties, isHolding: optional(Type.Boolean()) });

/** Whoever holds a lock, as it says itself. */
export type Holder = StoredForm<typeof holderForm>;

export interface HeldLock {
  /** @throws InvalidInputError when its folder was removed or replaced: another process may have the lock of the new one */
  ensure(): Promise<void>;
  release(): Promise<void>;
}

/** How long a holder may take to say who it is, in milliseconds. */
const answerTimeout = 2000;
/** The longest wait of two that want the lock at once, in milliseconds. */
const longestBackOff = 100;

/**
 * Keeps others from working on the same source at the same time: a lock made of Unix sockets in a folder. A process first listens on a socket of its own; it holds the lock if no other
 * socket in the folder answers, so two processes never hold it at the same time. The system closes a socket however its
 * process ends: a socket that does not answer was left by a killed process, and is removed.
 */
export class FolderLock {
  readonly #folder: string;
  readonly #clock: Clock;

  /** @param folder is made if it does not exist */
  constructor(folder: string, clock = systemClock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** Takes the lock; undefined if the signal came first. @param onHeld called with each holder that it waits for; may throw instead */
  async take(
    signal: AbortSignal,
    onHeld: (holder: Holder | undefined) => void,
  ): Promise<HeldLock | undefined> {
    await makeOwnFolder(this.#folder);
    await ensureWritable(join(this.#folder, "lock"));
    const place = await shortPath(this.#folder);
    try {
      while (!signal.aborted) {
        const own = await putUp(place.path, this.#clock.now());
        const others = await askOthers(place.path, own.name, signal);
        if (others.length === 0 && !signal.aborted) {
          own.hold();
          return {
            ensure: () => this.#ensure(own.name),
            release: () => own.takeDown().finally(() => place.handle?.close()),
          };
        }
        await own.takeDown();
        const holder = others.find(({ isHolding }) => isHolding);
        try {
          if (holder) onHeld(holder.who);
          await (holder?.ended ?? this.#clock.sleep(this.#clock.random() * longestBackOff));
        } finally {
          for (const { leave } of others) leave();
        }
      }
    } catch (error) {
      await place.handle?.close();
      throw error;
    }
    await place.handle?.close();
    return undefined;
  }

  async #ensure(name: string): Promise<void> {
    if (await stat(join(this.#folder, name)).catch(() => undefined)) return;
    throw refusal(
      "unwritable",
      `the data folder ${this.#folder} was removed or replaced while this process uses it: the stored requests may be lost, and another process may use the new folder`,
      "start the service again; until then, it applies nothing",
    );
  }
}

/** Puts up a socket that tells everybody who comes who this is; connections stay open until it is taken down. */
async function putUp(
  folder: string,
  now: number,
): Promise<{
  name: string;
  /** From now on it says that it has the lock. */
  hold(): void;
  takeDown(): Promise<void>;
}> {
  const name = `lock-${randomUUID().slice(0, 8)}.sock`;
  const visitors = new Set<Socket>();
  const who: Holder = { pid: process.pid, host: hostname(), since: new Date(now).toISOString() };
  let isHolding = false;
  const server = boundConnections(
    createServer((socket) => {
      visitors.add(socket);
      socket.on("error", () => undefined).on("close", () => visitors.delete(socket));
      socket.unref().write(`${JSON.stringify({ ...who, isHolding })}\n`);
    }),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(join(folder, name), resolve);
  });
  // A service that can never go on has to end.
  server.unref();
  return {
    name,
    hold: () => void (isHolding = true),
    async takeDown() {
      await unlink(join(folder, name)).catch(() => undefined);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of visitors) socket.destroy();
      });
    },
  };
}

interface Other {
  /** Undefined if it does not say who it is. */
  who: Holder | undefined;
  isHolding: boolean;
  /** Resolves when it has ended, or the signal has come. */
  ended: Promise<void>;
  leave(): void;
}

/** All others who answer. Sockets that nobody answers are removed. */
async function askOthers(folder: string, own: string, signal: AbortSignal): Promise<Other[]> {
  const names = (await readdir(folder)).filter(
    (name) => /^lock-[0-9a-f]{8}\.sock$/.test(name) && name !== own,
  );
  const others = await Promise.all(
    names.map(async (name) => {
      const other = await ask(join(folder, name), signal);
      if (!other && !signal.aborted) await unlink(join(folder, name)).catch(() => undefined);
      return other;
    }),
  );
  return others.filter((other) => other !== undefined);
}

/** Asks at a socket; undefined if nobody answers. */
function ask(path: string, signal: AbortSignal): Promise<Other | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    // Whoever says nothing is not kept for long.
    socket.write("waiting\n");
    const leave = () => void socket.destroy();
    signal.addEventListener("abort", leave, { once: true });
    const ended = new Promise<void>((done) => {
      socket.once("close", () => {
        signal.removeEventListener("abort", leave);
        clearTimeout(timer);
        // One that goes without a word only wanted the lock.
        resolve({ who: undefined, isHolding: false, ended, leave });
        done();
      });
    });
    const timer = setTimeout(() => resolve({ who: undefined, isHolding: true, ended, leave }), answerTimeout);
    socket
      .once("data", (data: Buffer) => resolve({ ...read(String(data)), ended, leave }))
      .on("error", (error) => {
        const code = codeOf(error);
        if (code === "ECONNREFUSED" || code === "ENOENT") resolve(undefined);
        else if (code !== "ECONNRESET" && code !== "EPIPE") reject(error);
      });
  });
}

function read(text: string): Pick<Other, "who" | "isHolding"> {
  const { content } = readJson(greetingForm, text);
  if (!content) return { who: undefined, isHolding: true };
  const { isHolding = true, ...who } = content;
  return { who, isHolding };
}
