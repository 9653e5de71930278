import type { Command } from "commander";

/** Adds a command with its examples. */
export type Add = (name: string, description: string, ...examples: string[]) => Command;

/** Is told the exit code. */
export type End = (code: number) => void;
