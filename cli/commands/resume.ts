import { exitCodes } from "../exit-codes.ts";
import type { Command } from "./command.ts";

interface Flags {
  data?: string;
}

/** `infrasync resume`: ends what `suspend` has begun. */
export const resume: Command<[pattern: string], Flags> = {
  name: "resume",
  description: "End a suspension of the reconciler before its time.",
  examples: ["resume shop/production --data /var/lib/infrasync"],

  declare(line) {
    line
      .argument("<pattern>", "the pattern that was given to suspend")
      .option("--data <folder>", "data folder of the reconciler (default: INFRASYNC_DATA)");
  },

  async run({ args: [pattern], flags, console }) {
    const { resumeIn } = await import("../support/suspensions.ts");
    await resumeIn(pattern, flags, console.io);
    console.note(`Resumed ${pattern}. The reconciler sees it in its next cycle.`);
    return exitCodes.done;
  },
};
