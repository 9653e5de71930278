import { exitCodes } from "../exit-codes.ts";
import type { Command } from "./command.ts";

/** `infrasync complete`: prints the live addresses that a word may become. The scripts of `infrasync completion` call it. */
export const complete: Command<[word: string | undefined], object> = {
  name: "complete",
  isHidden: true,
  description: "Print the live addresses that a word may become.",
  examples: ["complete shop/"],

  declare(line) {
    line.argument("[word]", "the beginning of an address");
  },

  async run({ args: [word = ""], console }) {
    const { addressesFor } = await import("./complete/addresses.ts");
    const addresses = await addressesFor(word, console);
    if (addresses.length > 0) console.data(addresses.join("\n"));
    return exitCodes.done;
  },
};
