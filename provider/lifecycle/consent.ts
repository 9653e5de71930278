import { infrastructureRisk, lacksConsent } from "../../core/rules/infrastructure.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { RefusedError } from "./errors.ts";
import { variableOf } from "./settings.ts";

/**
 * Refuses to write a resource that costs money or takes others down, unless a setting of the provider names it. The
 * confirmation of `pulumi up` is not enough, because it covers all changes at once.
 *
 * @param names the present name and the new name: the setting has to contain both
 * @param allowed the names in that setting
 * @throws RefusedError
 */
export function refuseWithoutConsent(
  kind: Kind,
  names: readonly string[],
  done: "created" | "changed" | "deleted",
  allowed: readonly string[],
): void {
  const name = names.find((each) => lacksConsent(kind, [each], allowed));
  if (name === undefined) return;
  throw new RefusedError(
    `the ${kind.name} "${name}" would be ${done}: ${infrastructureRisk}; consent by naming it in infrasync:allowInfrastructure (or ${variableOf("allowInfrastructure")}), and give it the option \`protect: true\``,
  );
}
