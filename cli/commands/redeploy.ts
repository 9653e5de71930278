import type { Command } from "./command.ts";
import { declareOperation, type OperationCommandFlags, runOperation } from "./operation.ts";

/** `infrasync redeploy`. */
export const redeploy: Command<[patterns: string[]], OperationCommandFlags> = {
  name: "redeploy",
  description: "Deploy environments or services again, at the version that they run.",
  examples: ["redeploy shop/production --wait", "redeploy job:shop/production/migrate"],
  declare: (line) => declareOperation(line, "redeploy"),
  run: ({ args: [patterns], flags, console }) => runOperation("redeploy", patterns, flags, console),
};
