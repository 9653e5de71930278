import { addressKey } from "../../core/address.ts";
import type { Desired } from "../../core/manifest/index.ts";
import type { LiveResource } from "../../core/live/index.ts";
import { type Fields, valueAt } from "../../core/json.ts";
import type { Action, Goal, Policy, Refusal } from "../../core/plan/index.ts";
import type { Problem } from "../../core/problem.ts";
import { type ProgramProposal, proposeProgram } from "../../core/session/index.ts";
import type { ProviderSession } from "./session.ts";
import { type ProgramObjection, notesInWords, objectionOf } from "./words.ts";
import { hasUnknown, unknownValue } from "./unknown.ts";
import type { WorldReading, World } from "./world.ts";

/** What the planner is asked about one resource of a program. */
export interface ProgramQuestion {
  goal: Goal;
  desired: Desired;
  parentId: string;
  world: World;
  policy: Policy;
}

/** What a question is asked with. */
export interface ProgramTerms {
  /** The resources above the resource, from the top down. */
  above: readonly LiveResource[];
  /** What the stack allows. */
  policy: Policy;
  /** Milliseconds since 1970. */
  now: number;
}

/** The answer of the planner, in the words of programs. */
export interface ProgramAnswer {
  proposal: ProgramProposal;
  /** What would be done; undefined where the inputs are refused. */
  action: Action | undefined;
  /** What is wrong with the inputs. */
  objections: ProgramObjection[];
  /** Why the change is forbidden. */
  problems: readonly Problem[];
  /** What a user should know. */
  notes: string[];
}

/** Asks the planner, which says what follows from what is known. Sends nothing. */
export function ask({ goal, desired, world, policy }: ProgramQuestion): ProgramAnswer {
  const { address } = desired;
  const key = addressKey(address);
  const proposal = proposeProgram(goal, desired, world.state(), policy);
  const { plan, refusals } = proposal;
  const action = plan.actions.find((each) => addressKey(each.address) === key);
  return {
    proposal,
    action,
    objections: plan.problems.flatMap((problem) => {
      const mistake = refusals.get(problem);
      return mistake && !mayBeLifted(desired.stated, mistake) ? [objectionOf(address, mistake)] : [];
    }),
    problems: plan.problems.filter((problem) => !refusals.has(problem)),
    // What is said of a value that is not known yet is said of no value.
    notes: notesInWords(
      plan.notes.filter(({ message }) => !message.includes(unknownValue)),
      `the ${address.kind.name} "${desired.name}"`,
    ),
  };
}

/** Whether a value that is not known yet may lift a refusal. A missing member may follow from a value beside it, at the top from none. */
function mayBeLifted(stated: Fields, { path, missing }: Refusal): boolean {
  if (!missing) return hasUnknown(stated);
  return path.length > 1 && hasUnknown(valueAt(stated, path.slice(0, -1)));
}

/** The most rounds of reading: a resource, what is in it, and what is in that. */
const mostRounds = 8;

/** Asks the planner, and reads what it needs and may be read. */
export async function askServer(
  question: ProgramQuestion,
  session: ProviderSession,
  may: WorldReading,
): Promise<ProgramAnswer> {
  for (let round = 0; ; round += 1) {
    const answer = ask(question);
    const { needs } = answer.proposal;
    if (!needs || round === mostRounds || !(await question.world.read(session, needs, may))) return answer;
  }
}
