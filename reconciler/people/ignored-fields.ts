import type { DesiredResource } from "../../core/manifests/manifest/index.ts";
import type { EnvironmentScope } from "../../core/model/addresses/scope.ts";
import { environmentOf, withManage } from "../policy/index.ts";

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
  return withManage(resources, ({ address, manage }) => {
    const { names } = environmentOf(address);
    const fields = ignored
      .filter(({ kinds }) => kinds.has(address.kind.name))
      .filter(({ environments }) => environments.some((pattern) => pattern.matches(names)))
      .flatMap((each) => each.fields);
    return { ...manage, ignore: [...new Set([...(manage.ignore ?? []), ...fields])] };
  });
}
