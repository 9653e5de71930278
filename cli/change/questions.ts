// Imports no code, so that help loads fast.
import type { Command } from "commander";

/** When a command asks for confirmation: the one rule, from which help and questions are made. `--yes` answers, `--dry-run` asks nothing. */
export const questions = {
  init: "at a terminal for missing flags",
  apply: "before it makes changes",
  destroy: "before it deletes anything",
  clone: "before it makes changes",
  dump: "before it changes files with --update",
  promote: "before it changes files",
  rollback: "before it deploys or changes files",
  preview: "before it makes or deletes a preview",
  stop: "before it stops anything",
  deploy: "before it deploys in an environment with mode PRODUCTION",
  restart: "before it restarts anything in an environment with mode PRODUCTION",
  cancel: "before it cancels a deployment in an environment with mode PRODUCTION",
  reconcile: "before it applies a commit with --once; a request to a running service asks nothing",
  ci: "nothing, because it applies only the reviewed plan",
} as const;

export type AskingCommand = keyof typeof questions;

/** Whether an operation on environments asks, by the rule above. @param modes those of the environments */
export function asksFor(
  action: "deploy" | "stop" | "restart" | "cancel",
  modes: readonly unknown[],
): boolean {
  return !questions[action].endsWith("mode PRODUCTION") || modes.includes("PRODUCTION");
}

/** Adds the two flags of each command that changes something. */
export function addQuestion(line: Command, command: AskingCommand): void {
  line
    .option("--dry-run", "show the planned actions, and do nothing")
    .option("--yes, --auto-approve", `do not ask for confirmation (${command} asks ${questions[command]})`);
}
