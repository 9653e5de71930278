import {
  type AnyAddress,
  describeAddress,
  formatReference,
  nameOf,
  parentAddress,
} from "../../core/model/addresses/address.ts";
import type { Outcome } from "../../core/execution/execute/index.ts";
import { formatPath } from "../../core/model/fields/compare.ts";
import {
  type Action,
  adds,
  deletes,
  type DeleteReason,
  type DeployReason,
  compares,
  factsOf,
  isChange,
  lossLists,
  makes,
  shownAction,
  updates,
} from "../../core/planning/plan/index.ts";
import type { ShownChange, ChangeGroup, Detail, Section, Tone } from "../../core/report/block.ts";
import { renderLogLine } from "./deployments.ts";
import { changedFields, fieldsOf } from "./fields.ts";
import { remarksText } from "./outcomes.ts";
import { withAdvice } from "./remedies.ts";
import { counted, subjectOf } from "./text.ts";
import { doubtText, normalizedText } from "./normalized-fields.ts";

/** The section that has a resource, where a plan is shown in sections. */
export type SectionOf = (address: AnyAddress) => string;

/** Actions in their order, section by section, without those that change nothing; what several environments share comes first. */
export function sectionsOf<Shown>(
  actions: readonly Action[],
  sectionOf: SectionOf | undefined,
  changesIn: (actions: readonly Action[]) => Shown[],
): Section<Shown>[] {
  const changed = actions.filter(isChange);
  if (!sectionOf) return [{ heading: undefined, changes: changesIn(changed) }];
  const isShared = ([heading]: [string, unknown]) => Number(heading.includes(", "));
  return [...Map.groupBy(changed, ({ address }) => sectionOf(address))]
    .toSorted((one, other) => isShared(other) - isShared(one))
    .map(([heading, inside]) => ({ heading, changes: changesIn(inside) }));
}

export function changesOf(actions: readonly Action[]): ShownChange[] {
  return actions.map((action) => changeOf(action));
}

/** An action, and what became of it. */
export function changeOf(whole: Action, outcome?: Outcome): ShownChange {
  const action = shownAction(whole);
  const { symbol, diffSymbol, tone, verb } = factsOf(action);
  const { address, type } = action;
  return {
    ...subjectOf(address),
    type,
    symbol,
    diffSymbol,
    tone,
    verb,
    remark: remarkOf(action),
    details: detailsOf(action),
    isWhole: (adds(action) || deletes(action)) && !compares(action),
    ...(outcome && { outcome: outcomeOf(outcome) }),
  };
}

function detailsOf(action: Action): Detail[] {
  const { address, changes, expected, losses, brings, carries } = action;
  const { fields } = address.kind;
  const carried = (isReadable: boolean) =>
    carries
      .filter((each) => each.isReadable === isReadable)
      .flatMap(({ sort, keys }) => keys.map((name) => ({ what: sort, name })));
  const resources = brings.map(({ kind, name }) => ({ what: kind.toLowerCase(), name }));
  const doubt = doubtText(changes);
  return [
    ...(compares(action) ? changedFields(fields, changes) : fieldsOf(fields, expected)),
    ...copies("also copies", [...resources, ...carried(true)]),
    ...copies("also copies, without showing the values", carried(false)),
    ...(doubt === undefined ? [] : [{ detail: "note" as const, text: doubt }]),
    ...lossLists(losses).map((list): Detail => ({ detail: "things", ...list, isLost: true })),
  ];
}

/** What comes with a clone: `also copies: 1 job (migrate), 1 variable (LEVEL)`. */
function copies(heading: string, things: readonly { what: string; name: string }[]): Detail[] {
  const groups = [...Map.groupBy(things, ({ what }) => what)].map(([what, members]) => ({
    what,
    names: members.map(({ name }) => name),
  }));
  return groups.length === 0 ? [] : [{ detail: "things", heading, groups, words: [], isLost: false }];
}

const reasonTexts: Record<DeleteReason | DeployReason, string | undefined> = {
  prune: "no manifest declares it (prune)",
  // The command says it.
  destroy: undefined,
  changed: "deployed after the change",
  never_deployed: "was never deployed",
  out_of_date: "an older version runs",
  failed: "its last deployment failed",
  changed_around: "variables or secrets of its environment or project have changed since its last deployment",
};

/** The live name, where it differs, and why the action happens. */
function remarkOf(action: Action): string | undefined {
  const { liveAddress } = action;
  const called = liveAddress && `now called ${formatReference(liveAddress.names)}`;
  return [called, whyOf(action)].filter((part) => part !== undefined).join("; ") || undefined;
}

function whyOf(action: Action): string | undefined {
  const { source, carriedOutBy, reasons, reason, address } = action;
  if (source) return `cloned from ${formatReference(source.address.names)}`;
  if (carriedOutBy !== undefined && updates(action)) return "created by the clone, then updated";
  if (carriedOutBy !== undefined && deletes(action)) {
    const parent = parentAddress(address);
    return `deleted ${makes(action) ? "and created again " : ""}with ${parent ? describeAddress(parent) : "the organization"}`;
  }
  return reasons.length > 0 ? `must be replaced: ${reasons.join("; ")}` : reason && reasonTexts[reason];
}

/** How many names of a group are shown. */
const shownNames = 3;

/** Actions in groups of those that do the same to the same fields of the same kind in the same parent. */
export function grouped(actions: readonly Action[]): (ShownChange | ChangeGroup)[] {
  const keyOf = (action: Action) => {
    const { address, type, reason, carriedOutBy } = action;
    // A deletion is never one of many.
    if (deletes(action)) return action.id;
    const isCarried = carriedOutBy !== undefined;
    return JSON.stringify([
      type,
      address.kind.name,
      parentOf(action),
      writtenFields(action),
      reason,
      isCarried,
    ]);
  };
  return [...Map.groupBy(actions, keyOf).values()].flatMap((group): (ShownChange | ChangeGroup)[] => {
    const [first] = group;
    if (!first) return [];
    if (group.length === 1) return [changeOf(first)];
    const parent = parentOf(first);
    const names = group.slice(0, shownNames).map(({ address }) => nameOf(address));
    const more = group.length > shownNames ? ` and ${group.length - shownNames} more` : "";
    const { symbol, tone } = factsOf(first);
    return [
      {
        symbol,
        tone,
        remark: remarkOf(first),
        title: counted(group.length, first.address.kind.name),
        subjects: group.map(({ address }) => subjectOf(address)),
        where: `${parent === "" ? "" : ` in ${parent}`}: ${names.join(", ")}${more}`,
        fields: writtenFields(first),
      },
    ];
  });
}

function parentOf({ address }: Action): string {
  return formatReference(address.names.slice(0, -1));
}

function writtenFields(action: Action): string[] {
  const { changes, expected } = action;
  return compares(action) ? changes.map(({ path }) => formatPath(path)) : Object.keys(expected);
}

const outcomeWords: Record<Outcome["status"], { badge: string; tone: Tone }> = {
  done: { badge: "done", tone: "good" },
  failed: { badge: "failed", tone: "bad" },
  pending: { badge: "not finished", tone: "note" },
  skipped: { badge: "not started", tone: "note" },
};

function outcomeOf(outcome: Outcome): NonNullable<ShownChange["outcome"]> {
  const { status, remarks, normalized, logs = [] } = outcome;
  const parts = [withAdvice(outcome), remarksText(remarks), normalizedText(normalized)];
  const text = parts.filter((part) => part !== undefined && part !== "").join("; ");
  return { ...outcomeWords[status], text, logs: logs.map(renderLogLine) };
}
