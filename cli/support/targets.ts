import { type AnyAddress, encodeName, nameOf } from "../../core/address.ts";
import { nameKey } from "../../core/names.ts";
import type { Pattern } from "../../core/pattern.ts";
import { idleTargets } from "../../core/plan/index.ts";
import type { Problem } from "../../core/problem.ts";

/** The problems of targets that choose none of these addresses. */
export function targetProblems(targets: readonly Pattern[], addresses: readonly AnyAddress[]): Problem[] {
  return targets.flatMap((target) => {
    const meant = patternOfName(target.text, addresses);
    const advice = `a target is a whole address, or a pattern: --target '${meant}'`;
    return idleTargets([target], addresses).map((problem) =>
      meant === undefined ? problem : { ...problem, advice },
    );
  });
}

/** The pattern that chooses the resources of a name, with `*` for the names of its parents; undefined where there is none. */
function patternOfName(name: string, addresses: readonly AnyAddress[]): string | undefined {
  const [first, ...others] = addresses.filter((address) => nameKey(nameOf(address)) === nameKey(name));
  if (!first) return undefined;
  const kind = others.every((other) => other.kind === first.kind) ? `${first.kind.slug}:` : "";
  return `${kind}${"*/".repeat(first.names.length - 1)}${encodeName(nameOf(first))}`;
}
