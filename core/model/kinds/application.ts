import { advancedSettings, customDomains, deploymentRestrictions, links, network } from "../parts/index.ts";
import { choice, needed, object } from "../schema/field.ts";
import { description, dockerfilePath, dockerTargetBuildStage, gitRepository } from "./fields.ts";
import { completeGitRepository } from "./git.ts";
import { defineKind } from "./kind.ts";
import { hostOutputs, logPath, resourceReports, runningFields, service, serviceParts } from "./service.ts";

/**
 * ```yaml
 * kind: Application
 * environment: shop/staging
 * name: api
 * git_repository: { url: https://github.com/acme/api, branch: main }
 * ports: [{ internal_port: 8080, publicly_accessible: true }]
 * deployment_stage: services
 * ```
 */
export const application = defineKind({
  name: "Application",
  description: "An application is built from a git repository and kept running.",
  ...service("application", {
    idMember: "application_id",
    restarts: true,
    logPath: logPath("application"),
    version: () => "git_commit_id",
    links: links("application"),
  }),
  fields: object({
    description,
    git_repository: needed(gitRepository),
    build_mode: choice(["DOCKER"], "How the application is built.", { default: "DOCKER" }),
    dockerfile_path: dockerfilePath,
    docker_target_build_stage: dockerTargetBuildStage,
    ...runningFields("application"),
  }),
  outputs: hostOutputs,
  parts: [
    ...serviceParts("application"),
    customDomains("application"),
    advancedSettings("application"),
    deploymentRestrictions("application"),
    network("application"),
  ],
  form: { complete: completeGitRepository },
  facts: ["maximun_gpu"],
  reports: resourceReports,
});
