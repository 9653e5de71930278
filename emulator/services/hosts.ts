/** The names of services inside their cluster begin with these, or else with `app-`. */
const prefixes: Readonly<Record<string, string>> = { helm: "helm-", database: "" };

/** The name of a service inside its cluster: `app-z0a1b2c3d`; that of a database ends in its type: `z0a1b2c3d-postgresql`. */
export function internalHost({ id, kind }: { id: string; kind: string }, type?: string): string {
  const name = `${prefixes[kind] ?? "app-"}z${id.slice(0, 8)}`;
  return type === undefined ? name : `${name}-${type.toLowerCase()}`;
}

/** The name under which the default port of a service can be reached from outside. */
export function externalHost(serviceId: string): string {
  return `z${serviceId.slice(0, 8)}.apps.internal`;
}
