import { resolve } from "node:path";
import type { Problem } from "../../../core/problem.ts";
import { escapeControl } from "../../../core/text.ts";
import { type Access, isLoopbackName } from "../../../reconciler/index.ts";
import type { Io } from "../../terminal/io.ts";
import { type ListenAddress, readAddress } from "./address.ts";

/** Flags of the page. Each has an environment variable, such as `INFRASYNC_LISTEN`. */
export interface PageFlags {
  listen?: string;
  uiTokenFile?: string;
  uiPublic?: boolean;
}

/** Where the page of a service is, and who may see it. */
export interface PagePlace extends ListenAddress {
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
  const place = readAddress("--listen", listen, problems);
  if (!place) return undefined;
  const { host } = place;
  if (file !== undefined) return { ...place, access: { type: "token", file: resolve(file) } };
  if (isPublic) return { ...place, access: { type: "public" } };
  if (isLoopbackName(host)) return { ...place, access: { type: "loopback" } };
  problems.push({
    code: "argument",
    message: `with --listen ${escapeControl(listen)}, others could see the page`,
    advice: "name a file with a token with --ui-token-file, or show it to everybody with --ui-public",
  });
  return undefined;
}
