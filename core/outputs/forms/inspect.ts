import Type, { type Static } from "typebox";
import { formatAddress } from "../../model/addresses/address.ts";
import type { Budget } from "../../api/index.ts";
import type { ListedEntry, ListedResource, WholeResource } from "../show/index.ts";
import { manifestMembers } from "../../manifests/manifest/index.ts";
import type { Fields } from "../../values/json.ts";
import { type Catalogue, catalogues } from "../../model/schema/catalogues.ts";
import { encodeBudget } from "./budget.ts";
import {
  addressText,
  choice,
  fieldsForm,
  form,
  heading,
  list,
  optional,
  printed,
  spending,
  text,
} from "./forms.ts";
import { urlsForm } from "./deployment-status.ts";

const id = text("Id of the live resource.");
const state = optional(text("As the API has it: `DEPLOYED`; only of environments and services."));
const deploymentStatus = optional(
  text(
    "`NEVER_DEPLOYED`, `OUT_OF_DATE` or `UP_TO_DATE`: whether the service runs its current configuration.",
  ),
);
const createdAt = optional(text("When it was created, as ISO 8601."));

/** The JSON output of `list`. */
export const listForm = form(
  {
    ...heading("infrasync-list", printed),
    resources: list(
      form({
        address: addressText,
        kind: text("Kind of the resource: `Job`."),
        id,
        state,
        deployment_status: deploymentStatus,
        version: optional(
          text(
            "The version that it runs, by its fields: an image tag, a chart version, or the commit that was deployed last.",
          ),
        ),
        urls: urlsForm,
        cluster: optional(text("Name of the cluster that it runs on.")),
        created_at: createdAt,
      }),
      "The resources that were chosen, parents first.",
    ),
    unstated: optional(
      list(
        Type.String(),
        "Where it was asked for: what is set in managed resources and no manifest declares, such as `field cpu of job:shop/production/nightly`.",
      ),
    ),
    ...spending,
  },
  "A list of live resources.",
);

/** The JSON output of `get`. */
export const resourceForm = form(
  {
    ...heading("infrasync-resource", printed),
    address: addressText,
    id,
    state,
    deployment_status: deploymentStatus,
    deployed_at: optional(text("When its last deployment began, as ISO 8601.")),
    urls: urlsForm,
    created_at: createdAt,
    updated_at: optional(text("When it was changed last, as ISO 8601.")),
    reports: fieldsForm("Facts that the API reports about it beside its fields."),
    manifest: fieldsForm("A manifest of it that declares every field; without secrets."),
    others: fieldsForm(
      "The keys of what belongs to it and is not in the manifest, such as `secrets` and `custom_domains`.",
    ),
    ...spending,
  },
  "A live resource in full.",
);

/** The JSON output of `get clusters` and the like. */
export const entriesForm = form(
  {
    ...heading("infrasync-entries", printed),
    entries: list(
      form({
        sort: choice(Object.keys(catalogues) as Catalogue[], "What it is."),
        id: text("Its id."),
        name: text("Its name, as manifests declare it."),
        details: fieldsForm("Details that distinguish it, such as `region` and `url`."),
      }),
      "The entries.",
    ),
    ...spending,
  },
  "Clusters, registries and the like, which manifests refer to by name.",
);

/** The status of clusters, for programs. */
export const factsForm = form(
  {
    ...heading("infrasync-facts", printed),
    sort: choice(["cluster-status"], "The sort of facts."),
    facts: list(
      fieldsForm("Its members as the API has them; those that the API leaves open are left out."),
      "One for each cluster.",
    ),
    ...spending,
  },
  "The status of the clusters of the organization.",
);

export function encodeList(
  resources: readonly ListedResource[],
  requests: number,
  budget: Budget,
): Static<typeof listForm> {
  return {
    format: "infrasync-list",
    version: 1,
    resources: resources.map((resource) => ({
      address: formatAddress(resource.address),
      kind: resource.address.kind.name,
      id: resource.id,
      ...(resource.state !== undefined && { state: resource.state }),
      ...(resource.deploymentStatus !== undefined && { deployment_status: resource.deploymentStatus }),
      ...(resource.version !== undefined && { version: resource.version }),
      ...(resource.urls && { urls: [...resource.urls] }),
      ...(resource.cluster !== undefined && { cluster: resource.cluster }),
      ...(resource.createdAt !== undefined && { created_at: resource.createdAt }),
    })),
    requests,
    budget: encodeBudget(budget),
  };
}

export function encodeEntries(
  entries: readonly ListedEntry[],
  requests: number,
  budget: Budget,
): Static<typeof entriesForm> {
  return {
    format: "infrasync-entries",
    version: 1,
    entries: entries.map(({ catalogue, id: itsId, name, details }) => ({
      sort: catalogue,
      id: itsId,
      name,
      details: { ...details },
    })),
    requests,
    budget: encodeBudget(budget),
  };
}

export function encodeClusterStatus(
  clusters: readonly Fields[],
  requests: number,
  budget: Budget,
): Static<typeof factsForm> {
  return {
    format: "infrasync-facts",
    version: 1,
    sort: "cluster-status",
    facts: [...clusters],
    requests,
    budget: encodeBudget(budget),
  };
}

export function encodeResource(
  resource: WholeResource,
  requests: number,
  budget: Budget,
): Static<typeof resourceForm> {
  return {
    format: "infrasync-resource",
    version: 1,
    address: formatAddress(resource.address),
    id: resource.id,
    ...(resource.state !== undefined && { state: resource.state }),
    ...(resource.deploymentStatus !== undefined && { deployment_status: resource.deploymentStatus }),
    deployed_at: resource.deployedAt,
    ...(resource.urls && { urls: [...resource.urls] }),
    ...(resource.createdAt !== undefined && { created_at: resource.createdAt }),
    updated_at: resource.updatedAt,
    reports: resource.reports,
    manifest: manifestMembers(resource.document) as Fields,
    others: Object.fromEntries([...resource.others].map(([member, keys]) => [member, [...keys]])),
    requests,
    budget: encodeBudget(budget),
  };
}
