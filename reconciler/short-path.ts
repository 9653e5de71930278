import { existsSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** The longest path of a folder in bytes: with the name of a socket it has to stay below some hundred. */
const longestFolder = 60;

/** A path of a folder that is short enough for sockets in it. */
export async function shortPath(folder: string): Promise<{ path: string; handle?: FileHandle }> {
  if (Buffer.byteLength(folder) <= longestFolder || !existsSync("/proc/self/fd")) return { path: folder };
  const handle = await open(folder, "r");
  return { path: `/proc/self/fd/${handle.fd}`, handle };
}
