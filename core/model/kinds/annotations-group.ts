import { choice, needed, object, required, set, text, word } from "../schema/field.ts";
import { defineKind } from "./kind.ts";
import { organizationKind } from "./organization-kind.ts";

const annotation = object({ key: required(word("Key of the annotation.")), value: needed(text("Value.")) });

const scope = choice(
  [
    "DEPLOYMENTS",
    "STATEFUL_SETS",
    "SERVICES",
    "INGRESS",
    "GATEWAY_API_ROUTES",
    "HPA",
    "PODS",
    "SECRETS",
    "JOBS",
    "CRON_JOBS",
  ],
  "Kubernetes resources that get the annotations.",
);

/**
 * ```yaml
 * kind: AnnotationsGroup
 * name: mesh
 * annotations: [{ key: example.com/inject, value: "true" }]
 * scopes: [DEPLOYMENTS, JOBS]
 * ```
 */
export const annotationsGroup = defineKind({
  name: "AnnotationsGroup",
  description: "A group of annotations that Kubernetes resources of services get.",
  ...organizationKind("annotationsGroups", { catalogue: "annotationsGroup" }),
  fields: object({
    annotations: needed(
      set(["key"], annotation, "Annotations, each identified by its `key`.", { alwaysSent: true }),
    ),
    scopes: needed(set([], scope, "Kubernetes resources that get the annotations.", { alwaysSent: true })),
  }),
});
