import type { Command } from "./command.ts";
import { declareOperation, type OperationCommandFlags, runOperation } from "./operation.ts";

/** `infrasync stop`. */
export const stop: Command<[patterns: string[]], OperationCommandFlags> = {
  name: "stop",
  description: "Stop environments or services; nothing is deleted, and deploy starts them again.",
  examples: ["stop shop/staging", "stop 'application:shop/preview-*/*' --yes --wait"],

  declare(line) {
    declareOperation(line, "stop");
    line.optionsGroup("How to apply:").option("--yes, --auto-approve", "do not ask for confirmation");
  },

  run: ({ args: [patterns], flags, console }) => runOperation("stop", patterns, flags, console),
};
