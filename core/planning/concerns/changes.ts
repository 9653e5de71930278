import { addressKey, type AnyAddress } from "../../model/addresses/address.ts";
import { type Fields, isFields } from "../../values/json.ts";
import { ceases, subjectOf } from "../../model/loss.ts";
import { declaredParts } from "../../model/parts/index.ts";
import type { Action } from "../plan/action.ts";
import { deletes, deploys, isChange, isReplacement, makes, updates } from "../plan/action-types.ts";
import { addressBy, type ResourceIdentity, type Inventory } from "../plan/inventory.ts";
import { type CausedLoss, isOfStaying, lossesOf } from "../plan/losses.ts";
import type { LostResource } from "../plan/lost-resources.ts";
import type { Whole } from "../plan/planning.ts";
import type { PolicyAction } from "../../rules/policies/index.ts";
import type { ResourceChange } from "./change.ts";
import { bothAddresses } from "./both-addresses.ts";
import { everyAddressOf, inLiveSpelling } from "./live-spelling.ts";
import type { DeploymentAction, DeploymentOrder, OrderedService } from "../../deployments/index.ts";
import { versionIn } from "../../model/kinds/index.ts";

/** Every change of a run: its actions, resources that come or go with another one, and services that are deployed or stopped. */
export function changesIn({
  planning: { inventory },
  actions,
  lostResources,
  operation,
}: Whole): ResourceChange[] {
  const acting = actions.filter(isChange);
  const own = new Map(
    acting.filter((action) => !deploys(action)).map((action) => [addressKey(action.address), action]),
  );
  const taken = lossesOf(acting).filter((caused) => ceases(caused.loss) && isOfStaying(caused));
  const isOfOther = ({ loss, action }: CausedLoss) => subjectOf(loss)?.id !== action.resourceId;
  const losing = new Set(taken.filter((caused) => !isOfOther(caused)).map(({ action }) => action));
  return [
    ...acting.flatMap((action) =>
      deploys(action)
        ? deployedBy(inventory, action, own.get(addressKey(action.address)))
        : changeBy(inventory, action, losing.has(action)),
    ),
    ...lostResources.flatMap((lost) => (lost.own ? [] : goingAlong(inventory, lost))),
    ...acting.flatMap((action) => comingAlong(inventory, action, own)),
    ...losingAlong(inventory, taken.filter(isOfOther)),
    ...(operation?.orders ?? []).flatMap((order) => changesOfOrder(inventory, order)),
  ];
}

function changeBy(inventory: Inventory, action: Action, loses: boolean): ResourceChange {
  const { address, type, resourceId, expected, changes, losses } = action;
  const live = resourceId === undefined ? undefined : inventory.byId.get(resourceId)?.live;
  return {
    does: [type as PolicyAction, ...(isReplacement(action) || loses ? ["delete" as const] : [])],
    address,
    addresses: addressesOf(inventory, action),
    before: makes(action) && !deletes(action) ? undefined : (live?.fields ?? {}),
    after: deletes(action) && !makes(action) ? undefined : expected,
    changed: makes(action) ? pathsIn(expected) : changes.map(({ path }) => withoutElements(path)),
    losses,
  };
}

/** A deployment of an environment's services. @param made the action that creates or changes the environment */
function deployedBy(inventory: Inventory, action: Action, made: Action | undefined): ResourceChange[] {
  const { address, subject } = action;
  const origin = subject && "id" in subject ? subject : made?.source;
  const identity = origin && "id" in origin ? inventory.byId.get(origin.id) : undefined;
  const fields = (made && (makes(made) || updates(made)) ? made.expected : identity?.live?.fields) ?? {};
  const deployed = { does: ["deploy" as const], changed: [], losses: [] };
  const inside = address.kind.jointDeployment ? (identity?.contents ?? []) : [];
  return [
    {
      ...deployed,
      address,
      addresses: addressesOf(inventory, made ?? { ...action, resourceId: identity?.id }),
      before: fields,
      after: fields,
    },
    ...inside.flatMap((each): ResourceChange[] => {
      if (each.kind && !each.kind.deployment) return [];
      const service = addressBy(each, [...address.names, each.name]);
      const its = each.live?.fields ?? {};
      const addresses = inLiveSpelling(inventory, [service]);
      return [{ ...deployed, address: service, addresses, before: its, after: its, along: address }];
    }),
  ];
}

function goingAlong(inventory: Inventory, { identity, names, cause }: LostResource): ResourceChange {
  const address = addressBy(identity, names);
  return {
    does: ["delete"],
    address,
    addresses: inLiveSpelling(inventory, [...everyAddressOf(identity), address]),
    before: identity.live?.fields ?? {},
    after: undefined,
    changed: [],
    losses: [],
    along: cause.address,
  };
}

function comingAlong(
  inventory: Inventory,
  action: Action,
  own: ReadonlyMap<string, Action>,
): ResourceChange[] {
  const { source, address } = action;
  const identity = makes(action) && source && "id" in source ? inventory.byId.get(source.id) : undefined;
  return (identity?.contents ?? []).flatMap(({ kind, live, name }): ResourceChange[] => {
    const copy = kind && { kind, names: [...address.names, name] };
    if (!copy || !live || kind.use === "data" || own.has(addressKey(copy))) return [];
    return [
      {
        does: ["clone"],
        address: copy,
        addresses: inLiveSpelling(inventory, [copy]),
        before: undefined,
        after: live.fields,
        changed: pathsIn(live.fields),
        losses: [],
        along: address,
      },
    ];
  });
}

/** Resources that stay and lose something through an action on another one, such as an override of a variable. */
function losingAlong(inventory: Inventory, taken: readonly CausedLoss[]): ResourceChange[] {
  return [...Map.groupBy(taken, ({ loss }) => subjectOf(loss)?.id)].flatMap(
    ([id, caused]): ResourceChange[] => {
      const identity = id === undefined ? undefined : inventory.byId.get(id);
      const [first] = caused;
      const subject = first && subjectOf(first.loss);
      if (!subject) return [];
      const fields = identity?.live?.fields ?? {};
      const { address, liveAddress = address } = subject;
      return [
        {
          does: ["delete"],
          address,
          addresses: inLiveSpelling(inventory, [
            liveAddress,
            address,
            ...(identity ? everyAddressOf(identity) : []),
          ]),
          before: fields,
          after: fields,
          changed: caused.flatMap((each) => pathOf(each, identity)),
          losses: caused.map(({ loss }) => loss),
          along: first.action.address,
        },
      ];
    },
  );
}

/** `variables.KEY`. */
function pathOf(caused: CausedLoss, identity: ResourceIdentity | undefined): string[][] {
  const { path, what } = caused.loss;
  if (path) return [withoutElements(path)];
  const part = identity?.kind && declaredParts(identity.kind).find(({ name }) => name === what);
  return part ? [[part.member, caused.loss.name]] : [];
}

function addressesOf(inventory: Inventory, action: Action): AnyAddress[] {
  const { address, liveAddress = address } = bothAddresses(inventory, action);
  return inLiveSpelling(inventory, [liveAddress, address]);
}

function pathsIn(fields: Fields): string[][] {
  return Object.entries(fields).flatMap(([member, value]) =>
    isFields(value) && Object.keys(value).length > 0
      ? pathsIn(value).map((path) => [member, ...path])
      : [[member]],
  );
}

/** A path without keys of elements: a change of `ports[8080/HTTP].name` is one of `ports`. */
function withoutElements(path: readonly string[]): string[] {
  const first = path.findIndex((part) => part.startsWith("["));
  return first === -1 ? [...path] : path.slice(0, first);
}

const effects: Record<DeploymentAction, PolicyAction> = {
  deploy: "deploy",
  stop: "stop",
  restart: "restart",
  cancel: "cancel",
};

/** The changes of an order: those of its services, and that of the environment if the order is for all of it. */
function changesOfOrder(inventory: Inventory, order: DeploymentOrder): ResourceChange[] {
  const { action, environment, isWhole, services } = order;
  const change = (address: AnyAddress, id: string, version?: OrderedService["version"]): ResourceChange => {
    const live = inventory.byId.get(id)?.live;
    const before = live?.fields ?? {};
    const tag = version?.image_tag;
    const field = live?.kind.deployment?.versionField;
    const writes = field && tag !== undefined && versionIn(live.kind, before) !== tag;
    return {
      does: [effects[action], ...(writes ? ["update" as const] : [])],
      address,
      addresses: inLiveSpelling(inventory, [address]),
      before,
      after: writes ? withText(before, field, tag) : before,
      changed: writes ? [field] : [],
      losses: [],
    };
  };
  if (!isWhole) return services.map(({ address, id, version }) => change(address, id, version));
  const { address: around, id } = environment;
  const inside = inventory.byId.get(id)?.contents ?? [];
  return [
    change(around, id),
    ...inside
      .filter(({ kind }) => !kind || kind.deployment)
      .map((each) => change(addressBy(each, [...around.names, each.name]), each.id)),
  ];
}

function withText(fields: Fields, [member = "", ...inside]: readonly string[], text: string): Fields {
  const value = fields[member];
  return {
    ...fields,
    [member]: inside.length === 0 ? text : withText(isFields(value) ? value : {}, inside, text),
  };
}
