import { type Kind, kindCalled } from "../kinds/index.ts";
import { nameKey } from "./names.ts";

/** A kind, and the names from the project down to the resource. */
export interface Address {
  kind: Kind;
  names: readonly string[];
}

/** The address of any live resource, also of an unknown type. */
export interface AnyAddress {
  kind: Pick<Kind, "slug" | "name">;
  names: readonly string[];
}

/** `/` becomes `%2F`. */
export function encodeName(name: string): string {
  return name.includes("/") || name.includes("%")
    ? name.replace(/%(?=2f|25)/gi, "%25").replaceAll("/", "%2F")
    : name;
}

/** `%2F` becomes `/`. */
export function decodeName(part: string): string {
  return part.replace(/%2f/gi, "/").replace(/%25/g, "%");
}

/** The decoded names of a reference: `["shop", "staging"]` of `shop/staging`. */
export function parseReference(reference: string): string[] {
  return reference.split("/").map(decodeName);
}

/** `shop/staging/nightly-report`. */
export function formatReference(names: readonly string[]): string {
  return names.map(encodeName).join("/");
}

/** As in flags, plans and JSON: `job:shop/staging/nightly-report`. */
export function formatAddress(address: AnyAddress): string {
  return `${address.kind.slug}:${formatReference(address.names)}`;
}

/** As in sentences: `Job shop/staging/nightly-report`. */
export function describeAddress(address: AnyAddress): string {
  return `${address.kind.name} ${formatReference(address.names)}`;
}

/** Equal for all addresses of the same resource, because names are case insensitive. */
export function addressKey(address: AnyAddress): string {
  return nameKey(formatAddress(address));
}

export function nameOf({ names }: AnyAddress): string {
  return names.at(-1) ?? "";
}

/** Undefined: the parent is the organization. */
export function parentAddress(address: Address): Address | undefined {
  const { parent } = address.kind;
  return parent && { kind: parent, names: address.names.slice(0, -1) };
}

/** The key of the parent; empty: the organization. */
export function parentKey(address: Address): string {
  const parent = parentAddress(address);
  return parent ? addressKey(parent) : "";
}

/** The addresses of all parents, from the nearest up. */
export function parentsOf(address: Address): Address[] {
  const parent = parentAddress(address);
  return parent ? [parent, ...parentsOf(parent)] : [];
}

/** Reads `job:shop/staging/nightly-report`; undefined if the text is not an address of a known kind. */
export function parseAddress(text: string): Address | undefined {
  const colon = text.indexOf(":");
  const kind = kindCalled(text.slice(0, Math.max(colon, 0)));
  const names = parseReference(text.slice(colon + 1));
  return kind && names.length === kind.depth + 1 && !names.includes("") ? { kind, names } : undefined;
}

/** Reads `database:shop/staging/db`, also of an unknown type. */
export function parseAnyAddress(text: string): AnyAddress {
  const slug = text.slice(0, Math.max(text.indexOf(":"), 0));
  return parseAddress(text) ?? foreignAddress(slug, parseReference(text.slice(slug.length + 1)));
}

/** The address of a service of an unknown type, such as `database`. */
export function foreignAddress(slug: string, names: readonly string[]): AnyAddress {
  return { kind: { slug, name: slug }, names };
}

export function childAddress(parent: Address, kind: Kind, name: string): Address {
  return { kind, names: [...(parent.kind.use === "settings" ? [] : parent.names), name] };
}
