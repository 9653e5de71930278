/** Writes the JSON Schemas of manifests and of the output of commands, and the OpenAPI document of the service, to schemas/; with --check, fails instead when they are stale. */
import {
  deploymentForm,
  entriesForm,
  factsForm,
  listForm,
  logsForm,
  planForm,
  published,
  reportForm,
  resourceForm,
  outputForms,
  statusForm,
  urlsOfForm,
} from "../core/outputs/forms/index.ts";
import { settingsFileSchema } from "../cli/settings/file-schema.ts";
import { kinds } from "../core/model/kinds/index.ts";
import { anyManifestSchema, manifestSchema } from "../core/manifests/manifest/index.ts";
import { fleetStatusForm, policyFileSchema, serviceStatusForm } from "../reconciler/index.ts";
import { writeFolder } from "./generated-files.ts";
import { serviceApi } from "./service-api.ts";

const outputTitles: Record<keyof typeof outputForms, string> = {
  error: "a failure",
  run: "a plan and what became of it",
  validation: "a validation",
  documents: "manifests",
  update: "manifests that take over live values",
  explanation: "the documentation of a field",
  diagnosis: "an examination",
  event: "an event of a run",
  difference: "how two environments differ",
  history: "who did what",
};

export function schemaFiles(): Map<string, object> {
  const schemas: [string, object][] = [
    ...kinds.map((kind): [string, object] => [kind.slug, manifestSchema(kind)]),
    ["manifest", anyManifestSchema()],
    ["settings", settingsFileSchema()],
    ["reconcile", policyFileSchema()],
    ["reconcile-status", published("infrasync: how a reconciler stands", serviceStatusForm)],
    ["fleet-status", published("infrasync: how a reconciler with many sources stands", fleetStatusForm)],
    ["plan", published("infrasync: a plan", planForm)],
    ["report", published("infrasync: a report", reportForm)],
    ["deployment", published("infrasync: a deployment", deploymentForm)],
    ["status", published("infrasync: statuses", statusForm)],
    ["list", published("infrasync: live resources", listForm)],
    ["entries", published("infrasync: clusters, registries and the like", entriesForm)],
    ["facts", published("infrasync: facts of the organization", factsForm)],
    ["resource", published("infrasync: a live resource", resourceForm)],
    ["urls", published("infrasync: the URLs of a service", urlsOfForm)],
    ["logs", published("infrasync: log lines", logsForm)],
    ...Object.entries(outputForms).map(([name, form]): [string, object] => [
      name,
      published(`infrasync: ${outputTitles[name as keyof typeof outputForms]}`, form),
    ]),
  ];
  return new Map(schemas.map(([name, schema]) => [`${name}.schema.json`, schema]));
}

if (import.meta.main)
  writeFolder(
    "schemas",
    new Map(
      [...schemaFiles(), ["service.openapi.json", serviceApi()] as const].map(([name, schema]) => [
        name,
        `${JSON.stringify(schema, null, 2)}\n`,
      ]),
    ),
  );
