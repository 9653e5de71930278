import { constants, createReadStream, openSync, readFileSync, statSync } from "node:fs";
import { addAbortSignal, type Readable } from "node:stream";
import { maximumBytes } from "./limits.ts";

/** The bytes of a file; undefined: too many. The signal ends the wait for a pipe. */
export async function readFile(path: string, signal?: AbortSignal): Promise<Uint8Array | undefined> {
  const stats = statSync(path);
  if (stats.isFile()) return stats.size > maximumBytes ? undefined : readFileSync(path);
  return readStream(stats.isFIFO() ? await openPipe(path) : createReadStream(path), signal);
}

/** The bytes of a stream; undefined: too many. */
export async function readStream(
  stream: Readable,
  signal?: AbortSignal,
  limit = maximumBytes,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of signal ? addAbortSignal(signal, stream) : stream) {
    const bytes = Buffer.from(chunk as Uint8Array | string);
    chunks.push(bytes);
    length += bytes.length;
    if (length > limit) return undefined;
  }
  return Buffer.concat(chunks);
}

/** Opens a pipe without waiting for a writer: nothing could end that wait, not even the end of the process. */
async function openPipe(path: string): Promise<Readable> {
  const { Socket } = await import("node:net");
  return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), writable: false });
}
