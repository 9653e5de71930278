import { Type } from "typebox";
import { stringify } from "yaml";
import { HttpError } from "../world/errors.ts";
import { get, put, type Route } from "../http/routing.ts";
import type { Cluster } from "../world/records.ts";
import { isDeployed } from "./deployments.ts";
import { clusterOf } from "./lookup.ts";

const path = "/organization/{organizationId}/cluster/{clusterId}/kubeconfig";

const A_TOKEN_LASTS = 15 * 60_000;

/** The kubeconfig of clusters, as YAML: one that a request has set, or one that the platform would make; and a token for one. */
export const kubeconfigRoutes: Route[] = [
  get("/cluster/{clusterId}/token", (call) => {
    const user = call.query["readOnly"] === "true" ? "viewer" : "admin";
    return {
      apiVersion: "client.authentication.k8s.io/v1beta1",
      kind: "ExecCredential",
      spec: {},
      status: {
        token: `${user}-${clusterOf(call).id}`,
        expirationTimestamp: new Date(call.world.clock.now() + A_TOKEN_LASTS).toISOString(),
      },
    };
  }),
  {
    ...get(path, (call) => {
      const cluster = clusterOf(call);
      return cluster.kubeconfig ?? generated(cluster, call.query["read_only"] === "true");
    }),
    type: "application/x-yaml",
  },
  {
    ...put(
      path,
      Type.String({ minLength: 1 }),
      (call, world, kubeconfig) => {
        world.update(world.store.clusters, clusterOf(call), { kubeconfig });
      },
      204,
    ),
    accepts: "application/x-yaml",
  },
];

function generated(cluster: Cluster, readOnly: boolean): string {
  if (!isDeployed(cluster))
    throw new HttpError(404, `the cluster ${cluster.name} has no kubeconfig: it is not deployed`);
  const name = `cluster-z${cluster.id.slice(0, 8)}`;
  const user = readOnly ? "viewer" : "admin";
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server: `https://${name}.kubernetes.invalid` } }],
    contexts: [{ name, context: { cluster: name, user } }],
    "current-context": name,
    users: [{ name: user, user: { token: `${user}-${cluster.id}` } }],
  });
}
