import { type Kind, kindCalled } from "../kinds/index.ts";
import { nameKey } from "./names.ts";

/** Identifies a resource: its kind, and the names from its project down to its own. */
export interface Address {
  kind: Kind;
  names: readonly string[];
}

/** The address of any resource on the server, also of a type without a kind. */
export interface AnyAddress {
  kind: Pick<Kind, "slug" | "name">;
  names: readonly string[];
}

/** A name as a part of a reference: `/` is written `%2F`. */
export function encodeName(name: string): string {
  return name.includes("/") || name.includes("%")
    ? name.replace(/%(?=2f|25)/gi, "%25").replaceAll("/", "%2F")
    : name;
}

/** The name in a part of a reference: `%2F` becomes `/`. */
export function decodeName(part: string): string {
  return part.replace(/%2f/gi, "/").replace(/%25/g, "%");
}

/** The names in a reference such as `shop/staging`, decoded: `["shop", "staging"]`. */
export function parseReference(reference: string): string[] {
  return reference.split("/").map(decodeName);
}

/** Names as a reference: `shop/staging/nightly-report`. */
export function formatReference(names: readonly string[]): string {
  return names.map(encodeName).join("/");
}

/** An address as in flags, plans and JSON: `job:shop/staging/nightly-report`. */
export function formatAddress(address: AnyAddress): string {
  return `${address.kind.slug}:${formatReference(address.names)}`;
}

/** An address as in sentences: `Job shop/staging/nightly-report`. */
export function describeAddress(address: AnyAddress): string {
  return `${address.kind.name} ${formatReference(address.names)}`;
}

/** A key that is equal for all addresses of the same resource, because names are case insensitive. */
export function addressKey(address: AnyAddress): string {
  return nameKey(formatAddress(address));
}

/** The name of the resource itself. */
export function nameOf({ names }: AnyAddress): string {
  return names.at(-1) ?? "";
}

/** The address of the parent of a resource; undefined where that is the organization. */
export function parentAddress(address: Address): Address | undefined {
  const { parent } = address.kind;
  return parent && { kind: parent, names: address.names.slice(0, -1) };
}

/** Reads an address such as `job:shop/staging/nightly-report`; undefined if the text is not an address of a known kind. */
export function parseAddress(text: string): Address | undefined {
  const colon = text.indexOf(":");
  const kind = kindCalled(text.slice(0, Math.max(colon, 0)));
  const names = parseReference(text.slice(colon + 1));
  return kind && names.length === kind.depth + 1 && !names.includes("") ? { kind, names } : undefined;
}

/** Reads an address such as `database:shop/staging/db`, also of a type without a kind. */
export function parseAnyAddress(text: string): AnyAddress {
  const slug = text.slice(0, Math.max(text.indexOf(":"), 0));
  return parseAddress(text) ?? foreignAddress(slug, parseReference(text.slice(slug.length + 1)));
}

/** The address of a service of a type without a kind, such as `database`. */
export function foreignAddress(slug: string, names: readonly string[]): AnyAddress {
  return { kind: { slug, name: slug }, names };
}

/** The address of a resource inside a parent. */
export function childAddress(parent: Address, kind: Kind, name: string): Address {
  return { kind, names: [...(parent.kind.use === "settings" ? [] : parent.names), name] };
}
