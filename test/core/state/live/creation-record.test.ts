import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kindOf } from "../../../../core/model/kinds/index.ts";
import { CreationRecord } from "../../../../core/state/live/creation-record.ts";

test("the record knows what this machine has created in the last five minutes and not deleted, clone or not", () => {
  const record = new CreationRecord(mkdtempSync(join(tmpdir(), "record-")), "https://api.example.com");
  const place = (name: string) => ({ kind: kindOf("Job"), parentId: "e", name });
  record.made(place("old"), 0, "id-old", false);
  record.made(place("plain"), 300_000, "id-plain", false);
  record.made(place("copy"), 300_000, "id-copy", true);
  record.made(place("gone"), 300_000, "id-gone", false);
  record.deleted("id-gone");
  expect(record.read(310_000)).toEqual([
    { ...place("plain"), id: "id-plain", at: 300_000, isLate: false },
    { ...place("copy"), id: "id-copy", at: 300_000, isLate: true },
  ]);
});
