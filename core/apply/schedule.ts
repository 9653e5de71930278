import PQueue from "p-queue";
import { type Action, circleIn, waitsForOthers } from "../plan/index.ts";

/**
 * Runs each action once: when those that it names in `after` are over, and the others if it says so, so many at a time.
 *
 * @param run never rejects
 * @throws TypeError before the first action, if some wait for each other
 */
export async function runInOrder(
  actions: readonly Action[],
  parallelism: number,
  run: (action: Action) => Promise<void>,
): Promise<void> {
  const circle = circleIn(actions);
  if (circle !== undefined) throw new TypeError(`the plan cannot be carried out: ${circle}`);
  const queue = new PQueue({ concurrency: parallelism });
  const over = new Map(actions.map(({ id }) => [id, Promise.withResolvers<void>()]));
  const end = async (some: readonly { id: string }[]): Promise<void> => {
    await Promise.all(some.map(({ id }) => over.get(id)?.promise));
  };
  const others = end(actions.filter((action) => !waitsForOthers(action)));
  const start = async (action: Action): Promise<void> => {
    await end(action.after.map((id) => ({ id })));
    if (waitsForOthers(action)) await others;
    // A deployment may be waited for: it does not hold up the rest.
    await (action.type === "deploy" ? run(action) : queue.add(() => run(action)));
    over.get(action.id)?.resolve();
  };
  await Promise.all(actions.map(start));
}
