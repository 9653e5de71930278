import { flag, needed, object, required, set, text, word } from "../schema/field.ts";
import { defineKind } from "./kind.ts";
import { organizationKind } from "./organization-kind.ts";

const label = object({
  key: required(word("Key of the label.")),
  value: needed(text("Value.")),
  propagate_to_cloud_provider: flag("Whether resources of the cloud provider get it too.", {
    default: false,
    alwaysSent: true,
  }),
});

/**
 * ```yaml
 * kind: LabelsGroup
 * name: team
 * labels: [{ key: team, value: shop }]
 * ```
 */
export const labelsGroup = defineKind({
  name: "LabelsGroup",
  description: "A group of labels that services and clusters of the organization get.",
  ...organizationKind("labelsGroups", { catalogue: "labelsGroup" }),
  fields: object({
    labels: needed(set(["key"], label, "Labels, each identified by its `key`.", { alwaysSent: true })),
  }),
});
