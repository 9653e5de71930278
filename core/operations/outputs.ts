import type { Fields } from "../json.ts";
import { outputsUsed, type OutputSource } from "../kinds/outputs.ts";
import type { LiveResource, PartOwner } from "../live/index.ts";
import type { OperationContext } from "./context.ts";
import { OperationError } from "./errors.ts";
import { findByName, type Place } from "./find.ts";

/**
 * The siblings of which stated parts use outputs: what this run has made is known, another list is read at most.
 *
 * @throws OperationError `gone` or `twins`
 */
export async function sourcesOf(
  context: OperationContext,
  owner: PartOwner,
  stated: Fields,
): Promise<OutputSource[]> {
  const places = new Map(
    outputsUsed(owner.kind, stated).map(({ kind, name }): [string, Place] => [
      `${kind.slug}:${name}`,
      { kind, name, parentId: owner.parentId },
    ]),
  );
  const sources: OutputSource[] = [];
  for (const [text, place] of places) {
    const { id } = (await find(context, place)) ?? missing(text);
    sources.push({ kind: place.kind, name: place.name, id });
  }
  return sources;
}

async function find(context: OperationContext, place: Place): Promise<LiveResource | undefined> {
  const { kind, parentId } = place;
  const known = await context.live.listOf(context.client, kind, parentId);
  return findByName(place, known) ?? findByName(place, await context.looks.lookInList(kind, parentId));
}

function missing(text: string): never {
  throw new OperationError("gone", `there is no ${text} any more, of which an output is wanted`, {
    remedies: [{ again: "plan" }],
  });
}
