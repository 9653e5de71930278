import { exitCodes } from "../exit-codes.ts";
import type { Command } from "./command.ts";

interface Flags {
  data?: string;
  for?: string;
  until?: string;
  reason?: string;
}

/** `infrasync suspend`: holds the reconciler of a data folder in some environments for a while. */
export const suspend: Command<[pattern: string], Flags> = {
  name: "suspend",
  description:
    "Keep the reconciler from applying changes in some environments for a while; it still reports them.",
  examples: [
    "suspend shop/production --for 2h --reason 'a migration by hand' --data /var/lib/infrasync",
    "suspend '**' --until 2026-12-01T08:00:00Z --reason 'no changes over the weekend'",
  ],

  declare(line) {
    line
      .argument("<pattern>", "PROJECT/ENVIRONMENT, with * for anything within a name and ** for any names")
      .option("--for <time>", "how long, such as 40s, 90m or 3d")
      .option("--until <time>", "until when, such as 2026-12-01T08:00:00Z")
      .option("--reason <text>", "why; the page, the log and reconcile status show it")
      .option("--data <folder>", "data folder of the reconciler (default: INFRASYNC_DATA)");
  },

  async run({ args: [pattern], flags, console }) {
    const { readSuspension, suspendIn } = await import("../support/suspensions.ts");
    const { folder, suspension } = readSuspension(pattern, flags, console.io);
    await suspendIn(folder, suspension, console.io);
    console.note(
      `Suspended ${suspension.pattern} until ${new Date(suspension.until).toISOString()}. The reconciler sees it in its next cycle; infrasync resume ends it.`,
    );
    return exitCodes.done;
  },
};
