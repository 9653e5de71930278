import { CommanderError } from "commander";

export class CommandLineError extends CommanderError {
  readonly command: string;
  constructor(command: string, { exitCode, code, message }: CommanderError) {
    super(exitCode, code, message);
    this.command = command;
  }
}
