import type { Told } from "./run.ts";
import type { ServerHabits } from "./story.ts";

/** The behaviour of a server as a file: for the emulator, for the settings, and for a bug report. */
export interface ServerProfile {
  format: "infrasync-server-profile";
  version: 1;
  /** Its behaviour where servers differ. */
  server: ServerHabits;
  findings: readonly { story: string; result: string; seen: string }[];
}

/** The profile of a server by what stories have found. */
export function profileOf(told: readonly Told[]): ServerProfile {
  return {
    format: "infrasync-server-profile",
    version: 1,
    server: told.reduce<ServerHabits>((all, { server = {} }) => merged(all, server), {}),
    findings: told.map(({ story, result, seen }) => ({ story: story.name, result, seen })),
  };
}

function merged(left: ServerHabits, right: ServerHabits): ServerHabits {
  const both = { ...left };
  for (const [member, value] of Object.entries(right)) {
    const present = both[member];
    both[member] = Array.isArray(value) && Array.isArray(present) ? [...present, ...value] : value;
  }
  return both;
}
