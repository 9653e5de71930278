import { type AnyAddress, formatReference } from "./address.ts";
import { fitsName } from "../../values/glob.ts";
import type { Kind } from "../kinds/index.ts";
import { nameKey } from "./names.ts";
import type { Position } from "../../problems/problem.ts";
import { nearest } from "../schema/suggest.ts";

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
  /** Its names, with wildcards: `shop/prod-*`. */
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
    if (addresses.some((address) => each.matches(address))) return [];
    const near = nearestTo(each, addresses);
    const isOpen = mayMatchMore?.(each) === true;
    // Of another run, it may be right: only what looks like a slip is told.
    if (isOpen && near === undefined) return [];
    const further = isOpen ? " or was read" : isLive && looksInside ? " or live" : "";
    return [noteOn(each, idle ?? `it matches nothing that is declared${further}`, near)];
  });
}

/** The names that a restriction may have meant: like its own, and those of a resource. */
function nearestTo({ names }: Restriction, addresses: readonly AnyAddress[]): string | undefined {
  if (names === undefined) return undefined;
  const parts = names.split("/");
  const open = parts.indexOf("**");
  const own = open === -1 ? parts : parts.slice(0, open);
  const meant = addresses.flatMap((address) => {
    const theirs = formatReference(address.names).split("/");
    const near = own.map((part, index) => {
      const their = theirs[index] ?? "";
      return fitsName(nameKey(part), nameKey(their)) ? part : nearest(part, [their]);
    });
    return near.includes(undefined) ? [] : near.join("/");
  });
  return nearest(own.join("/"), new Set(meant.filter((each) => each !== own.join("/"))));
}
