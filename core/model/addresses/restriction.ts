import { type AnyAddress, formatReference } from "./address.ts";
import { fitsName } from "../../values/glob.ts";
import type { Kind } from "../kinds/index.ts";
import { nameKey } from "./names.ts";
import type { Pattern } from "./pattern.ts";
import type { Position } from "../../problems/problem.ts";
import { nearest } from "../schema/suggest.ts";

/** An entry of a file that restricts runs, or names resources without declaring them. */
export interface Restriction extends Pick<Pattern, "matches"> {
  /** `protect "shop/production/**"`. */
  title: string;
  position?: Position | undefined;
  /** Whether it may apply to contents of the resource with these names; absent: only declared ones count. */
  readsInside?(names: readonly string[]): boolean;
  /** Whether it names a kind, also partly. */
  namesKind?(kind: Pick<Kind, "slug">): boolean;
  /** Its names, with wildcards: `shop/prod-*`. */
  names?: string;
  /** The missing thing, if not a resource. */
  idle?: string;
  /** The consequence of matching nothing; absent: `has no effect`. */
  effect?: string;
  /** It applies to several runs, each with a part of the documents: it has no effect only if it matches in none. */
  isShared?: true;
  /** When it ends, in milliseconds since 1970, and then has no effect. Absent: never. */
  until?: number;
}

/** A note for each restriction that matches nothing: a mistyped one would protect or forbid nothing, unnoticed. */
export function idleRestrictions(
  restrictions: readonly Restriction[],
  {
    addresses,
    isLive,
    now,
    mayMatchMore,
  }: {
    /** The declared and the live addresses. */
    addresses: readonly AnyAddress[];
    /** Whether live resources have been read. */
    isLive: boolean;
    /** Milliseconds since 1970. */
    now: number;
    /** Whether unread live resources may match a restriction. */
    mayMatchMore?(restriction: Restriction): boolean;
  },
) {
  const noteOn = (
    { title, position, effect = "has no effect", isShared }: Restriction,
    why: string,
    near?: string,
  ) => {
    const where = position ? ` (${position.file}:${position.line})` : "";
    // Runs are compared by their messages, and the nearest name differs between runs.
    const meant = near === undefined || isShared ? "" : `; did you mean ${near}?`;
    const message = `${title}${where} ${effect}: ${why}${meant}`;
    return { code: "idle_restriction" as const, message, ...(isShared && { isShared }) };
  };
  return restrictions.flatMap((each) => {
    const { idle, readsInside, until } = each;
    if (until !== undefined)
      return until > now ? [] : [noteOn(each, `it ended at ${new Date(until).toISOString()}`)];
    if (addresses.some((address) => each.matches(address))) return [];
    const near = nearestTo(each, addresses);
    const isOpen = mayMatchMore?.(each) === true;
    // It may match in another run: only a probable typing mistake is reported.
    if (isOpen && near === undefined) return [];
    const further = isOpen ? " or read" : isLive && readsInside ? " or live" : "";
    return [noteOn(each, idle ?? `it matches no declared${further} resource`, near)];
  });
}

/** The similar names that a restriction may mean. */
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
