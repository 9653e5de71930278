import { Argument } from "commander";
import { clearKept } from "../../core/live/index.ts";
import { escapeControl } from "../../core/text.ts";
import { exitCodes } from "../exit-codes.ts";
import { partsPath } from "../../core/own-folder.ts";
import type { Command } from "./command.ts";

/** `infrasync cache clear`: deletes what earlier runs have read of variables, secrets, domains and settings. */
export const cache: Command<[action: "clear"], { cache?: string }> = {
  examples: ["cache clear", "cache clear --cache .infrasync-cache"],

  declare(line) {
    line
      .addArgument(new Argument("<action>", "what to do").choices(["clear"]))
      .option("--cache <folder>", "folder of the cache (default: infrasync in your folder for caches)");
  },

  async run({ flags, console }) {
    const folder = partsPath(flags.cache ?? console.io.env["INFRASYNC_CACHE"], console.io.env);
    const deleted = folder === undefined ? 0 : await clearKept(folder);
    console.note(
      deleted === 0
        ? "There is nothing to delete."
        : `Deleted: ${deleted} ${deleted === 1 ? "file" : "files"} in ${escapeControl(folder ?? "")}.`,
    );
    return exitCodes.done;
  },
};
