import { type Fields, isFields, type Json, mapFields, own, setOwn } from "../../json.ts";
import type { Kind } from "../../kinds/index.ts";
import { statedParts } from "../../parts/index.ts";
import { secretsInFields, withSources } from "../../secrets/index.ts";
import type { OpenCredential } from "../../rules/credentials.ts";
import { keysIn, placeOfSecret } from "./attributes.ts";
import type { Managed } from "./managed.ts";
import { resourceType, useOfAttribute } from "./resource-types.ts";
import type { TerraformState } from "./state-resource.ts";

/** A secret whose value somebody has to bring to the place that its document names. */
export interface SecretToFill {
  /** The environment variable that the document names. */
  variable: string;
  /** The resource: `job:shop/staging/migrate`. */
  address: string;
  /** The path of the field: `secrets.SMTP_PASSWORD`. */
  field: string;
  /** The address of the resource in the state. */
  state: string;
  /** The attribute that has the value in plain text; undefined where the state has no value. */
  attribute: string | undefined;
}

/** A value that is in the state, in plain text, and in no manifest. */
export interface HeldSecret {
  /** The address of the resource in the state. */
  state: string;
  attribute: string;
}

/** Names of environment variables, each given once. */
export class NamedSources {
  readonly #taken = new Set<string>();

  /** A source of a name of its own: `SHOP_STAGING_JOB_MIGRATE_SMTP_PASSWORD`. */
  next(parts: readonly string[]): { from_env: string } {
    const name = parts
      .join("_")
      .toUpperCase()
      .replaceAll(/[^A-Z\d]+/g, "_")
      .replaceAll(/^_+|_+$/g, "")
      .replace(/^(?=\d)/, "_");
    let free = name;
    for (let count = 2; this.#taken.has(free); count += 1) free = `${name}_${count}`;
    this.#taken.add(free);
    return { from_env: free };
  }
}

/** The stated fields of a resource with a source for each of its secrets, and the values to fill in. */
export function sourcesOf(
  {
    resource,
    kind,
    names,
    address,
  }: {
    resource: Managed;
    kind: Kind;
    names: readonly string[];
    address: string;
  },
  stated: Fields,
  sources: NamedSources,
): { fields: Fields; secrets: SecretToFill[] } {
  const { known, attributes, address: state } = resource;
  const prefix = [...names.slice(0, -1), kind.slug, ...names.slice(-1)];
  const fields = withSources(kind.fields, stated, (path) => sources.next([...prefix, ...path]), "hidden");
  const secrets = secretsInFields(kind.fields, fields).map(({ path, reference }): SecretToFill => ({
    variable: String(reference["from_env"]),
    address,
    field: path.join(".").replaceAll(".[", "["),
    ...placeInState(resource, path),
  }));
  for (const { member, form } of statedParts(kind)) {
    const entries = own(fields, member);
    if (!form.isWriteOnly || !isFields(entries)) continue;
    const places = keysIn(known, attributes, member);
    const sourced = mapFields(entries, (entry, key) => {
      const source = sources.next([...prefix, key]);
      secrets.push({
        variable: source.from_env,
        address,
        field: `${member}.${key}`,
        state,
        attribute: places.get(key),
      });
      return { ...source, ...(isFields(entry) && entry) };
    });
    setOwn(fields, member, sourced);
  }
  return { fields, secrets };
}

/** Where the state has the value of a secret: in the resource itself, or in one that is a member of its document. */
function placeInState(
  { known, attributes, address, members }: Managed,
  [member = "", ...inside]: readonly string[],
): Pick<SecretToFill, "state" | "attribute"> {
  const beside = members.find((each) => each.known.member === member);
  const attribute = own(beside?.known.secrets ?? {}, inside.join("."));
  if (!beside || attribute === undefined)
    return { state: address, attribute: placeOfSecret(known, attributes, [member, ...inside]) };
  const { address: state, attributes: its } = beside.resource;
  return { state, attribute: textAt(its, attribute.split(".")) === undefined ? undefined : attribute };
}

function textAt(fields: Fields, [member = "", ...inside]: readonly string[]): string | undefined {
  const value = own(fields, member) ?? null;
  if (inside.length > 0) return isFields(value) ? textAt(value, inside) : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The values that a state marks as sensitive, or that are known to be. */
export function heldSecrets({ resources }: TerraformState): HeldSecret[] {
  return resources
    .filter(({ isManaged }) => isManaged)
    .flatMap(({ address, type, attributes, sensitive }) => {
      const known = resourceType(type);
      const names = new Set([...sensitive, ...("heldSecrets" in known ? known.heldSecrets : [])]);
      const inside = "secrets" in known ? Object.values(known.secrets) : [];
      return [...names]
        .filter((attribute) => isThere(attributes, attribute))
        .concat(inside.filter((attribute) => textAt(attributes, attribute.split(".")) !== undefined))
        .map((attribute) => ({ state: address, attribute }));
    });
}

function isThere(attributes: Fields, attribute: string): boolean {
  const value = own(attributes, attribute) ?? null;
  if (typeof value === "object") return value !== null && Object.keys(value).length > 0;
  return value !== "";
}

/** A text that a state holds as a secret, and where. */
interface SecretText {
  text: string;
  /** `the password of qovery_database.orders` */
  what: string;
}

/** Shorter texts, such as `root`, stand in values that are no secrets. */
const shortestSecret = 8;

/** The texts of the secrets of all resources of a state. */
export function secretTexts(state: TerraformState): SecretText[] {
  const held = Map.groupBy(heldSecrets(state), (each) => each.state);
  return state.resources.flatMap(({ address, type, attributes }) => {
    const known = resourceType(type);
    // A configuration may mark a name too, which stands in other values.
    const isSecret = (attribute: string) =>
      !("kind" in known) ||
      known.heldSecrets.includes(attribute) ||
      useOfAttribute(known, attribute) === "unknown";
    const names = new Set([
      ...(held.get(address) ?? []).map(({ attribute }) => attribute).filter(isSecret),
      ...Object.keys(attributes).filter((attribute) => attribute.startsWith("secret")),
    ]);
    return [...names].flatMap((attribute) =>
      textsIn(own(attributes, attribute) ?? textAt(attributes, attribute.split(".")) ?? null)
        .filter((text) => text.length >= shortestSecret)
        .map((text) => ({ text, what: `the ${attribute} of ${address}` })),
    );
  });
}

/** The texts of a value that are secrets: of an entry with a key, its value. */
function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isFields(value)) return [];
  return Object.hasOwn(value, "key")
    ? textsIn(value["value"] ?? null)
    : Object.values(value).flatMap(textsIn);
}

/** What has a secret of the state in it, and the fields without those that have it beside the entries of parts. */
export function withoutSecretTexts(
  { fields: schema }: Kind,
  fields: Fields,
  secrets: readonly SecretText[],
): { fields: Fields; found: OpenCredential[] } {
  const found: OpenCredential[] = [];
  const kept = (value: Json, path: string[]): Json | undefined => {
    const texts = allTextsIn(value);
    const its = secrets.find(({ text }) => texts.some((each) => each.includes(text)));
    if (its) found.push({ path, what: its.what });
    // A secret can stand in the place of an entry.
    return its && path.length === 1 ? undefined : value;
  };
  const left = mapFields(fields, (value, member) =>
    schema.properties?.[member]?.entries && isFields(value)
      ? mapFields(value, (entry, key) => kept(entry, [member, key]))
      : kept(value, [member]),
  );
  return { fields: left, found };
}

function allTextsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(allTextsIn) : [];
}
