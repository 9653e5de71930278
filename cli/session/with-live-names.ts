import { ApiError } from "../../core/api/index.ts";
import { liveNames } from "../../core/deployments/index.ts";
import type { Run } from "../../core/execution/session/index.ts";
import type { Organization } from "../../core/state/organization.ts";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import { escapeControl } from "../../core/values/text.ts";
import type { TypedCommand } from "../terminal/typed-command.ts";

interface LiveOrganization {
  run: Run;
  organization: Organization;
}

/** The most live names that an advice has. */
const mostNamed = 5;

/**
 * Works, and adds to mistakes about a name alone, such as `production`, the environments and services of any project that
 * are called so.
 */
export async function withLiveNames<Result>(
  work: () => Promise<Result>,
  session: LiveOrganization,
  typed: TypedCommand | undefined,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof InvalidInputError && typed ? await advisedBy(error, session, typed) : error;
  }
}

async function advisedBy(
  refusal: InvalidInputError,
  { run, organization }: LiveOrganization,
  typed: TypedCommand,
): Promise<InvalidInputError> {
  const values = typed.flags.flatMap(({ value }) => (Array.isArray(value) ? value : [value]));
  const names = [...typed.args, ...values].filter(
    (word) => typeof word === "string" && /^[\w.-]+$/.test(word),
  );
  const advised = async (problem: Problem): Promise<Problem> => {
    const name = names.find((word) => problem.message.split(/[\s"]+/).includes(String(word)));
    const isAboutName = ["target", "not_found", "argument"].includes(problem.code);
    if (name === undefined || !isAboutName || problem.message.includes(" can mean ")) return problem;
    const found = await liveNames(run, organization, String(name));
    const named = found.slice(0, mostNamed).map(escapeControl).join(" or ");
    return found.length === 0 ? problem : { ...problem, advice: `did you mean ${named}?` };
  };
  try {
    return new InvalidInputError(await Promise.all(refusal.problems.map(advised)), refusal.code);
  } catch (failure) {
    if (failure instanceof ApiError) return refusal;
    throw failure;
  }
}
