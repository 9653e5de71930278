import { type Address, addressKey, describeAddress, formatAddress, parentAddress } from "../address.ts";
import type { Desired } from "../desired.ts";
import { resolveReferences } from "../fields/references.ts";
import type { Fields } from "../json.ts";
import type { Problem } from "../problem.ts";
import type { Remedy } from "../remedy.ts";
import type { Note, ParentReference } from "./action.ts";
import { type Expected, type ExpectedChildren, expectInside, type Inside } from "./expected.ts";
import { type Inventory, takeInventory } from "./inventory.ts";
import { areMet, type LiveState, type Needs, noNeeds } from "./live-state.ts";
import { reportTwins } from "./locate.ts";
import type { Policy } from "./policy.ts";

/** What holds a resource: the organization, or a resource. */
export interface Holder {
  reference: ParentReference;
  inside: Inside;
  resource: Expected | undefined;
}

/**
 * What one pass of planning knows, and what it finds out: expectations, problems, and what has to be read for the
 * next pass. Planning does no I/O; it asks for what it lacks and is started again.
 */
export class PlanContext {
  readonly needs: Needs = noNeeds();
  readonly problems: Problem[] = [];
  readonly notes: Note[] = [];
  readonly live: LiveState;
  readonly policy: Policy;
  readonly #organization: Holder;
  readonly #resources: readonly Desired[];
  #inventory: Inventory | undefined;
  readonly #bound = new Map<Expected, Desired>();
  readonly #found = new Map<string, Expected | undefined>();

  constructor(live: LiveState, policy: Policy, resources: readonly Desired[]) {
    this.live = live;
    this.policy = policy;
    this.#resources = resources;
    this.#organization = {
      reference: { id: live.organization.id },
      inside: expectInside(live.children),
      resource: undefined,
    };
  }

  /** Whether everything that was asked for was there. */
  get isComplete(): boolean {
    return areMet(this.needs);
  }

  /** Whether a target chooses it; without any, all are chosen. */
  isTarget(address: string): boolean {
    return this.policy.targets.length === 0 || this.policy.targets.some((target) => target.matches(address));
  }

  /** What is live, with all that it is called. */
  get inventory(): Inventory {
    this.#inventory ??= takeInventory(this.live.children, this.#resources);
    return this.#inventory;
  }

  /** What holds a resource: `unread` until it is known, undefined when there is nothing of that name. */
  holderOf(address: Address): Holder | "unread" | undefined {
    const above = parentAddress(address);
    if (!above) return this.#organization;
    const resource = this.find(above);
    if (resource === undefined || resource === "unread") return resource;
    const { id, madeBy } = resource;
    const reference = id === undefined ? { address: madeBy ?? formatAddress(above) } : { id };
    return { reference, inside: resource.inside, resource };
  }

  /** The resource of that address, as it is expected at this point. */
  find(address: Address): Expected | "unread" | undefined {
    const key = addressKey(address);
    if (this.#found.has(key)) return this.#found.get(key);
    const holder = this.holderOf(address);
    if (holder === undefined || holder === "unread") return holder;
    const children = this.childrenOf(holder);
    if (!children) return "unread";
    const [first, second] = children.find(address.kind, address.names.at(-1) ?? "");
    if (first && second) reportTwins(this, address, [first, second]);
    if (first) this.remember(address, first);
    return first;
  }

  /** From now on the address stands for that resource. */
  remember(address: Address, resource: Expected): void {
    this.#found.set(addressKey(address), resource);
  }

  /** From now on a document means that live resource, and no other may. */
  bind(desired: Desired, resource: Expected): void {
    const first = this.#bound.get(resource);
    if (first && first !== desired)
      this.report(
        desired,
        desired.manage.id === undefined ? ["name"] : ["manage", "id"],
        `the document of ${describeAddress(first.address)} means the same resource`,
        "take one of the two documents out, or correct manage.id or renamed_from",
      );
    else this.#bound.set(resource, desired);
    this.remember(desired.address, resource);
  }

  /** What a holder holds; undefined when it has to be read first, which is noted. */
  childrenOf(holder: Holder): ExpectedChildren | undefined {
    const { children } = holder.inside;
    if (!children) this.#need(holder.resource);
    return children;
  }

  #need(resource: Expected | undefined): void {
    if (!resource) this.needs.organization = true;
    else if (resource.live) this.needs.children.add(resource.live);
  }

  /** Stated fields with their references looked up; undefined when that cannot be done yet, or not at all. */
  resolve(desired: Desired, stated: Fields, current: Fields | undefined): Fields | undefined {
    const resolved = resolveReferences(desired.address.kind.fields, stated, current, this.live.catalogues);
    for (const catalogue of resolved.missing) this.needs.catalogues.add(catalogue);
    for (const { path, message, advice } of resolved.problems) this.report(desired, path, message, advice);
    return resolved.missing.length + resolved.problems.length === 0 ? resolved.fields : undefined;
  }

  report(
    desired: Desired,
    path: readonly (string | number)[],
    message: string,
    advice?: string,
    blocks?: "apply",
  ): void {
    this.problems.push({
      message: `${describeAddress(desired.address)}: ${message}`,
      ...(advice !== undefined && { advice }),
      ...(blocks !== undefined && { blocks }),
      position: desired.position(path.map(plainPart)),
      address: formatAddress(desired.address),
    });
  }

  note(message: string, address?: string, remedies?: readonly Remedy[]): void {
    this.notes.push({ message, ...(address !== undefined && { address }), ...(remedies && { remedies }) });
  }
}

/** `[2]`, as paths of fields have it, as the index that positions want. */
function plainPart(part: string | number): string | number {
  const index = typeof part === "string" ? /^\[(\d+)\]$/.exec(part)?.[1] : undefined;
  return index === undefined ? part : Number(index);
}
