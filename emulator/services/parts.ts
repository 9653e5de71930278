import { HttpError } from "../world/errors.ts";
import type { CustomDomain, Restriction, Service } from "../world/records.ts";
import { get, list, positive, post, put, remove, type Call, type Route } from "../http/routing.ts";
import { CustomDomainRequest, NetworkRequest, RestrictionRequest } from "./part-request.ts";
import { settingsSchemas } from "./settings.ts";
import { serviceKinds } from "./index.ts";
import type { ServiceKind } from "./kind.ts";
import { logsOf } from "./logs.ts";
import { validate } from "../http/validation.ts";
import { serviceOf } from "../http/lookup.ts";

/** The parts of a service: advanced and network settings, deployment restrictions, custom domains, logs. */
export const partRoutes: Route[] = serviceKinds.flatMap((kind) => [
  ...settingsRoutes(kind),
  ...(kind.has.network ? networkRoutes(kind) : []),
  ...(kind.has.restrictions ? restrictionRoutes(kind) : []),
  ...(kind.has.domains ? domainRoutes(kind) : []),
  ...(kind.has.logs ? logRoutes(kind) : []),
]);

function pathOf({ kind }: ServiceKind): string {
  return `/${kind}/{${kind}Id}`;
}

function settingsRoutes(kind: ServiceKind): Route[] {
  const schema = settingsSchemas[kind.kind];
  if (!schema) return [];
  const path = `${pathOf(kind)}/advancedSettings`;
  const complete = (settings: object = {}) => {
    const copy = structuredClone(settings);
    validate(schema, copy);
    return copy;
  };
  return [
    get(`/default${capitalized(kind.kind)}AdvancedSettings`, () => complete()),
    get(path, (call) => complete(serviceOf(call, kind).settings)),
    put(
      path,
      schema,
      (call) => {
        const { world } = call;
        const service = serviceOf(call, kind);
        world.update(world.store.services, service, { settings: call.body as object });
        return complete(service.settings);
      },
      201,
    ),
  ];
}

function networkRoutes(kind: ServiceKind): Route[] {
  const path = `${pathOf(kind)}/network`;
  const view = ({ network }: Service) => ({ sticky_session: false, ...network });
  return [
    get(path, (call) => view(serviceOf(call, kind))),
    put(
      path,
      NetworkRequest,
      (call) => {
        const { world, body } = call;
        return view(world.update(world.store.services, serviceOf(call, kind), { network: body }));
      },
      201,
    ),
  ];
}

function restrictionRoutes(kind: ServiceKind): Route[] {
  const many = `${pathOf(kind)}/deploymentRestriction`;
  const one = `${many}/{deploymentRestrictionId}`;
  const restrictionOf = (call: Call): Restriction => {
    const restriction = call.world.store.restrictions.get(call.param("deploymentRestrictionId"));
    return requireParent(restriction, serviceOf(call, kind));
  };
  return [
    list(many, (call) => call.world.store.restrictions.under(serviceOf(call, kind).id), restrictionView),
    post(many, 201, RestrictionRequest, (call) => {
      const { world, body: spec } = call;
      const restriction = { ...world.base(serviceOf(call, kind).id), spec };
      return restrictionView(world.add(world.store.restrictions, restriction));
    }),
    put(one, RestrictionRequest, (call) => {
      const { world, body: spec } = call;
      return restrictionView(world.update(world.store.restrictions, restrictionOf(call), { spec }));
    }),
    remove(one, (call) => call.world.remove(call.world.store.restrictions, restrictionOf(call))),
  ];
}

function restrictionView({ id, created_at, updated_at, spec }: Restriction): object {
  return { id, created_at, updated_at, ...spec };
}

function domainRoutes(kind: ServiceKind): Route[] {
  const many = `${pathOf(kind)}/customDomain`;
  const one = `${many}/{customDomainId}`;
  const domainOf = (call: Call): CustomDomain =>
    requireParent(call.world.store.customDomains.get(call.param("customDomainId")), serviceOf(call, kind));
  return [
    list(many, (call) => call.world.store.customDomains.under(serviceOf(call, kind).id), domainView),
    post(many, 201, CustomDomainRequest, (call) => {
      const { world, body: spec } = call;
      const domain = { ...world.base(serviceOf(call, kind).id), name: spec.domain, spec };
      return domainView(world.add(world.store.customDomains, domain));
    }),
    ...(kind.kind === "helm" ? [get(one, (call) => domainView(domainOf(call)))] : []),
    put(one, CustomDomainRequest, (call) => {
      const { world, body: spec } = call;
      const changes = { name: spec.domain, spec };
      return domainView(world.update(world.store.customDomains, domainOf(call), changes));
    }),
    remove(one, (call) => call.world.remove(call.world.store.customDomains, domainOf(call))),
  ];
}

function domainView({ id, created_at, updated_at, spec }: CustomDomain): object {
  const validation_domain = `z${id.slice(0, 8)}.domains.internal`;
  return { id, created_at, updated_at, ...spec, validation_domain, status: "VALIDATION_PENDING" };
}

function logRoutes(kind: ServiceKind): Route[] {
  return [
    list(
      `${pathOf(kind)}/log`,
      (call) => {
        const lines = logsOf(serviceOf(call, kind), call.world);
        return lines.slice(-positive(call.query, "tail", lines.length + 1));
      },
      (line) => line,
    ),
  ];
}

/** Throws 404 for a part of another service. */
function requireParent<Part extends { parentId: string; id: string }>(part: Part, service: Service): Part {
  if (part.parentId !== service.id)
    throw new HttpError(404, `${part.id} does not belong to this ${service.kind}`);
  return part;
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
