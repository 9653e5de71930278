import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Io } from "./io.ts";

/** The program of each system that opens a URL; others have that of the desktops of Linux. */
const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: "open", win32: "explorer.exe" };

/** Opens a page in the browser. Returns whether there is a program for that, and the URL is one of the web. */
export async function openBrowser(url: string, { env }: Pick<Io, "env">): Promise<boolean> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) return false;
  const program = openers[process.platform] ?? "xdg-open";
  const opener = spawn(program, [url], { stdio: "ignore", detached: true, env });
  try {
    await once(opener, "spawn");
  } catch {
    return false;
  }
  opener.unref();
  return true;
}
