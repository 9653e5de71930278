import { holdsServices, type Kind, kindsPrunedIn, referenceForm } from "../../model/kinds/index.ts";
import { declaredParts } from "../../model/parts/index.ts";
import { type FieldSchema, schemaFor } from "../../model/schema/field-schema.ts";

const ownMembers = new Map<Kind, ReadonlySet<string>>();

/** Whether a member belongs to the document and is not a field of the resource. */
export function isOwnMember(kind: Kind, member: string): boolean {
  let members = ownMembers.get(kind);
  if (!members) {
    members = new Set(Object.keys(envelope(kind)));
    ownMembers.set(kind, members);
  }
  return members.has(member);
}

/** The schema of a document of a kind: its fields and the other members. It has no nulls that reset fields. */
export function documentSchema(kind: Kind): FieldSchema {
  const { properties, required = [], ...rest } = schemaFor(kind.fields, "document");
  return closed({
    ...rest,
    description: kind.description,
    properties: { ...envelope(kind), ...properties },
    required: ["kind", ...(kind.parentMember === undefined ? [] : [kind.parentMember]), "name", ...required],
  });
}

function envelope(kind: Kind): Record<string, FieldSchema> {
  const { parent, parentMember } = kind;
  return {
    kind: { type: "string", enum: [kind.name], description: "Kind of the resource." },
    ...(parent &&
      parentMember !== undefined && {
        [parentMember]: {
          type: "string",
          format: "parent",
          description: `${parent.name} that holds it: ${referenceForm(parent)}. A \`/\` inside a name is written \`%2F\`.`,
        },
      }),
    name: {
      type: "string",
      format: kind.names?.format ?? "name",
      description: "Its name; names that differ only by case are the same.",
    },
    manage: { ...manage(kind), resettable: false },
    ...(kind.clone && { clone: { ...clone(kind), resettable: false } }),
    $remove: {
      type: "boolean",
      enum: [true],
      description: "In an overlay: the resource is left out, as if no document declared it.",
      resettable: false,
    },
  };
}

function clone(kind: Kind): FieldSchema {
  return closed({
    description:
      "How to clone the resource if it does not exist; declared fields override those of the source.",
    properties: {
      from: {
        type: "string",
        format: "source",
        description: `${kind.name} to clone: ${referenceForm(kind)}.`,
      },
    },
    required: ["from"],
  });
}

function manage(kind: Kind): FieldSchema {
  const parts = declaredParts(kind).flatMap(({ member, form }) => (form.isSingle ? [] : [member]));
  return closed({
    description: "How infrasync treats the resource; never sent.",
    properties: {
      protect: {
        type: "boolean",
        description: "Never delete or replace this resource or anything inside it.",
        default: false,
        resettable: false,
      },
      ...(holdsServices(kind) && {
        prune: {
          type: "boolean",
          description: "Let runs that prune delete services in it that no document declares.",
          default: false,
          resettable: false,
        },
      }),
      ...(kindsPrunedIn(kind).length > 0 && {
        prune: {
          type: "array",
          items: { type: "string", enum: kindsPrunedIn(kind).map(({ name }) => name) },
          description: "Let runs that prune delete resources of these kinds in it that no document declares.",
          resettable: false,
        },
      }),
      ignore: {
        type: "array",
        items: { type: "string", format: "field" },
        description: "Fields left to others after creation, as paths: `FIELD` or `FIELD.MEMBER`.",
        resettable: false,
      },
      ...(parts.length > 0 && {
        exclusive: {
          type: "array",
          items: { type: "string", enum: parts },
          description:
            "Members whose list is complete: runs that prune remove what the document does not declare.",
          resettable: false,
        },
      }),
      renamed_from: {
        type: "string",
        format: "name",
        description:
          "Former name of the resource: infrasync renames it, instead of deleting and creating it.",
        resettable: false,
      },
      id: {
        type: "string",
        format: "uuid",
        description: "Id of the live resource that the document declares.",
        resettable: false,
      },
      beside: {
        type: "array",
        items: { type: "string", format: "name" },
        description:
          "Names of live resources that look like this one: the document declares a new resource beside them.",
        resettable: false,
      },
      ...(isInEnvironment(kind) && {
        wave: {
          type: "integer",
          description: kind.deployment
            ? "Services with a lower number are changed and deployed first, and have to be healthy before this one follows; default: that of its stage, or 0."
            : "Wave of its services that declare none: services with a lower number are changed and deployed first.",
          resettable: false,
        },
      }),
      consent: {
        type: "string",
        minLength: 1,
        description:
          "Approval to replace the resource, as the plan prints it: `replace-…`. It is void as soon as the plan would replace something else, or lose more.",
        resettable: false,
      },
    },
  });
}

/** Whether resources of a kind are services or order them. */
function isInEnvironment({ parent }: Kind): boolean {
  return parent?.jointDeployment !== undefined;
}

function closed(schema: FieldSchema): FieldSchema {
  return { type: "object", ...noOthers, ...schema };
}

const noOthers = { additionalProperties: false };
