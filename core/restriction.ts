import { type AnyAddress, formatReference } from "./address.ts";
import type { Kind } from "./kinds/index.ts";
import type { Position } from "./problem.ts";
import { nearest } from "./schema/suggest.ts";

/** A statement of a file that restricts runs, or that says something about resources that it does not describe. */
export interface Restriction {
  /** `protect "shop/production/**"`. */
  title: string;
  position?: Position | undefined;
  /** Whether it is about the resource of an address. */
  matches(address: AnyAddress): boolean;
  /** Whether it may be about something inside the resource with these names; absent: only what is described counts. */
  looksInside?(names: readonly string[]): boolean;
  /** Whether it names a kind, also by a part of its name. */
  namesKind?(kind: Kind): boolean;
  /** Its names without what a wildcard stands for: `shop/production`. */
  names?: string;
  /** What is missing, if that is not a resource. */
  idle?: string;
  /** What follows where it matches nothing; absent: `has no effect`. */
  effect?: string;
  /** It is about several runs, of which each describes a part: only what restricts nothing in all of them has no effect. */
  isShared?: true;
  /** When it ends, in milliseconds since 1970: only then it has no effect. Absent: never. */
  until?: number;
}

/** A note about a restriction that restricts nothing. */
export interface IdleNote {
  code: "idle_restriction";
  message: string;
  /** Another run may have what it is about. */
  isShared?: true;
}

/**
 * A note for each restriction that restricts nothing: a mistyped one would protect nothing and forbid nothing, and nobody
 * would know.
 */
export function idleRestrictions(
  restrictions: readonly Restriction[],
  {
    addresses,
    isLive,
    now,
    mayMatchMore,
  }: {
    /** The addresses of what is described and of what is live. */
    addresses: readonly AnyAddress[];
    /** Whether live resources have been read. */
    isLive: boolean;
    /** Milliseconds since 1970. */
    now: number;
    /** Whether there may be live resources, which have not been read, that a restriction is about. */
    mayMatchMore?(restriction: Restriction): boolean;
  },
): IdleNote[] {
  const noteOn = (
    { title, position, effect = "has no effect", isShared }: Restriction,
    why: string,
    near?: string,
  ): IdleNote => {
    const where = position ? ` (${position.file}:${position.line})` : "";
    // What is near differs between runs, and they are compared by their messages.
    const meant = near === undefined || isShared ? "" : `; did you mean ${near}?`;
    const message = `${title}${where} ${effect}: ${why}${meant}`;
    return { code: "idle_restriction", message, ...(isShared && { isShared }) };
  };
  return restrictions.flatMap((each) => {
    const { idle, looksInside, until } = each;
    if (until !== undefined)
      return until > now ? [] : [noteOn(each, `it ended at ${new Date(until).toISOString()}`)];
    if (addresses.some((address) => each.matches(address)) || mayMatchMore?.(each) === true) return [];
    const described = `it matches nothing that is described${isLive && looksInside ? " or live" : ""}`;
    return [noteOn(each, idle ?? described, nearestTo(each, addresses))];
  });
}

/** The names most like those of a restriction, of as many names. */
function nearestTo({ names }: Restriction, addresses: readonly AnyAddress[]): string | undefined {
  if (names === undefined) return undefined;
  const { length } = names.split("/");
  const references = addresses.map((address) => formatReference(address.names.slice(0, length)));
  return nearest(names, [...new Set(references)]);
}
