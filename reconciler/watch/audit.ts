import { type Client, ForbiddenError } from "../../core/api/index.ts";
import { isFields, textIn } from "../../core/values/json.ts";
import { absentWhenNotFound, type Contents, type LiveStore } from "../../core/state/live/index.ts";

/** Finds created, deleted and renamed resources with three requests, and makes the store forget the lists that differ. */
export class ListAudit {
  /** Differences that have been read again, by parent: the lists of a server may disagree. */
  readonly #seen = new Map<string, string>();

  /** @returns whether the server has these lists for this token */
  async run(client: Client, organizationId: string, live: LiveStore): Promise<boolean> {
    const [, environments, services] = await Promise.all([
      live.contentsOf(client, undefined, organizationId, 0),
      listed(client, `/organization/${organizationId}/environments`, (item) => {
        const project = item["project"];
        return isFields(project) ? textIn(project, "id") : undefined;
      }),
      listed(client, `/organization/${organizationId}/services`, (item) => textIn(item, "environment_id")),
    ]);
    if (!environments || !services) return false;
    const { contents } = live.known();
    const projects = new Set(contents.get(organizationId)?.resources.map(({ id }) => id.toLowerCase()));
    for (const [id, known] of contents) {
      if (id === organizationId) continue;
      const isProject = projects.has(id.toLowerCase());
      const there = (isProject ? environments : services).get(id.toLowerCase()) ?? [];
      this.#compare(id, there, known, live);
    }
    return true;
  }

  #compare(id: string, there: readonly string[], known: Contents, live: LiveStore): void {
    const expected = [...known.resources, ...known.unknown].map(entry);
    const view = there.toSorted().join("\n");
    if (view === expected.toSorted().join("\n")) this.#seen.delete(id);
    else if (this.#seen.get(id) !== view) {
      this.#seen.set(id, view);
      live.forget({ parentId: id });
    }
  }
}

function entry({ id, name }: { id: string; name: string }): string {
  return `${id.toLowerCase()} ${name}`;
}

/** A list of the organization by parent; undefined: the server has none, or a senseless one. */
async function listed(
  client: Client,
  path: string,
  parentOf: (item: Parameters<typeof textIn>[0]) => string | undefined,
): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
  const items = await absentWhenNotFound(client.list(path)).catch((error: unknown) => {
    if (error instanceof ForbiddenError) return undefined;
    throw error;
  });
  if (!items) return undefined;
  const inventory = new Map<string, string[]>();
  for (const item of items) {
    if (!isFields(item)) return undefined;
    const [id, name, parentId] = [textIn(item, "id"), textIn(item, "name"), parentOf(item)];
    if (id === undefined || name === undefined || parentId === undefined) return undefined;
    const key = parentId.toLowerCase();
    inventory.set(key, [...(inventory.get(key) ?? []), entry({ id, name })]);
  }
  return inventory;
}
