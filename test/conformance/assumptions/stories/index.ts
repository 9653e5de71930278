import type { AssumptionStory } from "../story.ts";
import { accessStories } from "./access.ts";
import { defaultStories } from "./defaults.ts";
import { listStories } from "./lists.ts";
import { nameStories } from "./names.ts";
import { operationStories } from "./operations.ts";
import { variableStories } from "./variables.ts";
import { writeStories } from "./writes.ts";

/** Every assumption of the engine about the server that can be checked, by subject. */
export const stories: readonly AssumptionStory[] = [
  ...accessStories,
  ...listStories,
  ...nameStories,
  ...writeStories,
  ...defaultStories,
  ...variableStories,
  ...operationStories,
];
