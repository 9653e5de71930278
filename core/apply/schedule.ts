import PQueue from "p-queue";
import type { Action } from "../plan/index.ts";

/**
 * Runs each action once: when those that it names in `after` are over, so many at a time. A deletion also waits for
 * every action that deletes nothing, however that ends: what goes wrong before leaves as much as possible in place.
 *
 * @param run never rejects
 */
export async function runInOrder(
  actions: readonly Action[],
  parallelism: number,
  run: (action: Action) => Promise<void>,
): Promise<void> {
  const queue = new PQueue({ concurrency: parallelism });
  const byId = new Map(actions.map((action) => [action.id, action]));
  const runs = new Map<Action, Promise<void>>();
  const all = async (some: readonly Action[]): Promise<void> => {
    await Promise.all(some.map(start));
  };
  const start = (action: Action): Promise<void> => {
    const begun = runs.get(action);
    if (begun) return begun;
    const before = action.after.flatMap((id) => byId.get(id) ?? []);
    const turn = Promise.all([all(before), action.type === "delete" && allOthers]);
    // A deployment may be waited for: it does not hold up the rest.
    const started = turn.then(() => (action.type === "deploy" ? run(action) : queue.add(() => run(action))));
    runs.set(action, started);
    return started;
  };
  const allOthers = all(actions.filter(({ type }) => type !== "delete"));
  await all(actions);
}
