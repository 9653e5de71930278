import { Writable } from "node:stream";
import type { Output } from "./io.ts";

/**
 * The stream of notes and errors, which follow all data that has been written before them. A pipe takes a long plan piece
 * by piece, and an error that does not wait for the rest would stand in the middle of the plan, and not at the end of the log.
 * A terminal shows each text at once, so nothing waits for it.
 */
export function afterData(stdout: Output, stderr: Output): Output {
  if (stdout.isTTY || stderr.isTTY) return stderr;
  return new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      // Also called after an error: what cannot be written has no place before the note.
      stdout.write("", () => stderr.write(chunk, done));
    },
  });
}
