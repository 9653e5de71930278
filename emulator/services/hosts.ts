/** The name of a service inside its cluster. Source: notes.md. */
export function internalHost(serviceId: string): string {
  return `app-z${serviceId.slice(0, 8)}`;
}

/** The name under which the default port of a service can be reached from outside. */
export function externalHost(serviceId: string): string {
  return `z${serviceId.slice(0, 8)}.apps.internal`;
}
