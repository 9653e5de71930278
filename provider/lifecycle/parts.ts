import { type Fields, isFields, own } from "../../core/json.ts";
import { type LiveResource, readParts } from "../../core/live/index.ts";
import { ownPartFields, statedParts } from "../../core/parts/index.ts";
import type { Memory } from "./outputs.ts";
import type { ProviderSession } from "./session.ts";

/** A live resource with what hangs on it among its fields, of that only what the program states: no more is remembered. */
export function withStatedParts(
  live: LiveResource,
  parts: Fields | undefined,
  { shape }: Memory,
): LiveResource {
  if (!parts || !isFields(shape)) return live;
  const fields: Fields = { ...live.fields };
  for (const { member } of statedParts(live.kind)) {
    const stated = own(shape, member);
    const entries = own(parts, member);
    if (isFields(stated) && isFields(entries))
      fields[member] = Object.fromEntries(
        Object.entries(entries).filter(([key]) => Object.hasOwn(stated, key)),
      );
  }
  return { ...live, fields };
}

/** The same, read: one request where the program states some of it, and none else. */
export async function readStatedParts(
  session: ProviderSession,
  live: LiveResource,
  memory: Memory,
): Promise<LiveResource> {
  const { shape } = memory;
  const isStated =
    isFields(shape) && statedParts(live.kind).some(({ member }) => Object.hasOwn(shape, member));
  const entries = isStated ? await readParts(session.client, live) : undefined;
  return entries ? withStatedParts(live, ownPartFields(live.kind, entries), memory) : live;
}
