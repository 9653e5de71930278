import { Argument } from "commander";
import { exitCodes } from "../exit-codes.ts";
import type { Command } from "./command.ts";

type Shell = "bash" | "zsh" | "fish";

/** `infrasync completion`: prints a script that completes command lines. */
export const completion: Command<[shell: Shell], object> = {
  name: "completion",
  description: "Print a script that completes command lines.",
  examples: ["completion bash > /etc/bash_completion.d/infrasync", "completion fish | source"],

  declare(line) {
    line.addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"] satisfies Shell[]));
  },

  async run({ args: [shell], console, whole }) {
    const { completionScript } = await import("./completion/index.ts");
    console.data(completionScript(shell, whole()).trimEnd());
    return exitCodes.done;
  },
};
