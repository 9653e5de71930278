import { type Fields, isFields, type Json, own } from "../../json.ts";
import type { LeftOutReason } from "./managed.ts";
import { type AttributeUse, type ResourceType, useOfAttribute } from "./resource-types.ts";

/** The members of documents that state something of these attributes. */
export function membersUsed(type: ResourceType, attributes: Fields): Set<string> {
  return new Set(
    usesOf(type, attributes).flatMap(({ use }) =>
      typeof use === "object" && "member" in use ? [use.member] : [],
    ),
  );
}

/** The attributes that have a value that no manifest can state. */
export function lostAttributes(
  type: ResourceType,
  attributes: Fields,
): ({ attribute: string } & LeftOutReason)[] {
  return usesOf(type, attributes).flatMap(({ attribute, use }) => {
    if (use === "unknown")
      return [
        {
          attribute,
          why: "this version of infrasync does not know the attribute",
          advice: "check the manifest against what the server says",
        },
      ];
    return typeof use === "object" && "why" in use
      ? [
          {
            attribute,
            why: use.why,
            advice: "it stays unchanged, because infrasync changes only stated fields",
          },
        ]
      : [];
  });
}

function usesOf(type: ResourceType, attributes: Fields): { attribute: string; use: AttributeUse }[] {
  return Object.keys(attributes)
    .filter((attribute) => saysSomething(own(attributes, attribute) ?? null))
    .map((attribute) => ({ attribute, use: useOfAttribute(type, attribute) }));
}

function saysSomething(value: Json): boolean {
  if (value === null || value === false || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/** The attributes that a member of documents states. */
export function attributesOf(type: ResourceType, attributes: Fields, member: string): string[] {
  return usesOf(type, attributes).flatMap(({ attribute, use }) =>
    typeof use === "object" && "member" in use && use.member === member ? [attribute] : [],
  );
}

/** The keys that the attributes of a member list: those of its secrets. */
export function keysIn(type: ResourceType, attributes: Fields, member: string): Map<string, string> {
  const keys = new Map<string, string>();
  for (const attribute of attributesOf(type, attributes, member))
    for (const key of listedKeys(own(attributes, attribute) ?? null))
      keys.set(key, `${attribute}[${JSON.stringify(key)}].value`);
  return keys;
}

function listedKeys(value: Json): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry) => {
    const key = isFields(entry) ? own(entry, "key") : undefined;
    return typeof key === "string" ? [key] : [];
  });
}

/**
 * Where the state has the value that a field of a document gets from elsewhere: `config.password`. Undefined where the
 * state has none.
 *
 * @param path of the field; elements of lists are written `[LABEL]`
 */
export function placeOfSecret(
  type: ResourceType,
  attributes: Fields,
  path: readonly string[],
): string | undefined {
  const [member = "", ...inside] = path;
  for (const attribute of attributesOf(type, attributes, member)) {
    const place = placeInside(own(attributes, attribute) ?? null, inside);
    if (place !== undefined) return [attribute, ...place].join(".").replaceAll(".[", "[");
  }
  return undefined;
}

/** The path to the value inside an attribute, as far as its form there is the same; undefined where there is none. */
function placeInside(value: Json, path: readonly string[]): string[] | undefined {
  const [member, ...inside] = path;
  if (member === undefined) return saysSomething(value) ? [] : undefined;
  if (isFields(value)) {
    const inner = own(value, member);
    if (inner === undefined) return undefined;
    const place = placeInside(inner, inside);
    return place && [member, ...place];
  }
  if (!Array.isArray(value)) return undefined;
  // A list of entries with keys or names; members between the attribute and the list have no counterpart in the state.
  const label = [member, ...inside].find((part) => part.startsWith("["))?.slice(1, -1);
  const rest = path.slice(path.findIndex((part) => part.startsWith("[")) + 1);
  const index = value.findIndex(
    (entry) => isFields(entry) && [entry["key"], entry["name"]].includes(label ?? null),
  );
  if (label === undefined || index === -1) return undefined;
  const place = rest.length === 0 ? ["value"] : placeInside(value[index] ?? null, rest);
  return place && [`[${JSON.stringify(label)}]`, ...place];
}
