// A process that writes a large file, and that tests kill: node write-process.ts (core | emulator) FILE
import { writeWhole } from "../../core/files/files.ts";
import { DataFile } from "../../emulator/world/data-file.ts";
import type { Snapshot } from "../../emulator/world/snapshot.ts";

const [part, file = ""] = process.argv.slice(2);
const text = "new".repeat(20_000_000);
if (part === "core") await writeWhole(file, JSON.stringify({ text }));
else await new DataFile(file, () => ({ text }) as unknown as Snapshot).save();
