import {
  describedTypes,
  renamedAttributes,
  type ResourceType,
  typePrefix,
} from "../../core/import/terraform/resource-types.ts";
import type { FieldSchema } from "../../core/kinds/index.ts";
import { camelCase } from "../lifecycle/index.ts";
import type { Spec } from "./schema-types.ts";
import { tokenOf } from "./types.ts";

/** The Terraform provider whose programs become programs of this package. */
export const terraformProvider = typePrefix.replace("_", "");

/**
 * The types and attributes of the Terraform provider with their names here, in the form of Pulumi's bridge for
 * Terraform, from which a converter makes programs. A converter writes attributes in camelCase where the mapping does
 * not name them.
 */
export function terraformMapping(version: string): Spec {
  const mapped = describedTypes();
  const attributes = Object.fromEntries(
    mapped.map(({ name, type }) => [name, mapsAmong(type.kind.fields.properties)]),
  );
  const named = (token: (kind: string) => string) =>
    Object.fromEntries(
      mapped.map(({ name, type }) => [name, { tok: tokenOf(token(type.kind.name)), fields: fieldsOf(type) }]),
    );
  return {
    name: terraformProvider,
    version,
    provider: { resources: attributes, dataSources: attributes },
    resources: named((kind) => kind),
    dataSources: named((kind) => `get${kind}`),
  };
}

function fieldsOf(type: ResourceType): Spec {
  const renamed = [...renamedAttributes(type)];
  return Object.fromEntries(renamed.map(([attribute, member]) => [attribute, { name: camelCase(member) }]));
}

/** The bridge's number for the type of a map; a map that contains a resource is an object. */
const mapType = 6;

/** The attributes that are maps, whose keys are no names, and the objects that contain such. */
function mapsAmong(properties: Record<string, FieldSchema> = {}): Spec {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([member, schema]) => {
      // Terraform has variables and the like as lists.
      if (schema.part) return [];
      if (schema.entries || schema.opaque) return [[member, { type: mapType, optional: true }]];
      const inside = mapsAmong(schema.properties);
      return Object.keys(inside).length === 0
        ? []
        : [[member, { type: mapType, optional: true, element: { resource: inside } }]];
    }),
  );
}
