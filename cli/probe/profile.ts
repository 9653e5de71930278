import type { StoryProgress } from "./run.ts";
import type { MeasuredBehaviour } from "./story.ts";

/** The profile of a server by what stories have found. */
export function profileOf(told: readonly StoryProgress[]) {
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
