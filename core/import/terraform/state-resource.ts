import { type Fields, isFields, type Json, own, textIn } from "../../json.ts";

/** A resource of the provider that a state of Terraform has. */
export interface StateResource {
  /** Its address in the state: `module.shop.qovery_job.nightly["a"]`. */
  address: string;
  /** Its type: `qovery_job`. */
  type: string;
  /** Whether the state manages it; otherwise it only reads it, as a data source. */
  isManaged: boolean;
  /** The id that the API gave it; undefined where the state has none. */
  id: string | undefined;
  attributes: Fields;
  /** The attributes that the state marks as sensitive. */
  sensitive: readonly string[];
  /** `tainted`: Terraform is going to replace it. `deposed`: it has replaced it, and is going to delete it. */
  condition?: "tainted" | "deposed";
}

/** The members of a Terraform state that are read. */
export interface TerraformState {
  /** The resources of the provider, in the order of the state. */
  resources: StateResource[];
  /** How many resources it manages of other types, by the type. */
  foreign: Map<string, number>;
}

/** Reports a mistake in a state with its place. */
export type ReportMistake = (place: string, message: string) => void;

/** The key of an instance of a resource with `count` or `for_each`: `[0]`, `["a"]`. */
function keyText(key: string | number | null): string {
  return key === null ? "" : `[${JSON.stringify(key)}]`;
}

/** The head of a resource in either form of a state; a mistake is reported and gives undefined. */
export function headOf(
  resource: Json,
  place: string,
  report: ReportMistake,
): { fields: Fields; type: string; name: string; isManaged: boolean } | undefined {
  if (!isFields(resource)) return void report(place, "is not an object");
  const [type, name, mode] = ["type", "name", "mode"].map((member) => textIn(resource, member));
  if (type === undefined || name === undefined) return void report(place, "has no type or no name");
  if (mode !== "managed" && mode !== "data")
    return void report(place, "has a mode that is neither managed nor data");
  return { fields: resource, type, name, isManaged: mode === "managed" };
}

/** The key of an instance, as `keyText` writes it; undefined, and reported, for another value. */
export function keyIn(
  fields: Fields,
  member: string,
  place: string,
  report: ReportMistake,
): string | undefined {
  const key = own(fields, member) ?? null;
  if (key === null || typeof key === "string" || typeof key === "number") return keyText(key);
  return void report(`${place}.${member}`, "is neither a text nor a number");
}

/** The id of a resource, without which nothing can be done with it; a data source may have none. */
export function idIn(
  attributes: Fields,
  place: string,
  isNeeded: boolean,
  report: ReportMistake,
): string | undefined {
  const id = own(attributes, "id");
  if (typeof id === "string" && id !== "") return id;
  if (isNeeded) report(`${place}.id`, id === undefined ? "is missing" : "is not a text with something in it");
  return undefined;
}
