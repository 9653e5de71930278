import type { Command } from "./command.ts";
import { declareOperation, type OperationCommandFlags, runOperation } from "./operation.ts";

/** `infrasync restart`. */
export const restart: Command<[patterns: string[]], OperationCommandFlags> = {
  name: "restart",
  description: "Restart services without deploying them.",
  examples: ["restart application:shop/production/api", "restart shop/staging --wait"],
  declare: (line) => declareOperation(line, "restart"),
  run: ({ args: [patterns], flags, console }) => runOperation("restart", patterns, flags, console),
};
