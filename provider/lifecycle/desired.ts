import type { Address } from "../../core/address.ts";
import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../core/kinds/index.ts";
import type { LiveResource } from "../../core/live/index.ts";
import { type Desired, emptyDesired, type Lifetime, lifetimeOf } from "../../core/manifest/index.ts";
import { entriesIn, expiryKey, markMember, withMark } from "../../core/parts/index.ts";
import { ignores } from "./ignored.ts";
import type { StatedInputs } from "./inputs.ts";
import type { RememberedInputs } from "./outputs.ts";
import { withChangedValues } from "./parts.ts";
import { withResets } from "./shape.ts";

/** What a program says of a resource beside its inputs. */
interface Place {
  above: readonly LiveResource[];
  /** The resource that it is in the state, or that it takes over. */
  existing?: { id: string; name: string };
  /** The source of a clone. */
  source?: Address;
  expires?: Lifetime | undefined;
  /** Names of others that are like it and are not meant. */
  beside?: string[];
  /** Whether its deletion may take what it contains. */
  mayEmpty?: boolean;
}

/**
 * The document of a resource of a program.
 *
 * @param stated the fields that it states, in manifest form
 */
export function desiredOf(
  kind: Kind,
  { name: wanted, ignored }: Pick<StatedInputs, "name" | "ignored">,
  stated: Fields,
  { above, existing, source, expires, beside, mayEmpty }: Place,
): Desired {
  const name = existing && ignores(ignored, "name") ? existing.name : wanted;
  return {
    ...emptyDesired({ kind, names: [...above.map((each) => each.name), name] }),
    stated,
    ignored,
    manage: {
      ...(existing && { id: existing.id }),
      ...(beside && { beside }),
      ...(mayEmpty && { prune: true }),
    },
    cloneFrom: source,
    expires,
  };
}

/**
 * The fields to state of a resource that exists: the stated ones, and null for those that the program no longer states, which
 * resets them, except on a clone, where such fields stay. A secret whose value is another than the last one is written again.
 */
export function statedOver(
  kind: Kind,
  memory: RememberedInputs,
  { fields, expiresAfter }: Pick<StatedInputs, "fields" | "expiresAfter">,
  live: Fields,
): Fields {
  const whole =
    memory.cloneFrom === undefined ? withResets(kind.fields, fields, memory.shape) : { ...fields };
  if (memory.expiresAt !== undefined && expiresAfter === undefined)
    whole[markMember] = { ...entriesIn(fields, markMember), [expiryKey]: null };
  return withChangedValues(kind, whole, live);
}

/** How long a resource may exist, since it was made or the program first said so; undefined where the program has not made it as a clone. */
export function lifetimeIn(
  { cloneFrom, adopt, expiresAt }: RememberedInputs,
  stated: Pick<StatedInputs, "expiresAfter">,
  now: number,
): Lifetime | undefined {
  const lifetime = cloneFrom === undefined || adopt ? undefined : lifetimeOf(stated.expiresAfter);
  return lifetime && expiresAt === undefined ? { ...lifetime, since: now } : lifetime;
}

/** A resource with the variable that says when it ends: its state has the end, but not the variable. */
export function withRememberedEnd(
  resource: LiveResource,
  { expiresAfter, expiresAt }: RememberedInputs,
): LiveResource {
  if (expiresAt === undefined) return resource;
  const mark = { value: expiresAt, lifetime: expiresAfter ?? "", name: resource.name };
  return { ...resource, fields: withMark(resource.fields, mark) };
}
