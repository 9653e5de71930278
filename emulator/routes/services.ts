import { cloneService } from "../cloning.ts";
import { deleteServices } from "../removal.ts";
import { get, list, post, put, remove } from "../routing.ts";
import type { Route } from "../routing.ts";
import { CloneServiceRequest } from "../schemas/service.ts";
import { serviceKinds, serviceView } from "../services/index.ts";
import type { ServiceKind } from "../services/kind.ts";
import { environmentOf, serviceOf } from "./lookup.ts";

/** List, get, create, edit, delete and clone, the same for every kind of service. */
export const serviceRoutes: Route[] = [
  list(
    "/environment/{environmentId}/services",
    (call) => call.world.store.services.under(environmentOf(call).id),
    serviceView,
  ),
  ...serviceKinds.flatMap(routesOf),
];

function routesOf(kind: ServiceKind): Route[] {
  const one = `/${kind.kind}/{${kind.kind}Id}`;
  const many = `/environment/{environmentId}/${kind.kind}`;
  return [
    list(
      many,
      (call) =>
        call.world.store.services
          .under(environmentOf(call).id)
          .filter((service) => service.kind === kind.kind),
      kind.view,
    ),
    post(many, 201, kind.create, (call) => {
      const { world, body } = call;
      const environment = environmentOf(call);
      world.operations.requireStaying(environment.id);
      const admitted = kind.admit(body, { world, environmentId: environment.id });
      const service = { ...world.base(environment.id), kind: kind.kind, ...admitted };
      return kind.view(world.add(world.store.services, service), world);
    }),
    get(one, (call) => kind.view(serviceOf(call, kind), call.world)),
    put(one, kind.edit, (call) => {
      const { world, body } = call;
      const service = serviceOf(call, kind);
      world.operations.requireStaying(service.id);
      const admitted = kind.admit(body, { world, environmentId: service.parentId, previous: service });
      return kind.view(world.update(world.store.services, service, admitted), world);
    }),
    remove(one, (call) => deleteServices([serviceOf(call, kind)], call.world)),
    post(`${one}/clone`, 202, CloneServiceRequest, (call) => {
      const { world, body } = call;
      const target = world.store.environments.get(body.environment_id);
      return kind.view(cloneService(serviceOf(call, kind), body.name, target, world), world);
    }),
  ];
}
