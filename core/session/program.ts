import { concerns } from "../concerns/index.ts";
import type { Desired } from "../manifest/index.ts";
import { type Goal, type LiveState, type Pass, planPass, type Policy } from "../plan/index.ts";
import { type Proposal, proposalOf } from "./propose.ts";

const asked = concerns.filter(({ programs }) => programs === true);

/** A proposal for one resource of a program, and what a front end phrases in the words of programs. */
export interface ProgramProposal extends Proposal, Pick<Pass, "refusals" | "needs" | "needsNames"> {}

/**
 * Proposes a plan for one resource of a program, from what is known: a pure function, without a request. It says what follows
 * from that, and leaves out what depends on anything else; `needs` names what would have to be read.
 */
export function proposeProgram(
  goal: Goal,
  desired: Desired,
  live: Omit<LiveState, "isFinal">,
  policy: Policy,
): ProgramProposal {
  const pass = planPass(goal, [desired], { ...live, isFinal: true }, policy, asked);
  const { actions, problems, notes, refusals, needs, needsNames, whole } = pass;
  const { organization, now: at } = live;
  const plan = { goal, organization, actions, problems, notes, at, spent: 0, whole: () => whole };
  return { ...proposalOf(plan), refusals, needs, needsNames };
}
