import type { Environment, Project, Service, Variable } from "../world/records.ts";
import { externalHost, internalHost } from "../services/hosts.ts";
import { publicPorts } from "../services/links.ts";
import { databaseLogin, databaseName, databasePorts } from "../services/database.ts";
import type { World } from "../world/world.ts";

// Variables that the platform sets, so that a service knows its environment.

/** Adds the built-in variables of a project: placeholders, which the platform fills in where it deploys. Source: notes.md. */
export function addProjectVariables({ id }: Project, world: World): void {
  add(id, "PROJECT_ID", "||Q_PRJ_ID||", {}, world);
  add(id, "PROJECT_NAME", "||Q_PRJ_NAME||", {}, world);
}

/** Adds the built-in variables of an environment. */
export function addEnvironmentVariables({ id, name }: Environment, world: World): void {
  add(id, "ENVIRONMENT_ID", id, {}, world);
  add(id, "ENVIRONMENT_NAME", name, {}, world);
}

/** Updates the built-in variables about a service in its environment. */
export function tellAboutService(service: Service, world: World): void {
  const { id, parentId } = service;
  const { variables } = world.store;
  const wanted = membersOf(service, world);
  const present = variablesAbout(service, world);
  const keyOf = ([member]: [string, ...unknown[]]) => `${stemOf(service)}_${member}`;
  const keys = new Set(wanted.map((member) => named(keyOf(member), world)));
  for (const variable of present) if (!keys.has(variable.key)) variables.remove(variable);
  for (const member of wanted) {
    const [, value, is_secret = false] = member;
    const key = keyOf(member);
    if (present.some((variable) => variable.key === named(key, world))) continue;
    add(parentId, key, value, { about: id, is_secret }, world);
  }
}

/** The key of a variable about a service, without the prefix: `DATABASE_TYPE_Z0A1B2C3D`. Source: notes.md. */
function stemOf({ id, kind, spec }: Service): string {
  const sort = kind === "database" ? (spec as { type: string }).type : kind.toUpperCase();
  return `${sort}_Z${id.slice(0, 8).toUpperCase()}`;
}

function membersOf(service: Service, world: World): [member: string, value: string, isSecret?: boolean][] {
  const { id, kind, spec } = service;
  if (kind === "database") {
    const { type } = spec as { type: keyof typeof databasePorts };
    return [
      ["HOST_INTERNAL", internalHost(service, type)],
      ["PORT", String(databasePorts[type])],
      ["LOGIN", databaseLogin],
      ["PASSWORD", world.newId(), true],
      ["DEFAULT_DATABASE_NAME", databaseName],
    ];
  }
  if (kind !== "application" && kind !== "container" && kind !== "helm") return [];
  const host: [string, string] = ["HOST_INTERNAL", internalHost(service)];
  return publicPorts(service).length > 0 ? [host, ["HOST_EXTERNAL", externalHost(id)]] : [host];
}

/** The credentials of a database. */
export function masterCredentials(database: Service, world: World): object {
  const valueOf = (member: string) =>
    variablesAbout(database, world).find(({ key }) => key.endsWith(`_${member}`))?.value ?? "";
  const port = Number(valueOf("PORT"));
  return { host: valueOf("HOST_INTERNAL"), port, login: valueOf("LOGIN"), password: valueOf("PASSWORD") };
}

/** Changes the login and the password of a database. */
export function setMasterCredentials(
  database: Service,
  { login, password }: { login: string; password: string },
  world: World,
): void {
  for (const variable of variablesAbout(database, world)) {
    if (variable.key.endsWith("_LOGIN")) variable.value = login;
    if (variable.key.endsWith("_PASSWORD")) variable.value = password;
  }
}

/** The built-in variables about a service, in order of creation. */
export function variablesAbout(service: Service, { store }: World): Variable[] {
  return store.variables.allUnder(service.parentId).filter(({ about }) => about === service.id);
}

function add(
  parentId: string,
  stem: string,
  value: string,
  rest: { about?: string; is_secret?: boolean },
  world: World,
): void {
  const key = named(stem, world);
  world.store.variables.add({
    ...world.base(parentId),
    key,
    value,
    scope: "BUILT_IN",
    is_secret: false,
    ...rest,
  });
}

function named(stem: string, { settings }: World): string {
  return `${settings.builtInPrefix}_${stem}`;
}
