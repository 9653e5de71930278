import { addressKey, parentAddress } from "../address.ts";
import { type FieldChange, formatPath } from "../fields/compare.ts";
import type { Fields } from "../json.ts";
import type { PlannedChange } from "../kinds/index.ts";
import type { Desired } from "../manifest/desired.ts";
import { fixedInClone } from "../concerns/clone.ts";
import { refuseImpossible } from "./draft.ts";
import type { Expected, ExpectedContents } from "./expected.ts";
import { refuseExpiry } from "./expiry.ts";
import { attempt, Unplannable } from "./findings.ts";
import { refuseMissingSources } from "./outputs.ts";
import { refuseMistakenValues } from "./part-values.ts";
import type { Planning } from "./planning.ts";
import { noteShadowed, refuseOtherSorts, refuseUnmetNeeds } from "./refused-parts.ts";
import { refuseRenamed } from "./renamed.ts";

/** What a plan is going to do for a document. */
export interface Intent extends Pick<PlannedChange, "how" | "wanted"> {
  /** The resource that is laid under the document: the live one, or the source of a clone. Undefined: there is none. */
  base: Expected | undefined;
  /** How the result differs from its base. */
  changes: readonly FieldChange[];
  /** Of a resource that is made: its stated fields, references looked up, and what its parent contains. */
  making?: { stated: Fields; siblings: ExpectedContents };
}

/**
 * Asks every rule about what a document states, in the same way whether the plan creates, clones, changes or replaces the
 * resource. A rule that refuses keeps no other from being asked, so that a user sees all mistakes at once.
 *
 * @throws Unplannable when the request that would be sent is impossible
 */
export function refuseMistakes(planning: Planning, desired: Desired, intent: Intent): void {
  const { how, base, wanted, making } = intent;
  // A copy sees what its source sees only in the same parent.
  const seenBy = how === "clone" && !isBesideSource(desired) ? undefined : base;
  const rules = [
    () => refuseDifferences(planning, desired, intent),
    () => {
      if (isSent(desired, intent))
        refuseImpossible(planning, desired, { how, current: base?.fields, wanted });
    },
    () => refuseExpiry(planning, desired, wanted),
    () => base && refuseOtherSorts(planning, desired, base),
    () => base && noteShadowed(planning, desired, base),
    () => refuseUnmetNeeds(planning, desired, base, wanted, how === "clone"),
    () => refuseMissingSources(planning, desired),
    () => refuseMistakenValues(planning, desired, seenBy, wanted),
    () => making && refuseRenamed(planning, desired, making.stated, making.siblings),
  ];
  const passed = rules.map((rule) => attempt(() => ({ passed: rule() })));
  if (passed.includes(undefined)) throw new Unplannable();
}

function isBesideSource({ address, cloneFrom }: Desired): boolean {
  const [own, others] = [address, cloneFrom ?? address].map(parentAddress);
  return own && others ? addressKey(own) === addressKey(others) : own === others;
}

/** Whether the resource itself is written. Parts have requests of their own; those that are one object have rules like fields. */
function isSent({ address: { kind } }: Desired, { how, base, changes }: Intent): boolean {
  if (!base || how === "clone") return true;
  return changes.some(({ path: [member = ""] }) => {
    const { part, properties } = kind.fields.properties?.[member] ?? {};
    return part !== true || properties !== undefined;
  });
}

function refuseDifferences({ findings }: Planning, desired: Desired, { how, changes }: Intent): void {
  if (how !== "clone") return;
  const [impossible] = fixedInClone(desired.address.kind, changes);
  if (impossible)
    findings.reject(
      "impossible",
      desired,
      impossible.path,
      `a clone cannot differ from its source in ${formatPath(impossible.path)}: ${impossible.replaces}`,
      "take the field out, or take clone out and state all fields",
    );
}
