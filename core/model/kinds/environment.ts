import { path } from "../../api/index.ts";
import { secrets, variables } from "../parts/index.ts";
import { choice, object, reference, withoutDefault } from "../schema/field.ts";
import { defineKind } from "./kind.ts";
import { environmentsIn } from "./organization-kind.ts";
import { project, projectIn } from "./project.ts";

const preview = "PREVIEW";

/**
 * ```yaml
 * kind: Environment
 * project: shop
 * name: staging
 * mode: STAGING
 * cluster: eu-west
 * ```
 *
 * See also: [Clone an environment](../../guides/clone.md), [several environments with one set of manifests](../../guides/overlays.md), [preview environments](../../guides/previews.md).
 */
export const environment = defineKind({
  name: "Environment",
  description: "An environment of a project holds services and runs on a cluster.",
  parent: project,
  fields: object({
    mode: withoutDefault(
      choice(
        ["DEVELOPMENT", "STAGING", "PRODUCTION", preview],
        "Purpose of the environment. `PREVIEW` is possible only for an existing preview, or for a clone.",
        { alwaysAnswered: true, platformSets: [{ is: "DEVELOPMENT" }] },
      ),
    ),
    cluster: withoutDefault(
      reference("cluster", "Cluster that it runs on, by name or id.", {
        examples: ["eu-west"],
        immutable: "an environment cannot be moved to another cluster",
        alwaysAnswered: true,
      }),
    ),
  }),
  listing: {
    path: (projectId) => path`/project/${projectId}/environment`,
    counted: { path: (projectId) => path`/project/${projectId}`, member: "associated_environments_count" },
    inOrganization: [{ path: environmentsIn, parentIn: projectIn }],
  },
  requests: {
    create: (projectId) => path`/project/${projectId}/environment`,
    one: (id) => path`/environment/${id}`,
    removeInside: (id) => path`/environment/${id}/service/delete`,
  },
  clone: {
    path: (sourceId) => path`/environment/${sourceId}/clone`,
    body: (name, projectId, fields) => ({ ...fields, name, project_id: projectId }),
    carries: ["mode", "cluster"],
  },
  parts: [secrets("ENVIRONMENT"), variables("ENVIRONMENT")],
  jointDeployment: {
    statuses: (id) => path`/environment/${id}/statuses`,
    all: {
      deploy: (id) => path`/environment/${id}/deploy`,
      stop: (id) => path`/environment/${id}/stop`,
      cancel: (id) => path`/environment/${id}/cancelDeployment`,
    },
    some: {
      deploy: (id) => path`/environment/${id}/service/deploy`,
      stop: (id) => path`/environment/${id}/service/stop`,
      restart: (id) => path`/environment/${id}/service/restart-service`,
    },
  },
  deletion: { takesContents: true, isPassing: ({ mode }) => mode === preview },
  problem({ how, current, desired }) {
    const requested =
      desired["mode"] === preview && how !== "clone" && (how === "create" || current?.["mode"] !== preview);
    return requested
      ? {
          field: "mode",
          message: `an environment becomes ${preview} only by being cloned; use DEVELOPMENT, STAGING or PRODUCTION, or clone another environment`,
        }
      : undefined;
  },
  doubt(name, { mode: declared }, { mode = "DEVELOPMENT" }) {
    return declared === undefined && mode === "DEVELOPMENT" && /^(?:production|prod|prd|live)$/i.test(name)
      ? {
          field: "mode",
          message: `the environment ${name} has no mode and will be DEVELOPMENT: set mode: PRODUCTION`,
        }
      : undefined;
  },
  form: {
    // The specification has the member `cluster_id`, the interface description `cluster`.
    twin: ["cluster_id", "cluster"],
    finishBody(fields, how) {
      if (how === "create") return fields;
      const { cluster_id: _cluster, mode, ...others } = fields;
      return { ...others, ...(mode !== undefined && mode !== preview && { mode }) };
    },
  },
  facts: ["cloud_provider"],
  reports: {
    cluster_id: { type: "string", description: "Id of the cluster." },
    cluster_name: { type: "string", description: "Name of the cluster." },
  },
});
