import type { DesiredResource } from "../../core/manifests/manifest/index.ts";
import type { EnvironmentScope } from "../../core/model/addresses/scope.ts";
import { shareOf } from "../policy/index.ts";

/** Fields that the operator leaves to others, in all documents of some kinds. */
export interface IgnoredFields {
  /** Their names. */
  kinds: ReadonlySet<string>;
  /** Paths, as `manage.ignore` has them. */
  fields: readonly string[];
  environments: readonly EnvironmentScope[];
}

/** The documents as if each of them ignored what the operator leaves to others. */
export function withIgnored(
  ignored: readonly IgnoredFields[],
  resources: readonly DesiredResource[],
): readonly DesiredResource[] {
  if (ignored.length === 0) return resources;
  const changed = new Map<DesiredResource, DesiredResource>();
  return resources.map((desired) => {
    const { address, manage } = desired;
    const { names } = shareOf(address);
    const fields = ignored
      .filter(({ kinds }) => kinds.has(address.kind.name))
      .filter(({ environments }) => environments.some((pattern) => pattern.matches(names)))
      .flatMap((each) => each.fields);
    const result = {
      ...desired,
      // Documents come after those that they need.
      after: desired.after.map((other) => changed.get(other) ?? other),
      manage: { ...manage, ignore: [...new Set([...(manage.ignore ?? []), ...fields])] },
    };
    changed.set(desired, result);
    return result;
  });
}
