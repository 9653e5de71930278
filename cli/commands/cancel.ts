import type { Command } from "./command.ts";
import { declareOperation, type OperationCommandFlags, runOperation } from "./operation.ts";

/** `infrasync cancel`. */
export const cancel: Command<[patterns: string[]], OperationCommandFlags> = {
  name: "cancel",
  description: "Cancel the deployments that are under way in environments.",
  examples: ["cancel shop/production", "cancel 'shop/preview-*' --wait"],
  declare: (line) => declareOperation(line, "cancel"),
  run: ({ args: [patterns], flags, console }) => runOperation("cancel", patterns, flags, console),
};
