import { resolve } from "node:path";
import type { Problem } from "../../core/problems/problem.ts";
import { escapeControl } from "../../core/values/text.ts";
import {
  type Access,
  AccessFile,
  type Control,
  isLoopbackName,
  type Log,
  type ServedSocket,
  serveSocket,
} from "../../reconciler/index.ts";
import type { OperatorFlags } from "../repository/repository.ts";
import type { Io } from "../terminal/io.ts";
import { exitCodes, CommandError } from "../exit-codes.ts";
import { codeOf } from "../../core/values/error-code.ts";

/** Flags of the page, and the operator's settings file. */
export interface PageFlags extends OperatorFlags {
  listen?: string;
  accessFile?: string;
}

/** The address of a service's page, and its access. */
export interface PagePlace extends ListenAddress {
  access: Access;
}

const defaultListen = "127.0.0.1:8081";

/** Reads the address of the page; undefined: none. Adds mistakes to `problems`. */
export function readPagePlace(
  flags: PageFlags,
  { env }: Pick<Io, "env">,
  problems: Problem[],
): PagePlace | undefined {
  const listen = flags.listen ?? (env["INFRASYNC_LISTEN"] || defaultListen);
  const file = env["INFRASYNC_UI_TOKEN_FILE"] || undefined;
  const { ui_public: isPublic } = flags.operator;
  if (listen === "off") return undefined;
  const place = readAddress("--listen", listen, problems);
  if (!place) return undefined;
  const { host } = place;
  const placeFor = (access: Access) => ({ ...place, access });
  if (file !== undefined) return placeFor({ type: "token", file: resolve(file) });
  if (isPublic) return placeFor({ type: "public" });
  if (accessFileOf(flags)) return placeFor({ type: "roles" });
  if (isLoopbackName(host)) return placeFor({ type: "loopback" });
  problems.push({
    code: "argument",
    message: `with --listen ${escapeControl(listen)}, others could read the page`,
    advice:
      "say who may with --access-file FILE, ask for a token with INFRASYNC_UI_TOKEN_FILE, or let everybody read the page with ui_public: true in the section reconcile of the settings file",
  });
  return undefined;
}

/** The file with people's roles and commits' limits. Without it, nobody may act over HTTP, and nothing is limited. */
export function accessFileOf({ accessFile }: Pick<PageFlags, "accessFile">): AccessFile | undefined {
  return accessFile === undefined ? undefined : new AccessFile(resolve(accessFile));
}

export interface WebhookFlags {
  webhookListen?: string;
}

/** The secret with which Git hosts sign webhooks. */
export const webhookSecret = "INFRASYNC_WEBHOOK_SECRET";

/** Reads the address for webhooks; undefined: none. Adds mistakes to `problems`. */
export function readWebhookPlace(
  { webhookListen = "off" }: WebhookFlags,
  problems: Problem[],
): ListenAddress | undefined {
  return webhookListen === "off" ? undefined : readAddress("--webhook-listen", webhookListen, problems);
}

export interface ListenAddress {
  host: string;
  /** 0: a free one. */
  port: number;
}

/** Reads `127.0.0.1:8081`, `[::1]:8081` or a port. Adds a mistake to `problems`. @param flag `--listen` */
export function readAddress(flag: string, given: string, problems: Problem[]): ListenAddress | undefined {
  const [, name, address, port] = /^(?:([^[\]:\s]+):|\[([0-9a-f:.]+)\]:)?(\d{1,5})$/i.exec(given) ?? [];
  if (port !== undefined && Number(port) <= 65_535)
    return { host: name ?? address ?? "127.0.0.1", port: Number(port) };
  problems.push({
    code: "argument",
    message: `${flag} "${escapeControl(given)}" is not an address`,
    advice: "write one such as 127.0.0.1:8081, a port, or off",
  });
  return undefined;
}

/** @param what `the page`. @throws CommandError when its address cannot be used */
export function refuseAddress(
  what: string,
  flag: string,
  { host, port }: ListenAddress,
): (error: unknown) => never {
  return (error) => {
    const code = codeOf(error);
    if (code !== "EADDRINUSE" && code !== "EACCES" && code !== "EADDRNOTAVAIL") throw error;
    throw new CommandError("port", exitCodes.invalid, {
      message: `${what} cannot listen on ${host}:${port}: ${code === "EADDRINUSE" ? "the port is in use" : "the address is not allowed, or not one of this machine"}`,
      advice: `choose another address with ${flag}, or none with ${flag} off`,
    });
  };
}

/** Takes commands on this machine, as far as the socket for them can be made. `ensure` makes one again that somebody has removed. */
export async function openSocket(
  data: string,
  service: Control,
  log: Log,
  sourceOf?: Parameters<typeof serveSocket>[2],
): Promise<{ ensure(): Promise<void>; close(): Promise<void> }> {
  const onError = (error: unknown) => log.error({ reason: String(error) }, "a request has failed");
  let socket: ServedSocket | undefined;
  let reported: string | undefined;
  let isClosed = false;
  let made = Promise.resolve();
  const make = async () => {
    if (isClosed || (await socket?.isThere())) return;
    const removed = socket;
    try {
      await removed?.close();
      socket = await serveSocket(data, service, sourceOf, onError);
      if (removed) log.warn({ folder: data }, "the socket for commands was removed, and is there again");
      reported = undefined;
    } catch (error) {
      socket = undefined;
      const reason = String(error);
      if (reason !== reported)
        log.warn({ reason }, "the socket for commands cannot be created; trying again");
      reported = reason;
    }
  };
  // The folder goes after the end, so that nothing is made in it then.
  const ensure = () => (made = made.then(make));
  await ensure();
  const close = async () => {
    isClosed = true;
    await made;
    await socket?.close();
  };
  return { ensure, close };
}
