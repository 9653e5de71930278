import { mkdtemp, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readIfThere, writeWhole } from "../../../core/files/files.ts";

test("a file that comes and goes while it is read is whole or missing, and never called unreadable", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "infrasync-files-")), "state.json");
  const over = new AbortController();
  const writing = async () => {
    while (!over.signal.aborted) {
      await writeWhole(file, "whole");
      await unlink(file);
    }
  };
  const reading = async () => {
    for (let count = 0; count < 1_000; count += 1)
      expect([undefined, "whole"]).toContain(await readIfThere(file));
  };
  const written = writing();
  try {
    await Promise.all([reading(), reading(), reading()]);
  } finally {
    over.abort();
    await written;
  }
});
