import { HttpError } from "./world/errors.ts";
import type { Method, Route } from "./http/routing.ts";

/** Operations that the emulator knows and does not serve. No program but the vendor's console needs them. */
const groups: { because: string; operations: Record<string, string> }[] = [
  {
    because: "it shows what runs in a cluster, and the emulator runs nothing",
    operations: {
      getArgoCdApp: "GET /argocdApp/{argocdAppId}",
      getArgoCdAppManifest: "GET /argocdApp/{argocdAppId}/manifest",
      getArgoCdAssociatedServices: "GET /cluster/{clusterId}/argocdApps/associatedServices",
      getClusterKubernetesEvents: "GET /cluster/{clusterId}/events",
      getClusterLogs: "GET /cluster/{clusterId}/logs",
      getClusterMetrics: "GET /cluster/{clusterId}/metrics",
      getEksAnywhereClusterJwt: "GET /organization/{organizationId}/cluster/{clusterId}/eks-anywhere/jwt",
      getHelmKubernetesServices: "GET /helm/{helmId}/listServices",
      getIngressDeploymentStatus: "GET /{serviceType}/{serviceId}/ingressDeploymentStatus",
      getTerraformResources: "GET /terraform/{terraformId}/terraformResources",
    },
  },
  {
    because: "it reads from a registry, a repository, a domain or a vault, and the emulator connects to none",
    operations: {
      checkApplicationCustomDomain: "GET /application/{applicationId}/checkCustomDomain",
      checkContainerCustomDomain: "GET /container/{containerId}/checkCustomDomain",
      getContainerVersions:
        "GET /organization/{organizationId}/containerRegistry/{containerRegistryId}/images",
      checkContainerImage: "POST /environment/{environmentId}/checkContainerImage",
      checkDockerfile: "POST /environment/{environmentId}/checkDockerfile",
      checkGitFile: "POST /environment/{environmentId}/checkGitFile",
      checkHelmRepository: "POST /environment/{environmentId}/checkHelmRepository",
      listDirectoriesFromGitRepository:
        "POST /organization/{organizationId}/listDirectoriesFromGitRepository",
      checkHelmCustomDomain: "GET /helm/{helmId}/checkCustomDomain",
      getHelmCharts: "GET /organization/{organizationId}/helmRepository/{helmRepositoryId}/charts",
      createHelmDefaultValues: "POST /environment/{environmentId}/helmDefaultValues",
      listTfVarsFilesFromGitRepo: "POST /organization/{organizationId}/listTfVarsFilesFromGitRepo",
      parseTerraformVariablesFromGitRepo:
        "POST /organization/{organizationId}/parseTerraformVariablesFromGitRepo",
      listUpstreamSecretsFromSecretProvider: "GET /secretManagerAccess/{secretManagerAccessId}/secrets",
    },
  },
  {
    because: "it fills a form of the console",
    operations: {
      trackSkill: "POST /organization/{organizationId}/skill-tracking",
      getBlueprintCatalogServiceManifest:
        "GET /organization/{organizationId}/blueprint/catalog/{provider}/{serviceFamily}/{serviceVersion}/manifest",
      getBlueprintCatalogServiceReadme:
        "GET /organization/{organizationId}/blueprint/catalog/{provider}/{serviceFamily}/{serviceVersion}/readme",
      checkBlueprintUpdate: "GET /blueprint/{blueprintId}/update",
      getBlueprintCatalog: "GET /organization/{organizationId}/blueprint/catalog",
      previewBlueprintUpdate: "POST /blueprint/{blueprintId}/update/preview",
      exportEnvironmentConfigurationIntoTerraform: "GET /environment/{environmentId}/terraformExport",
      getEnvironmentLifecycleTemplate:
        "GET /environment/{environmentId}/lifecycleTemplate/{lifecycleTemplateId}",
      listEnvironmentLifecycleTemplates: "GET /environment/{environmentId}/lifecycleTemplate",
      listPlatformTemplates: "GET /organization/{organizationId}/platformTemplate",
      resolvePlatformComponentConfiguration:
        "POST /organization/{organizationId}/cluster/{clusterId}/platformBinding/component/{componentKey}/resolve",
      resolvePlatformTemplateComponentConfiguration:
        "POST /organization/{organizationId}/platformTemplate/{templateKey}/{templateVersion}/component/{componentKey}/resolve",
    },
  },
];

/** The operations that are answered with 501. */
export const unserved: (Route & {
  name: string;
  because: string;
})[] = groups.flatMap(({ because, operations }) =>
  Object.entries(operations).map(([name, operation]) => {
    const [method, path = ""] = operation.split(" ") as [Method, string];
    const message = `the emulator does not serve ${name}: ${because}`;
    const run = () => {
      throw new HttpError(501, message);
    };
    return { method, path, name, because, status: 501, run };
  }),
);
