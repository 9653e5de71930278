import { type Action, circleIn, deploys, placeKey, touches, waitsForOthers } from "../plan/index.ts";
import { type Turn, Turns } from "./turns.ts";

/**
 * Runs each action once: when those that it names in `after` are over, and the others if it says so, so many at a time.
 *
 * @param run never rejects; without a turn, the action does not count among those that run at a time
 * @throws TypeError before the first action, if some wait for each other
 */
export async function runInOrder(
  actions: readonly Action[],
  parallelism: number,
  run: (action: Action, turn?: Turn) => Promise<void>,
): Promise<void> {
  const circle = circleIn(actions);
  if (circle !== undefined) throw new TypeError(`the plan cannot be carried out: ${circle}`);
  const turns = new Turns(parallelism);
  const over = new Map(actions.map(({ id }) => [id, Promise.withResolvers<void>()]));
  const end = async (some: readonly { id: string }[]): Promise<void> => {
    await Promise.all(some.map(({ id }) => over.get(id)?.promise));
  };
  const others = actions.filter((action) => !waitsForOthers(action));
  const endsByPlace = new Map<string, Promise<void>>();
  const othersFor = (action: Action): Promise<void> => {
    const place = placeKey(action.address);
    const known = endsByPlace.get(place) ?? end(others.filter((other) => touches(other, place)));
    endsByPlace.set(place, known);
    return known;
  };
  const start = async (action: Action): Promise<void> => {
    await end(action.after.map((id) => ({ id })));
    if (waitsForOthers(action)) await othersFor(action);
    // A deployment may be waited for: it does not hold up the rest.
    await (deploys(action) ? run(action) : turns.run((turn) => run(action, turn)));
    over.get(action.id)?.resolve();
  };
  await Promise.all(actions.map(start));
}
