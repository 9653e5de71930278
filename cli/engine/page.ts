import { resolve } from "node:path";
import type { Problem } from "../../core/problem.ts";
import { escapeControl } from "../../core/text.ts";
import { type Access, isLoopbackName } from "../../reconciler/index.ts";
import type { Io } from "../terminal/io.ts";

/** Flags of the page. Each has an environment variable, such as `INFRASYNC_LISTEN`. */
export interface PageFlags {
  listen?: string;
  uiTokenFile?: string;
  uiPublic?: boolean;
}

/** Where the page of a service is, and who may see it. */
export interface PagePlace {
  host: string;
  /** 0: a free one. */
  port: number;
  access: Access;
}

const defaultListen = "127.0.0.1:8081";

/** Reads where the page is; undefined when there is none. Adds mistakes to `problems`. */
export function readPagePlace(
  flags: PageFlags,
  { env }: Pick<Io, "env">,
  problems: Problem[],
): PagePlace | undefined {
  const listen = flags.listen ?? (env["INFRASYNC_LISTEN"] || defaultListen);
  const file = flags.uiTokenFile ?? (env["INFRASYNC_UI_TOKEN_FILE"] || undefined);
  const isPublic = flags.uiPublic ?? ["1", "true"].includes(env["INFRASYNC_UI_PUBLIC"] ?? "");
  if (listen === "off") return undefined;
  const [, name, address, port] = /^(?:([^[\]:\s]+):|\[([0-9a-f:.]+)\]:)?(\d{1,5})$/i.exec(listen) ?? [];
  const host = name ?? address ?? "127.0.0.1";
  if (port === undefined || Number(port) > 65_535) {
    problems.push({
      code: "argument",
      message: `--listen "${escapeControl(listen)}" is no address`,
      advice: "write one such as 127.0.0.1:8081, a port, or off",
    });
    return undefined;
  }
  const place = (access: Access): PagePlace => ({ host, port: Number(port), access });
  if (file !== undefined) return place({ type: "token", file: resolve(file) });
  if (isPublic) return place({ type: "public" });
  if (isLoopbackName(host)) return place({ type: "loopback" });
  problems.push({
    code: "argument",
    message: `with --listen ${escapeControl(listen)}, others could see the page`,
    advice: "name a file with a token with --ui-token-file, or show it to everybody with --ui-public",
  });
  return undefined;
}
