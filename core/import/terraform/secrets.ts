import { type Fields, isFields, mapFields, own, setOwn } from "../../json.ts";
import type { Kind } from "../../kinds/index.ts";
import { statedParts } from "../../parts/index.ts";
import { secretsInFields, withSources } from "../../secrets/index.ts";
import { keysIn, placeOfSecret } from "./attributes.ts";
import type { Managed } from "./managed.ts";
import { resourceType } from "./resource-types.ts";
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

interface Sourced {
  resource: Managed;
  kind: Kind;
  names: readonly string[];
  address: string;
}

/** The stated fields of a resource with a source for each of its secrets, and the values to fill in. */
export function sourcesOf(
  { resource, kind, names, address }: Sourced,
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
