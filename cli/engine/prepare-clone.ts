import type { Desired } from "../../core/desired.ts";
import type { Prepared } from "../change.ts";
import type { Settings } from "../settings/index.ts";
import type { Console } from "../terminal/console.ts";
import type { Status } from "../terminal/status.ts";
import { openSession } from "./session.ts";
import { planWanted, policyOf } from "./wanted.ts";

/** Plans a clone. Where a resource of that name exists, the plan says so. */
export async function prepareClone(
  wanted: Desired,
  settings: Settings,
  console: Console,
  status: Status,
): Promise<Prepared> {
  const session = await openSession(settings, console, status);
  const plan = await planWanted(
    "reconcile",
    { resources: [wanted], policy: policyOf({}, settings, []) },
    session,
  );
  const [action] = plan.actions;
  if (action && action.type !== "clone") {
    plan.notes.push({ address: action.address, message: "exists already, so nothing is cloned" });
  }
  return { plan, operations: session.operations };
}
