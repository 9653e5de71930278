import { conflict } from "../world/errors.ts";
import type { Service, Deployment, ServiceKindName } from "../world/records.ts";
import { collection } from "../http/collection.ts";
import { positive } from "../http/paging.ts";
import { get, list, put, type Route } from "../http/routing.ts";
import { serviceKinds } from "./index.ts";
import type { ServiceKind } from "./kind.ts";
import { completed } from "../http/validation.ts";
import { serviceOf } from "../http/lookup.ts";
import { undeclared } from "../world/defaults.ts";
import { Type } from "typebox";
import { flag, oneOf } from "../bodies/common.ts";
import { uuidOf } from "../world/uuid.ts";
import type { World } from "../world/world.ts";
import advancedSettings from "./settings.json" with { type: "json" };

const RestrictionRequest = Type.Object({
  mode: oneOf("EXCLUDE", "MATCH"),
  type: oneOf("PATH"),
  value: Type.String({ minLength: 1 }),
});

const NetworkRequest = Type.Object({ sticky_session: flag });

/** Body of POST and PUT of a custom domain. */
export const CustomDomainRequest = Type.Object({
  domain: Type.String({ minLength: 1 }),
  generate_certificate: Type.Boolean(),
  use_cdn: flag,
});

// The API description lists the members without defaults; the emulator defines the defaults itself. It spells `Requirred`.
const settingsByGroup: Readonly<Record<string, object>> = advancedSettings.groups;
const groupsByKind: Partial<Record<ServiceKindName, string[]>> = advancedSettings.groupsByKind;

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
  const groups = groupsByKind[kind.kind];
  if (!groups) return [];
  const properties: object = Object.assign({}, ...groups.map((group) => settingsByGroup[group]));
  const schema = Type.Unsafe<object>({ type: "object", properties });
  const path = `${pathOf(kind)}/advancedSettings`;
  return [
    get(`/default${capitalized(kind.kind)}AdvancedSettings`, () => completed(schema)),
    get(path, (call) => completed(schema, serviceOf(call, kind).settings)),
    put(
      path,
      schema,
      (call, world) => {
        const service = serviceOf(call, kind);
        world.update(world.store.services, service, { settings: call.body });
        return completed(schema, service.settings);
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
      (call, world, body) => {
        return view(world.update(world.store.services, serviceOf(call, kind), { network: body }));
      },
      201,
    ),
  ];
}

function restrictionRoutes(kind: ServiceKind): Route[] {
  return collection({
    path: `${pathOf(kind)}/deploymentRestriction`,
    id: "deploymentRestrictionId",
    parentOf: (call) => serviceOf(call, kind),
    table: (store) => store.restrictions,
    body: RestrictionRequest,
    admit: (spec) => ({ spec }),
    view: ({ id, created_at, updated_at, spec }) => ({ id, created_at, updated_at, ...spec }),
    without: ["GET"],
  });
}

function domainRoutes(kind: ServiceKind): Route[] {
  const path = `${pathOf(kind)}/customDomain`;
  return collection({
    path,
    id: "customDomainId",
    parentOf: (call) => serviceOf(call, kind),
    table: (store) => store.customDomains,
    body: CustomDomainRequest,
    admit: ({ use_cdn, ...spec }, world, _item, parentId) => {
      const taken = world.store.customDomains
        .all()
        .find((other) => other.name === spec.domain && other.parentId !== parentId);
      // A domain leads to one service, whichever has it first.
      if (taken) throw conflict(`the custom domain ${spec.domain} belongs to another service`);
      const cdn = use_cdn ?? undeclared("custom_domain.use_cdn", false, undefined, world);
      return { name: spec.domain, spec: { ...spec, ...(cdn !== undefined && { use_cdn: cdn }) } };
    },
    view({ id, created_at, updated_at, spec }) {
      const validation_domain = `z${id.slice(0, 8)}.domains.internal`;
      return { id, created_at, updated_at, ...spec, validation_domain, status: "VALIDATION_PENDING" };
    },
    without: kind.kind === "helm" ? [] : ["GET"],
  });
}

function logRoutes(kind: ServiceKind): Route[] {
  return [
    list(`${pathOf(kind)}/log`, (call, world) => {
      const lines = logsOf(serviceOf(call, kind), world);
      return lines.slice(-positive(call.query, "tail", lines.length + 1));
    }),
  ];
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The log of a service: lines that its deployments would have written, oldest first. */
function logsOf(service: Service, { store }: World): object[] {
  return store.deployments
    .under(service.parentId)
    .filter(({ services }) => services.some(({ id }) => id === service.id))
    .flatMap((deployment) => linesOf(deployment, service));
}

function linesOf({ id, action, created_at, endedAt, state, fails }: Deployment, service: Service): object[] {
  const pod = `${service.kind}-z${service.id.slice(0, 8)}-0`;
  const line = (time: string, message: string) => ({
    id: uuidOf(`${id} ${service.id} ${message}`),
    created_at: time,
    message,
    pod_name: pod,
    version: id,
  });
  const first = line(created_at, `${action.toLowerCase()} of ${service.name} requested`);
  return endedAt === undefined
    ? [first]
    : [first, line(endedAt, typeof fails === "string" ? fails : `${service.name}: ${state}`)];
}
