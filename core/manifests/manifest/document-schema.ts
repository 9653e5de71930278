import { holdsServices, type Kind, kindsPrunedIn, referenceForm } from "../../model/kinds/index.ts";
import { declaredParts } from "../../model/parts/index.ts";
import { flag, list, object, text, wholeNumber, withoutDefault, word } from "../../model/schema/field.ts";
import { type FieldSchema, schemaFor } from "../../model/schema/field-schema.ts";
import { mapValues, once } from "../../values/json.ts";

/** Whether a member belongs to the document and is not a field of the resource. */
export function isOwnMember(kind: Kind, member: string): boolean {
  return Object.hasOwn(envelopeOf(kind), member);
}

/** The schema of a document of a kind: its fields and the other members. It has no nulls that reset fields. */
export function documentSchema(kind: Kind): FieldSchema {
  const { properties, required = [], ...rest } = schemaFor(kind.fields, "document");
  return {
    ...rest,
    description: kind.description,
    properties: { ...envelopeOf(kind), ...properties },
    required: ["kind", ...(kind.parentMember === undefined ? [] : [kind.parentMember]), "name", ...required],
  };
}

const envelopeOf = once((kind: Kind): Record<string, FieldSchema> => {
  const { parent, parentMember } = kind;
  return {
    kind: text("Kind of the resource.", { enum: [kind.name] }),
    ...(parent &&
      parentMember !== undefined && {
        [parentMember]: text(
          `${parent.name} that holds it: ${referenceForm(parent)}. A \`/\` inside a name is written \`%2F\`.`,
          { format: "parent" },
        ),
      }),
    name: text("Name; names that differ only by case are the same.", {
      format: kind.names?.format ?? "name",
    }),
    manage: withoutDefault(manage(kind)),
    ...(kind.clone && { clone: withoutDefault(clone(kind)) }),
    $remove: withoutDefault(
      flag("In an overlay: removes the resource from the manifests.", { enum: [true] }),
    ),
  };
});

function clone(kind: Kind): FieldSchema {
  return object(
    "How to clone the resource if it does not exist; declared fields override those of the source.",
    { from: text(`${kind.name} to clone: ${referenceForm(kind)}.`, { format: "source" }) },
    { required: ["from"] },
  );
}

function manage(kind: Kind): FieldSchema {
  const parts = declaredParts(kind).flatMap(({ member, form }) => (form.isSingle ? [] : [member]));
  const prunedKinds = kindsPrunedIn(kind).map(({ name }) => name);
  const members: Record<string, FieldSchema> = {
    protect: flag("Never delete or replace this resource or anything inside it.", { default: false }),
    ...(holdsServices(kind) && {
      prune: flag("Let runs that prune delete services in it that no document declares.", { default: false }),
    }),
    ...(prunedKinds.length > 0 && {
      prune: list(
        text(undefined, { enum: prunedKinds }),
        "Let runs that prune delete resources of these kinds in it that no document declares.",
      ),
    }),
    ignore: list(
      text(undefined, { format: "field" }),
      "Fields that others may change after creation, as paths: `FIELD` or `FIELD.MEMBER`.",
    ),
    ...(parts.length > 0 && {
      exclusive: list(
        text(undefined, { enum: parts }),
        "Members whose list is complete: runs that prune remove what the document does not declare.",
      ),
    }),
    renamed_from: text(
      "Former name of the resource: infrasync renames it, instead of deleting and creating it.",
      { format: "name" },
    ),
    id: text("Id of the live resource that the document declares.", { format: "uuid" }),
    beside: list(
      text(undefined, { format: "name" }),
      "Names of similar live resources: the document declares a new resource, not a renamed one.",
    ),
    ...(isInEnvironment(kind) && {
      wave: wholeNumber(
        kind.deployment
          ? "Services with a lower number are changed and deployed first, and have to be healthy before this one follows; default: that of its stage, or 0."
          : "Wave of its services that declare none: services with a lower number are changed and deployed first.",
      ),
    }),
    consent: word(
      "Approval to replace the resource, as the plan prints it: `replace-…`. It becomes invalid if the plan would replace something else or lose more.",
    ),
  };
  return object("How infrasync treats the resource; never sent.", mapValues(members, withoutDefault));
}

/** Whether resources of a kind are services or order them. */
function isInEnvironment({ parent }: Kind): boolean {
  return parent?.jointDeployment !== undefined;
}
