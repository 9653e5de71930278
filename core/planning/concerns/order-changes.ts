import type { AnyAddress } from "../../model/addresses/address.ts";
import type { DeploymentAction, DeploymentOrder, OrderedService } from "../../deployments/index.ts";
import { type Fields, isFields } from "../../values/json.ts";
import { versionIn } from "../../model/kinds/index.ts";
import { addressBy, type Inventory } from "../plan/inventory.ts";
import type { PolicyAction } from "../../rules/policies/index.ts";
import type { ResourceChange } from "./change.ts";
import { inLiveSpelling } from "./live-spelling.ts";

const effects: Record<DeploymentAction, PolicyAction> = {
  deploy: "deploy",
  stop: "stop",
  restart: "restart",
  cancel: "cancel",
};

/** The changes of an order: those of its services, and that of the environment if the order is for all of it. */
export function changesOfOrder(inventory: Inventory, order: DeploymentOrder): ResourceChange[] {
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
