import type { StoryProgress } from "./run.ts";
import type { MeasuredBehaviour } from "./story.ts";

/** The behaviour of a server as a file: for the emulator, for the settings, and for a bug report. */
export interface ServerProfile {
  format: "infrasync-server-profile";
  version: 1;
  /** Its behaviour where servers differ. */
  server: MeasuredBehaviour;
  findings: readonly { story: string; result: string; seen: string }[];
}

/** The profile of a server by what stories have found. */
export function profileOf(told: readonly StoryProgress[]): ServerProfile {
  return {
    format: "infrasync-server-profile",
    version: 1,
    server: told.reduce<MeasuredBehaviour>((all, { server = {} }) => merged(all, server), {}),
    findings: told.map(({ story, result, seen }) => ({ story: story.name, result, seen })),
  };
}

function merged(left: MeasuredBehaviour, right: MeasuredBehaviour): MeasuredBehaviour {
  const both = { ...left };
  for (const [member, value] of Object.entries(right)) {
    const present = both[member];
    both[member] = Array.isArray(value) && Array.isArray(present) ? [...present, ...value] : value;
  }
  return both;
}
