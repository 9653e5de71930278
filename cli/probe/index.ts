export { profileOf } from "./profile.ts";
export { Recorder, type Recording } from "./recording.ts";
export {
  needsProject,
  type Probed,
  removeLeftovers,
  requestsOf,
  runStories,
  type StoryProgress,
} from "./run.ts";
export type { Leftover } from "./stage.ts";
export type { Connection, TokenName } from "./server.ts";
export type { AssumptionStory } from "./story.ts";
export { stories } from "./stories/index.ts";
