import { CommanderError } from "commander";

/** The parser's error about the command line of a command. */
export class CommandLineError extends CommanderError {
  readonly command: string;
  constructor(command: string, { exitCode, code, message }: CommanderError) {
    super(exitCode, code, message);
    this.command = command;
  }
}
