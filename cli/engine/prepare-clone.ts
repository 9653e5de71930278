import type { Desired } from "../../core/manifest/desired.ts";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import type { Prepared } from "./make-change.ts";
import { title } from "../render/actions.ts";
import type { Settings } from "../settings/index.ts";
import type { Console } from "../terminal/console.ts";
import type { Status } from "../progress/status.ts";
import { openSession } from "./session.ts";
import { planWanted, policyOf } from "./wanted.ts";

/**
 * Plans a clone. If a resource with that name exists, the plan has a note; changing that resource needs `--update`.
 *
 * @throws InvalidInputError
 */
export async function prepareClone(
  wanted: Desired,
  { update = false }: { update?: boolean },
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
    if (action.type !== "none" && !update)
      throw new InvalidInputError([existsProblem(title(action.address))], "consent");
    plan.notes.push({ address: action.address, message: "already exists, so nothing is cloned" });
  }
  return { plan, operations: session.operations };
}

function existsProblem(what: string): Problem {
  return {
    code: "exists",
    message: `${what} already exists, so it would be updated instead of cloned`,
    advice: "choose another name with --name, or allow the update with --update",
  };
}
