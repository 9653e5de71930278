import { fromResponse } from "../fields/wire.ts";
import { type UnknownMember, unknownIn } from "../fields/unknown-members.ts";
import type { Fields } from "../../values/json.ts";
import type { Part } from "../parts/index.ts";
import type { Catalogue } from "../schema/catalogues.ts";
import type { FieldSchema } from "../schema/field-schema.ts";
import { withSecretsShown } from "../../secrets/index.ts";
import type {
  CloneStep,
  DeletionRules,
  FieldMistake,
  Form,
  JointDeployment,
  Listing,
  Names,
  PlannedChange,
  ResourceRequests,
  ResourceOutput,
  ServiceDeployment,
} from "./kind-members.ts";

/** Everything specific to a kind of resource. */
export interface KindDefinition {
  /** The name in manifests: `Job`. */
  name: string;
  /** A sentence for the documentation. */
  description: string;
  /** The kind of its parent; absent: the organization is the parent. */
  parent?: Kind;
  /**
   * `settings`: its resources always exist; a run only changes them. `reference`: fields name its resources; no document declares one. `data`: its resources belong to their parent; clones and dumps omit them, and no run prunes them. Absent: none of these.
   */
  use?: "settings" | "reference" | "data";
  /** Its resources cost money, or take down the services on them: writing one needs an approval that names it. */
  isInfrastructure?: true;
  /** The list of the organization with its resources, to which fields refer. */
  catalogue?: Catalogue;
  names?: Names;
  /** The fields of a manifest, without the name and the parent. The fields of a `Kind` include those of its parts. */
  fields: FieldSchema;
  form?: Form;
  /** The sorts of parts that its resources have. */
  parts: readonly Part[];
  /** Finds a mistake in a planned change that the schema cannot find, with advice. */
  problem?(change: PlannedChange): FieldMistake | undefined;
  /** Finds a valid but improbable value in a document, with the present fields of the resource or of its source. */
  doubt?(name: string, declared: Fields, live: Fields): FieldMistake | undefined;
  listing: Listing;
  requests: ResourceRequests;
  /** Absent: the kind cannot be cloned. */
  clone?: CloneStep;
  deletion?: DeletionRules;
  /** Absent: its resources are not deployed by themselves. */
  deployment?: ServiceDeployment;
  /** Absent: no contents of its resources are deployed together. */
  jointDeployment?: JointDeployment;
  /** Members of the API's answers that are outputs and not fields, each with its schema. */
  reports: Record<string, FieldSchema>;
  /** Members of answers that are neither fields nor outputs, and that no update sends, beside those of all kinds. */
  facts?: readonly string[];
  /** Whether the API's answers do not tell when a resource was created. */
  isUndated?: true;
  /** The outputs that follow from the fields before the API has answered; absent: none. */
  foreseen?(fields: Fields): Fields;
  /** The outputs that siblings of a resource can use, by their names in documents; absent: none. */
  outputs?: Readonly<Record<string, ResourceOutput>>;
  /** Path of the `password` of a resource, by its id; absent: none. */
  credentialsAt?(id: string): string;
  /** The member of the creation's answer with a value that is never shown again: it goes to the run's place for such values only. */
  shownOnce?: string;
  /** The fields of a resource that comes with the parent, by its name: it is not pruned, and no loss when the parent is deleted. */
  comesWithParent?(name: string): Fields | undefined;
}

/** A kind of resource: its definition and its derived names. */
export interface Kind extends KindDefinition {
  /** The name in addresses: `job`. */
  readonly slug: string;
  /** The manifest member that names the parent: `environment`; undefined: the organization is the parent. */
  readonly parentMember: string | undefined;
  /** The number of kinds above it: 0 for a project. */
  readonly depth: number;
}

export function defineKind(definition: KindDefinition): Kind {
  return {
    ...definition,
    fields: withPartMembers(definition),
    slug: definition.name.toLowerCase(),
    parentMember: definition.parent?.slug,
    depth: definition.parent ? definition.parent.depth + 1 : 0,
  };
}

function withPartMembers({ fields, parts }: KindDefinition): FieldSchema {
  const members = parts.flatMap(({ member, form }) =>
    form ? [[member, { ...form.schema, part: true as const }] as const] : [],
  );
  return members.length === 0
    ? fields
    : { ...fields, properties: { ...fields.properties, ...Object.fromEntries(members) } };
}

/** The form of a reference to a resource of a kind: `PROJECT/ENVIRONMENT`. */
export function referenceForm(kind: Kind): string {
  const own = kind.name.toUpperCase();
  return kind.parent ? `${referenceForm(kind.parent)}/${own}` : own;
}

/** Whether the path of requests for a resource contains the id of its parent. */
export function pathNamesParent({ requests }: Kind): boolean {
  return requests.one("own", "parent").includes("parent");
}

const factsOfAll =
  /^(?:id|name|object_type|created_at|updated_at|organization|project|environment|associated_\w+_count)$/;

/** Whether a member of an answer is known and no field: an update does not send it back. */
function isFact({ reports, facts = [], parentMember }: Kind, member: string): boolean {
  return (
    factsOfAll.test(member) ||
    Object.hasOwn(reports, member) ||
    facts.includes(member) ||
    member === `${parentMember}_id`
  );
}

/** The unknown members of a live resource at every depth: a PUT replaces the whole, so an update sends them back. */
export function unknownMembers(kind: Kind, response: Fields, desired: Fields): UnknownMember[] {
  const shown = kind.form?.inRequestForm?.(response) ?? response;
  return unknownIn(kind.fields, shown, desired).filter(
    ({ path: [member = "", ...inside] }) => inside.length > 0 || !isFact(kind, member),
  );
}

export function fieldsIn(kind: Kind, response: Fields): Fields {
  const shown = withSecretsShown(kind.fields, kind.form?.inRequestForm?.(response) ?? response);
  const fields = fromResponse(kind.fields, shown);
  return kind.form?.simplify?.(fields) ?? fields;
}
