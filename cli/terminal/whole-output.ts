import { fstatSync, writeSync } from "node:fs";
import { Writable } from "node:stream";
import type { Output } from "./io.ts";

/** A standard stream that writes everything or fails: Node reports success when a full disk has taken only a part. */
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

/** Puts the texts of two outputs in order: a pipe takes a long plan in pieces, and an error could stand in the middle of it. */
export function inOrder(stdout: Output, stderr: Output) {
  const both = [stdout, stderr];
  const waiting: { stream: Output; chunk: Buffer }[] = [];
  const isBusy = (stream: Output) => stream.writableLength > 0 && !stream.destroyed && !stream.errored;
  const go = (): void => {
    for (;;) {
      const [next] = waiting;
      if (!next || both.some((other) => other !== next.stream && isBusy(other))) return;
      waiting.shift();
      // Also called after an error: what cannot be written holds nothing up.
      next.stream.write(next.chunk, go);
    }
  };
  const ordered = (stream: Output): Output =>
    new Writable({
      decodeStrings: true,
      write(chunk: Buffer, _encoding, done) {
        waiting.push({ stream, chunk });
        go();
        done();
      },
    });
  const flushed = async (): Promise<void> => {
    do for (const stream of both) await new Promise((resolve) => stream.write("", resolve));
    while (waiting.length > 0);
  };
  return both.some(({ isTTY }) => isTTY)
    ? { stdout, stderr, flushed }
    : { stdout: ordered(stdout), stderr: ordered(stderr), flushed };
}
