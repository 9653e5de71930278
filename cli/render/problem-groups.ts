import { formatReference, parseAnyAddress } from "../../core/model/addresses/address.ts";
import type { AnyProblem } from "../../core/problems/problem.ts";

/** Problems as they are shown: those that differ in the environment only are one, which names the other environments. */
export function withoutRepetition<Shown extends AnyProblem>(problems: readonly Shown[]): Shown[] {
  const groups = Map.groupBy(problems.entries(), ([index, problem]) => essenceOf(problem) ?? String(index));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const [, problem] = first;
    const places = others.flatMap(([, other]) => environmentOf(other) ?? []);
    return places.length === 0
      ? [problem]
      : [{ ...problem, message: `${problem.message}; the same holds for ${places.join(", ")}` }];
  });
}

/** The project and the environment of a problem: `shop/staging`. */
function environmentOf({ address }: AnyProblem): string | undefined {
  const names = address === undefined ? [] : parseAnyAddress(address).names;
  return names.length < 2 ? undefined : formatReference(names.slice(0, 2));
}

/** All that a problem says, without the environment that it is about; undefined where it is about none. */
function essenceOf(problem: AnyProblem): string | undefined {
  const environment = environmentOf(problem);
  if (environment === undefined) return undefined;
  const { code, message, advice, remedies, position } = problem;
  return JSON.stringify([code, message, advice, remedies, position])
    .split(environment)
    .map((rest) => (/^[\w.-]/.test(rest) ? `${environment}${rest}` : rest))
    .join("\n");
}
