import { type Connection, Server } from "./server.ts";
import {
  type Leftover,
  newProjectName,
  removalRequests,
  removeAll,
  setUp,
  setUpRequests,
  type Stage,
} from "./stage.ts";
import { asNotKnown, Halted, NotKnown } from "./not-known.ts";
import type { StoryFinding, AssumptionStory } from "./story.ts";

/** The finding of a story. */
export interface StoryProgress extends StoryFinding {
  story: AssumptionStory;
}

/** The findings of a run of the probe, and the resources that it has left behind. */
export interface Probed {
  told: readonly StoryProgress[];
  requests: number;
  /** The resources that could not be removed. */
  left?: Leftover;
}

/** How many requests a run of these stories sends at most, with what it makes and removes; without finding the organization. */
export function requestsOf(stories: readonly AssumptionStory[]): number {
  const own = stories.reduce((sum, { requests }) => sum + requests, 0);
  return needsProject(stories) ? own + setUpRequests + removalRequests : own;
}

/** Whether any of the stories needs a throwaway project. */
export function needsProject(stories: readonly AssumptionStory[]): boolean {
  return stories.some(({ needs }) => needs === "environment");
}

/** Where and as what a probe runs. */
interface Place {
  organizationId: string;
  /** The beginning of the name of the throwaway project. */
  prefix: string;
  /** Called before each story. */
  onStory?: (story: AssumptionStory) => void;
}

/** Runs stories one after the other, in a throwaway project that it makes and removes. */
export async function runStories(
  connection: Connection,
  stories: readonly AssumptionStory[],
  { organizationId, prefix, onStory }: Place,
): Promise<Probed> {
  const server = new Server(connection);
  const empty = {
    server,
    organizationId,
    name: "",
    projectId: "",
    environmentId: "",
    clusterId: "",
    registryId: "",
  };
  const project = needsProject(stories) ? newProjectName(prefix) : undefined;
  const told: StoryProgress[] = [];
  let stage: Stage | NotKnown = empty;
  if (project !== undefined) stage = await setUp(server, organizationId, project).catch(asNotKnown);
  for (const story of stories) {
    onStory?.(story);
    const finding = await check(story, story.needs === "nothing" ? empty : stage);
    told.push({ story, ...finding });
    if (finding.isLast) stage = new Halted(finding.seen);
  }
  if (project === undefined) return { told, requests: server.spent };
  // An interruption does not stop the removal.
  const { signal: _signal, ...unstoppable } = connection;
  const remover = new Server(unstoppable);
  const left = await clearUp(remover, organizationId, project);
  return { told, requests: server.spent + remover.spent, ...(left && { left }) };
}

async function check(
  story: AssumptionStory,
  stage: Stage | NotKnown,
): Promise<StoryFinding & { isLast?: true }> {
  try {
    if (stage instanceof NotKnown) throw stage;
    if (stage.server.signal?.aborted) throw new Halted("interrupted");
    stage.server.allow(story.requests);
    return await story.check(stage);
  } catch (error) {
    const { message } = asNotKnown(error);
    return { result: "not known", seen: message, ...(error instanceof Halted && { isLast: true }) };
  }
}

/** Removes what this run has made, also where the answer to a creation was lost. */
async function clearUp(server: Server, organizationId: string, name: string): Promise<Leftover | undefined> {
  try {
    return (await removeAll(server, organizationId, name)).find(({ reason }) => reason !== undefined);
  } catch (error) {
    return { noun: "project", name, reason: asNotKnown(error).message };
  }
}

/** Removes what earlier runs have left behind. @returns what was found */
export function removeLeftovers(
  connection: Connection,
  { organizationId, prefix }: Pick<Place, "organizationId" | "prefix">,
): Promise<Leftover[]> {
  return removeAll(new Server(connection), organizationId, prefix);
}
