import type { Static } from "typebox";
import { formatAddress } from "../../model/addresses/address.ts";
import type { ListedEntry, ListedResource, WholeResource } from "../show/index.ts";
import { manifestMembers } from "../../manifests/manifest/index.ts";
import type { Fields } from "../../values/json.ts";
import { type Catalogue, catalogues } from "../../model/schema/catalogues.ts";
import { type SpendingClient, spendingOf } from "./budget.ts";
import {
  addressText,
  choice,
  fieldsForm,
  form,
  heading,
  list,
  listOf,
  optional,
  outputDocument,
  printed,
  spending,
  text,
  texts,
} from "./forms.ts";
import { inForm } from "./members.ts";
import { serviceMembers, urlsForm } from "./deployment-status.ts";

const id = text("Id of the live resource.");
const state = optional(text("As the API has it: `DEPLOYED`; only of environments and services."));
const { deployment_status, deployed_at } = serviceMembers;
const created = optional(text("When it was created, as ISO 8601."));

/** The JSON output of `list`. */
export const listForm = form("A list of live resources.", {
  ...heading("infrasync-list", printed),
  resources: listOf("The resources that were chosen, parents first.", {
    address: addressText,
    kind: text("Kind of the resource: `Job`."),
    id,
    state,
    deployment_status,
    version: optional(
      text(
        "The version that it runs, by its fields: an image tag, a chart version, or the commit that was deployed last.",
      ),
    ),
    urls: urlsForm,
    cluster: optional(text("Name of the cluster that it runs on.")),
    created_at: created,
  }),
  undeclared: optional(
    texts(
      "On request: values that are set in managed resources but declared in no manifest, such as `field cpu of job:shop/production/nightly`.",
    ),
  ),
  ...spending,
});

/** The JSON output of `get`. */
export const resourceForm = form("A live resource in full.", {
  ...heading("infrasync-resource", printed),
  address: addressText,
  id,
  state,
  deployment_status,
  deployed_at,
  urls: urlsForm,
  created_at: created,
  updated_at: optional(text("When it was changed last, as ISO 8601.")),
  reports: fieldsForm("Facts that the API reports about it beside its fields."),
  manifest: fieldsForm("A manifest of it that declares every field; without secrets."),
  others: fieldsForm(
    "The keys of what belongs to it and is not in the manifest, such as `secrets` and `custom_domains`.",
  ),
  ...spending,
});

/** The JSON output of `get clusters` and the like. */
export const entriesForm = form("Clusters, registries and the like, which manifests refer to by name.", {
  ...heading("infrasync-entries", printed),
  entries: listOf("The entries.", {
    sort: choice(Object.keys(catalogues) as Catalogue[], "Description."),
    id: text("Id."),
    name: text("Name, as manifests declare it."),
    details: fieldsForm("Details that distinguish it, such as `region` and `url`."),
  }),
  ...spending,
});

/** The status of clusters, for programs. */
export const factsForm = form("The status of the clusters of the organization.", {
  ...heading("infrasync-facts", printed),
  sort: choice(["cluster-status"], "The sort of facts."),
  facts: list(
    fieldsForm("Members as the API has them; those that the API leaves open are left out."),
    "One for each cluster.",
  ),
  ...spending,
});

export function encodeList(
  resources: readonly ListedResource[],
  client: SpendingClient,
): Static<typeof listForm> {
  return outputDocument("list", {
    resources: resources.map(({ address, urls, cluster, createdAt, ...facts }) => {
      const named = { address: formatAddress(address), kind: address.kind.name };
      return inForm({ ...named, ...facts, urls: urls && [...urls], cluster, createdAt });
    }),
    ...spendingOf(client),
  });
}

export function encodeEntries(
  entries: readonly ListedEntry[],
  client: SpendingClient,
): Static<typeof entriesForm> {
  return outputDocument("entries", {
    entries: entries.map(({ catalogue: sort, ...entry }) => ({ sort, ...entry })),
    ...spendingOf(client),
  });
}

export function encodeClusterStatus(
  facts: readonly Fields[],
  client: SpendingClient,
): Static<typeof factsForm> {
  return outputDocument("facts", { sort: "cluster-status", facts: [...facts], ...spendingOf(client) });
}

export function encodeResource(
  { address, document, others, urls, ...facts }: WholeResource,
  client: SpendingClient,
): Static<typeof resourceForm> {
  return outputDocument("resource", {
    address: formatAddress(address),
    ...inForm({ ...facts, urls: urls && [...urls] }),
    manifest: manifestMembers(document) as Fields,
    others: Object.fromEntries([...others].map(([member, keys]) => [member, [...keys]])),
    ...spendingOf(client),
  });
}
