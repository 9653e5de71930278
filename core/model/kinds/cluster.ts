import {
  choice,
  flag,
  list,
  needed,
  object,
  oftenChanged,
  text,
  wholeNumber,
  withoutDefault,
  word,
} from "../schema/field.ts";
import { path } from "../../api/index.ts";
import {
  advancedSettings,
  argoCd,
  argoCdMappings,
  cloudProviderCredentials,
  dnsProvider,
  routingTable,
} from "../parts/index.ts";
import { clusterSettings, problemOfSettings, settingsInRequestForm } from "./cluster-settings.ts";
import { description } from "./fields.ts";
import { defineKind } from "./kind.ts";
import { organizationKind } from "./organization-kind.ts";
import { groupFields } from "./service.ts";

const one = (id: string, organizationId: string) => path`/organization/${organizationId}/cluster/${id}`;

const providers = [
  "AWS",
  "SCW",
  "GCP",
  "DO",
  "AZURE",
  "OVH",
  "CIVO",
  "HETZNER",
  "ORACLE",
  "IBM",
  "ON_PREMISE",
];

/**
 * ```yaml
 * kind: Cluster
 * name: paris
 * region: eu-west-3
 * cloud_provider: AWS
 * cloud_provider_credentials: { credentials: production }
 * labels_groups: [team]
 * ```
 */
export const cluster = defineKind({
  name: "Cluster",
  description: "A Kubernetes cluster on which environments run.",
  ...organizationKind("cluster", { catalogue: "cluster", listing: { isOnlyWay: true } }),
  isInfrastructure: true,
  fields: object({
    description,
    region: needed(word("Region.", { immutable: "a cluster cannot be moved to another region" })),
    cloud_provider: needed(
      choice(providers, "Cloud provider.", { immutable: "a cluster cannot be moved to another provider" }),
    ),
    kubernetes: choice(["MANAGED", "SELF_MANAGED", "PARTIALLY_MANAGED"], "Management of Kubernetes.", {
      default: "MANAGED",
      immutable: "the management of Kubernetes cannot be changed",
    }),
    production: withoutDefault(flag("Whether it is for production.")),
    min_running_nodes: oftenChanged(
      wholeNumber("Nodes that always run.", {
        minimum: 0,
        default: 1,
        platformSets: [{ is: 3, what: "may set 3" }],
      }),
    ),
    max_running_nodes: oftenChanged(
      wholeNumber("Nodes that run at most.", {
        minimum: 0,
        default: 1,
        platformSets: [{ is: 10, what: "may set 10" }],
      }),
    ),
    instance_type: withoutDefault(
      word("Type of the nodes.", { platformSets: [{ is: "anything", what: "chooses one" }] }),
    ),
    disk_size: withoutDefault(
      wholeNumber("Disk of a node in GB.", { minimum: 1, unit: "GB", platformSets: [{ is: 40 }] }),
    ),
    disk_iops: withoutDefault(
      wholeNumber("Input and output operations of a disk in a second.", { minimum: 3000, maximum: 16_000 }),
    ),
    disk_throughput: withoutDefault(
      wholeNumber("Throughput of a disk in MiB a second.", { minimum: 125, maximum: 1000 }),
    ),
    ssh_keys: list(text(), "SSH keys that may log in to nodes.", { default: [] }),
    keda: object("KEDA, which scales services by events.", { enabled: needed(flag("Whether KEDA runs.")) }),
    labels_groups: groupFields.labels_groups,
    ...clusterSettings,
  }),
  form: { inRequestForm: settingsInRequestForm },
  problem: ({ desired }) => problemOfSettings(desired),
  parts: [
    advancedSettings("cluster", (id, organizationId) => `${one(id, organizationId)}/advancedSettings`),
    cloudProviderCredentials,
    dnsProvider,
    argoCd,
    argoCdMappings,
    routingTable((id, organizationId) => `${one(id, organizationId)}/routingTable`),
  ],
  facts: ["deployment_status", "has_access", "is_demo", "infrastructure_outputs"],
  reports: {
    status: { type: "string", description: "State." },
    version: { type: "string", description: "Version of Kubernetes." },
    is_default: { type: "boolean", description: "Whether it is the default cluster." },
  },
});
