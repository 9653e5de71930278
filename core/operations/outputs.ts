import type { Fields } from "../json.ts";
import { outputsUsed, type OutputSource } from "../kinds/index.ts";
import type { LiveResource, LivePartOwner } from "../live/index.ts";
import type { Run } from "./run.ts";
import { OperationError } from "./errors.ts";
import { findByName, type ResourcePlace } from "./find.ts";

/**
 * The siblings of which stated parts use outputs: what this run has made is known, another list is read at most.
 *
 * @throws OperationError `gone` or `twins`
 */
export async function sourcesOf(run: Run, owner: LivePartOwner, stated: Fields): Promise<OutputSource[]> {
  const places = new Map(
    outputsUsed(owner.kind, stated).map(({ kind, name }): [string, ResourcePlace] => [
      `${kind.slug}:${name}`,
      { kind, name, parentId: owner.parentId },
    ]),
  );
  const sources: OutputSource[] = [];
  for (const [text, place] of places) {
    const { id } = (await find(run, place)) ?? missing(text);
    sources.push({ kind: place.kind, name: place.name, id });
  }
  return sources;
}

async function find(run: Run, place: ResourcePlace): Promise<LiveResource | undefined> {
  const { kind, parentId } = place;
  const known = await run.live.listOf(run.client, kind, parentId);
  return findByName(place, known) ?? findByName(place, await run.freshLists.readList(kind, parentId));
}

function missing(text: string): never {
  throw new OperationError("gone", `${text}, whose output is needed, does not exist any more`, {
    remedies: [{ again: "plan" }],
  });
}
