import { nameKey } from "../../core/model/addresses/names.ts";
import { idsReferredTo, referencesIn } from "../../core/model/fields/references.ts";
import { type Kind, kinds } from "../../core/model/kinds/index.ts";
import { unknownValue } from "../../core/problems/unknown.ts";
import { fieldsAmong, type ParsedInputs } from "./inputs.ts";
import { parentIn, type RunLedger } from "./ledger.ts";
import type { Successor } from "./ledger-line.ts";

/**
 * The member of a resource that was to be replaced with its parent, or with another resource that it names, and that
 * names nothing that replaces another one. The engine would create it beside the old one.
 */
export function leavingAt(
  ledger: RunLedger,
  urn: string | undefined,
  kind: Kind,
  { parentId = "", fields }: ParsedInputs,
): string | undefined {
  const successor = ledger.successorNamed(urn);
  if (!successor) return undefined;
  const former = parentIn(successor.from) ?? "";
  const found = ledger.unknownIn(successor.id).find((member) => {
    const isParent = member === kind.parentMember;
    const named = referencesIn(kind.fields, { [member]: fields[member] ?? null });
    const news = isParent ? [parentId] : named.map(({ desired }) => desired);
    // The engine asks nobody about a parent that the user replaces.
    const isKnown = (isParent ? [former] : idsBefore(successor, member)).some((each) =>
      ledger.isReplaced(each),
    );
    if (!isKnown && (!isParent || ledger.stays(former))) return false;
    const successors = isKnown ? ledger.replacedOnes : ledger.unmade(kind.parent);
    const isMade = (each: string) =>
      each === unknownValue ||
      (!isKnown && each === former) ||
      ledger.isMadeBy(successors, each, nameKey(each));
    return successors.length > 0 && news.length > 0 && !news.some(isMade);
  });
  if (found !== undefined) ledger.record({ did: "leaves", urn });
  return found;
}

/** The ids to which a member of the replaced resource refers. */
function idsBefore({ kind, olds }: Successor, member: string): string[] {
  const before = { [member]: fieldsAmong(kind, olds)[member] ?? null };
  return kinds.flatMap(({ catalogue }) => idsReferredTo(kind.fields, before, catalogue));
}
