import { withoutElementIds } from "../../model/fields/overlay.ts";
import type { Desired } from "../../manifests/manifest/index.ts";
import type { Fields, Json } from "../../values/json.ts";
import {
  entriesIn,
  isDefault,
  ownPartFields,
  type Part,
  type PartEntry,
  partsIn,
  partsWith,
  type StatedPart,
  statedParts,
  withoutUncopiedParts,
} from "../../model/parts/index.ts";
import type { LiveResource } from "../../state/live/index.ts";
import type { ExpectedResource } from "./expected-resources.ts";
import { Unplannable } from "./findings.ts";
import type { Comparison } from "./overlay.ts";
import type { Concern, Planning } from "./planning.ts";
import { unstatedSiblings } from "./siblings.ts";

/**
 * The fields of a resource, with its live parts of the sorts that a document states. A copy has the parts of its source.
 *
 * @throws Unplannable while they have not been read
 */
export function withLiveParts(planning: Planning, desired: Desired, resource: ExpectedResource): Fields {
  const { kind, fields, partsFrom, live } = resource;
  const missing = partsWith(kind, membersIn(desired)).filter(({ member }) => !Object.hasOwn(fields, member));
  if (!partsFrom || missing.length === 0) return fields;
  // Parts that stay with the source are not copied.
  const copied = live ? missing : missing.filter(({ form }) => !form.staysWithSource);
  return { ...fields, ...ownPartFields(missing, listedParts(planning, partsFrom, copied)) };
}

/**
 * The configuration of a live resource that has requests of its own and that its document does not state, without
 * defaults: a replacement has to write it again.
 *
 * @throws Unplannable while it has not been read
 */
export function unstatedConfiguration(planning: Planning, comparison: Comparison): Fields {
  const { base, fields } = comparison;
  if (!base?.live) return {};
  const parts = statedParts(base.kind).filter(
    ({ member, isConfiguration, form }) =>
      isConfiguration && !form.isSingle && !Object.hasOwn(fields, member),
  );
  const found = ownPartFields(parts, listedParts(planning, base.live, parts));
  const entries = parts.flatMap((part) => {
    const stated = Object.entries(entriesIn(found, part.member)).filter(
      ([key, value]) => !hasDefault(planning, part, key, value),
    );
    return stated.length === 0 ? [] : [[part.member, Object.fromEntries(stated)] as const];
  });
  return { ...Object.fromEntries(entries), ...unstatedSiblings(planning, comparison) };
}

/** The parts of a live resource, of some sorts. @throws Unplannable while they have not been read */
export function listedParts(
  { live, findings }: Planning,
  resource: LiveResource,
  parts: readonly Part[],
): PartEntry[] {
  const entries = partsIn(live.parts, resource, parts);
  if (entries) return entries;
  findings.needParts(resource, parts);
  throw new Unplannable();
}

/** Whether an entry has its default, so that there is nothing to remove. @throws Unplannable while that is not known */
export function hasDefault(
  { live, findings }: Planning,
  part: StatedPart,
  key: string,
  value: Json,
): boolean {
  const answer = isDefault(part, live.defaults, key, value);
  if (answer !== undefined) return answer;
  if (part.form.defaults) findings.needDefaults(part.form.defaults);
  throw new Unplannable();
}

/** The members of a document that state parts which have lists of their own. */
export function membersIn({ address, stated, manage }: Desired): string[] {
  return statedParts(address.kind)
    .filter(({ form }) => !form.isSingle)
    .map(({ member }) => member)
    .filter((member) => Object.hasOwn(stated, member) || manage.exclusive?.includes(member));
}

/** The parts that a resource has already, where its document states parts. */
export const liveParts: Concern = {
  name: "live parts",
  programs: true,
  state: {
    on: { nothing: "a new resource has no parts", source: true, existing: true },
    run(planning, { on, base, desired }) {
      if (!base) return {};
      const fields = withLiveParts(planning, desired, base);
      const { kind } = base;
      const copied = () => withoutElementIds(kind.fields, withoutUncopiedParts(kind, fields));
      return { fields: on === "source" ? copied() : fields };
    },
  },
};
