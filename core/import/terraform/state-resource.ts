import { type Fields, own } from "../../json.ts";

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

/** What a state of Terraform has. */
export interface TerraformState {
  /** The resources of the provider, in the order of the state. */
  resources: StateResource[];
  /** How many resources it manages of other types, by the type. */
  foreign: Map<string, number>;
}

/** Says what is wrong with a state, and where in it. */
export type ReportMistake = (place: string, message: string) => void;

/** The key of an instance of a resource with `count` or `for_each`: `[0]`, `["a"]`. */
export function keyText(key: string | number | null): string {
  return key === null ? "" : `[${JSON.stringify(key)}]`;
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
