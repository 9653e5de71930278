import type { Desired } from "../../../core/manifest/desired.ts";
import { type Note, isChange } from "../../../core/plan/index.ts";
import { InvalidInputError, type Problem } from "../../../core/problem.ts";
import { title } from "../../render/title.ts";
import type { Settings } from "../../settings/index.ts";
import type { Session } from "../../support/session.ts";
import { policyOf, type Prepared, proposeWanted } from "../../support/wanted.ts";

/**
 * Plans a clone. If a resource with that name exists, the plan has a note; changing that resource needs `--update`.
 *
 * @throws InvalidInputError
 */
export async function prepareClone(
  wanted: Desired,
  { update = false }: { update?: boolean },
  settings: Settings,
  session: Session,
): Promise<Prepared> {
  const policy = policyOf({}, settings, []);
  const prepared = await proposeWanted(
    "reconcile",
    { resources: [{ ...wanted, isNew: true }], policy },
    session,
  );
  const { plan } = prepared.proposal;
  const [action] = plan.actions;
  if (!action || action.source) return prepared;
  if (isChange(action) && !update)
    throw new InvalidInputError([existsProblem(title(action.address))], "consent");
  const note: Note = {
    code: "exists",
    message: "already exists, so nothing is cloned",
    address: action.address,
  };
  const noted = { ...plan, notes: [...plan.notes, note] };
  return { ...prepared, proposal: { ...prepared.proposal, plan: noted } };
}

function existsProblem(what: string): Problem {
  return {
    code: "exists",
    message: `${what} already exists, so it would be updated instead of cloned`,
    advice: "choose another name with --name, or allow the update with --update",
  };
}
