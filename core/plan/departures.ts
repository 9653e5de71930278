import { nameKey, parseAddress } from "../address.ts";
import { kindsInside } from "../kinds/index.ts";
import type { Action, DeleteAction, Loss, ReplaceAction } from "./action.ts";
import { addressText, type Inventory, type Known } from "./inventory.ts";
import type { LiveState, Needs } from "./live-state.ts";

/** An action that deletes something that cannot be brought back. */
export type Destructive = ReplaceAction | DeleteAction;

/** A live resource that ceases to exist when the plan is carried out. */
export interface Departure {
  known: Known;
  /** The action that is about just this resource; undefined: it only goes along. */
  own: Destructive | undefined;
  /** Its own action, or else that of the nearest of what contains it: with that it goes. */
  cause: Destructive;
  /** Its names from the project down, as the plan has them. */
  names: readonly string[];
}

export function isDestructive(action: Action): action is Destructive {
  return action.type === "replace" || action.type === "delete";
}

/**
 * All that ceases to exist on the server because of a plan: what it deletes or replaces, and all levels deep what is
 * in that, known by live ids, whether a document or a target is about it or not. This is the one place that says what
 * goes; what the plan lists and counts, and what consents and protections are held against, follows from it.
 */
export function departuresOf(inventory: Inventory, actions: readonly Action[]): Departure[] {
  const destructive = new Map(actions.filter(isDestructive).map((action) => [action.id, action]));
  const departures: Departure[] = [];
  const visit = (known: Known, cause: Destructive | undefined, above: readonly string[]): void => {
    const own = destructive.get(known.id);
    const nearest = own ?? cause;
    const names = (own && parseAddress(own.address)?.names) ?? [...above, known.name];
    if (nearest) departures.push({ known, own, cause: nearest, names });
    for (const inner of known.contents) visit(inner, nearest, names);
  };
  for (const root of inventory.roots) visit(root, undefined, []);
  return departures;
}

/** Asks for what has to be read before it is known what goes: what is inside, and what hangs on it. */
export function needInside(needs: Needs, live: LiveState, departures: readonly Departure[]): void {
  for (const { known } of departures) {
    const node = known.live;
    if (!node) continue;
    if (!node.children && kindsInside(node.kind).length > 0) needs.children.add(node);
    if (node.kind.parts.length > 0 && !live.losses.has(node.id)) needs.losses.add(node);
  }
}

/** The actions with all that goes with each, by id and by name. */
export function withLosses(
  actions: readonly Action[],
  departures: readonly Departure[],
  losses: LiveState["losses"],
): Action[] {
  const byCause = Map.groupBy(departures, ({ cause }) => cause);
  const byId = new Map(departures.map((departure) => [departure.known.id, departure]));
  return actions.map((action) => {
    const departure = isDestructive(action) ? byId.get(action.id) : undefined;
    if (!departure || !isDestructive(action)) return action;
    const along = (byCause.get(action) ?? []).filter(({ own }) => !own);
    const again =
      action.type === "replace"
        ? departures.filter(({ own }) => own?.type === "replace" && own.removedBy === action.address)
        : [];
    const parts = [departure, ...along].flatMap((each) => partsOf(each, departure, losses));
    return {
      ...action,
      ...liveAddressOf(departure),
      losses: [
        ...again.map((each) => lossOf(each, departure, true)),
        ...along.map((each) => lossOf(each, departure, false)),
        ...parts,
      ],
      contents: idsInside(departure.known),
    };
  });
}

function lossOf(departure: Departure, cause: Departure, described: boolean): Loss {
  const { known, names } = departure;
  return {
    what: known.what,
    name: relativeName(departure, cause),
    address: addressText(known, names),
    ...liveAddressOf(departure),
    id: known.id,
    described,
  };
}

/** The variables, domains and the like that hang on what goes. */
function partsOf(departure: Departure, cause: Departure, losses: LiveState["losses"]): Loss[] {
  const parts = losses.get(departure.known.id) ?? [];
  return departure === cause
    ? [...parts]
    : parts.map((part) => ({ ...part, name: `${relativeName(departure, cause)}: ${part.name}` }));
}

/** `staging/migrate`, of what goes with a project. */
function relativeName({ names }: Departure, cause: Departure): string {
  return names.slice(cause.names.length).join("/");
}

/** The address that it has now, where the plan gives it another. */
export function liveAddressOf({ known, names }: Departure): { liveAddress?: string } {
  const liveAddress = addressText(known, known.names[0] ?? []);
  return nameKey(liveAddress) === nameKey(addressText(known, names)) ? {} : { liveAddress };
}

/** The ids of all that a live resource contains, all levels deep. */
function idsInside({ contents }: Known): string[] {
  return contents.flatMap((inner) => [inner.id, ...idsInside(inner)]);
}
