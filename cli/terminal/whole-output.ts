import { fstatSync, writeSync } from "node:fs";
import { Writable } from "node:stream";
import type { Output } from "./io.ts";

/**
 * A standard stream that writes everything or fails. For a file, Node's own stream reports success when a full disk has
 * taken only a part.
 */
export function wholeOutput(stream: NodeJS.WriteStream & { fd: number }): Output & Writable {
  if (!fstatSync(stream.fd).isFile()) return stream;
  return new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      try {
        for (let written = 0; written < chunk.length;) written += writeSync(stream.fd, chunk, written);
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
}
