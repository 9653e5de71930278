export interface CommandLineFlag {
  /** `--target` */
  name: string;
  group: string;
  /** Its value; true for a switch. */
  value: string | readonly string[] | true;
}

/** The command line of a run, from which a refusal makes the one that would pass. */
export interface TypedCommand {
  name: string;
  args: readonly string[];
  flags: readonly CommandLineFlag[];
  has(flag: string): boolean;
}
