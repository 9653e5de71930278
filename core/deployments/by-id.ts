import { type Address } from "../model/addresses/address.ts";
import { type Fields, textsIn } from "../values/json.ts";
import { kinds } from "../model/kinds/index.ts";
import { sameId, servicesOf } from "../state/live/index.ts";
import { type Run, pollDelay, until } from "../operations/index.ts";
import type { DeploymentOrder, OrderedService } from "./order.ts";

/** How long services are looked for that are not listed, in milliseconds: lists lag behind creations. */
const searchLimit = 5_000;

/** The orders that deploy services by id. Repeats the list of the organization for some seconds while one is missing. */
export async function deploymentsOf(
  context: Run,
  organizationId: string,
  ids: readonly string[],
): Promise<{ orders: DeploymentOrder[]; missing: string[] }> {
  let found: ServicePlace[] = [];
  const missing = () => ids.filter((id) => !found.some(({ service }) => sameId(service.id, id)));
  await until(context.clock, searchLimit, context.signal, async (attempt) => {
    if (attempt > 0) await context.clock.sleep(pollDelay(attempt), context.signal);
    const services = (await servicesOf(context.client, organizationId)).flatMap(placed);
    found = services.filter(({ service }) => ids.some((id) => sameId(service.id, id)));
    return missing().length === 0 ? true : undefined;
  });
  const byEnvironment = Map.groupBy(found, ({ environment }) => environment.id);
  return {
    missing: missing(),
    orders: [...byEnvironment.values()].flatMap((all) => {
      const [first] = all;
      const services = all.map(({ service }) => service);
      return first
        ? [{ action: "deploy" as const, environment: first.environment, isWhole: false, services }]
        : [];
    }),
  };
}

interface ServicePlace {
  service: OrderedService;
  environment: DeploymentOrder["environment"];
}

/** The service of an entry; none of a type that cannot be deployed. */
function placed(entry: Fields): ServicePlace[] {
  const address = addressIn(entry);
  const ids = textsIn(entry, ["id", "environment_id"]);
  if (!address?.kind.parent || !ids) return [];
  const environment = { kind: address.kind.parent, names: address.names.slice(0, -1) };
  return [
    { service: { address, id: ids.id }, environment: { id: ids.environment_id, address: environment } },
  ];
}

/** The address of a service in the list of the organization; undefined for a type without a kind, and where a name is missing. */
export function addressIn(entry: Fields): Address | undefined {
  const service = textsIn(entry, ["service_type", "project_name", "environment_name", "name"]);
  const kind = kinds.find(
    ({ listing, deployment }) => deployment && listing.serviceType === service?.service_type,
  );
  return service && kind && { kind, names: [service.project_name, service.environment_name, service.name] };
}
