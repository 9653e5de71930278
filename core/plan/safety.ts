import { type Address, addressKey, formatAddress, parentAddress, parseAddress } from "../address.ts";
import type { Problem } from "../problem.ts";
import type { Action, DeleteAction, ReplaceAction } from "./action.ts";
import type { PlanContext } from "./context.ts";
import type { Policy } from "./policy.ts";

type Destructive = ReplaceAction | DeleteAction;

/** The share of an environment that may go counts from this many services on. */
const smallestShare = 10;

/** What forbids a plan that destroys: a missing consent, a protection, a cap. */
export function safetyProblems(context: PlanContext, actions: readonly Action[]): Problem[] {
  const destructive = actions.filter((action) => action.type === "replace" || action.type === "delete");
  const problems: Problem[] = [
    ...destructive.flatMap((action) => consentProblems(context.policy, action)),
    ...destructive.flatMap((action) => protectionProblems(context, action)),
    ...countProblems(context.policy, destructive),
    ...shareProblems(context, destructive),
  ];
  return problems.map((problem) => ({ ...problem, blocks: "apply" }));
}

/** What protects a resource: `manage.protect` of itself or of what holds it, or a pattern of the configuration. */
export function protectionOf(context: PlanContext, address: Address): string | undefined {
  for (let at: Address | undefined = address; at; at = parentAddress(at)) {
    if (context.documentOf(at)?.manage.protect) return `manage.protect of ${formatAddress(at)}`;
  }
  return patternProtecting(context.policy, formatAddress(address));
}

function patternProtecting(policy: Policy, address: string): string | undefined {
  const pattern = policy.protect.find((candidate) => candidate.matches(address));
  return pattern && `protect "${pattern.text}" in the configuration`;
}

function consentProblems(policy: Policy, action: Destructive): Problem[] {
  if (action.type !== "replace" || action.removedBy !== undefined) return [];
  if (policy.allowReplace.some((pattern) => pattern.matches(action.address))) return [];
  return [
    {
      message: `${action.address} has to be replaced: ${action.reasons.join("; ")}`,
      advice: `undo the change, or consent with --allow-replace '${action.address}'`,
      address: action.address,
    },
  ];
}

function protectionProblems(context: PlanContext, action: Destructive): Problem[] {
  const going = [
    action.address,
    ...action.losses.flatMap(({ address }) => (address === undefined ? [] : [address])),
  ];
  return going.flatMap((text) => {
    const address = parseAddress(text);
    const protection = address ? protectionOf(context, address) : patternProtecting(context.policy, text);
    if (protection === undefined) return [];
    const fate = action.type === "replace" ? "replaced" : "deleted";
    const along = text === action.address ? "" : `, and would go with ${action.address}`;
    return [
      {
        message: `${text} cannot be ${fate}: it is protected (${protection})${along}`,
        advice: "undo the change, or take the protection off first",
        address: action.address,
      },
    ];
  });
}

function undescribedServices(action: Destructive): number {
  return action.losses.filter(({ address, described }) => address !== undefined && !described).length;
}

function countProblems({ caps }: Policy, destructive: readonly Destructive[]): Problem[] {
  const count = destructive.reduce((sum, action) => sum + 1 + undescribedServices(action), 0);
  if (count <= caps.count) return [];
  return [
    {
      message: `${count} resources would be deleted or replaced, more than the ${caps.count} that are allowed`,
      advice: `check the plan; to go on, --max-deletes ${count}`,
    },
  ];
}

function shareProblems(context: PlanContext, destructive: readonly Destructive[]): Problem[] {
  const { percent } = context.policy.caps;
  const going = new Map<string, { address: Address; count: number }>();
  for (const action of destructive) {
    const address = parseAddress(action.address);
    const holder = address && parentAddress(address);
    const [shared, count] = address?.kind.deletesContents ? [address, Infinity] : [holder, 1];
    if (!shared?.kind.deletesContents) continue;
    const key = addressKey(shared);
    going.set(key, { address: shared, count: (going.get(key)?.count ?? 0) + count });
  }
  return [...going.values()].flatMap(({ address, count }) => {
    const size = sizeOf(context, address);
    const share = Math.min(count, size);
    if (size < smallestShare || share * 100 <= size * percent) return [];
    return [
      {
        message: `${share} of the ${size} services of ${formatAddress(address)} would be deleted or replaced, more than ${percent} %`,
        advice: `check the plan; to go on, --max-deletes ${Math.ceil((share * 100) / size)}%`,
        address: formatAddress(address),
      },
    ];
  });
}

/** How many services a resource holds now. */
function sizeOf(context: PlanContext, address: Address): number {
  const found = context.find(address);
  if (found === undefined || found === "unread") return 0;
  const { children, unknown } = (found.replaced ?? found).inside;
  return (children?.all.length ?? 0) + unknown.length;
}
