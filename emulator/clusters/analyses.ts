import { Type } from "typebox";
import { oneOf } from "../bodies/common.ts";
import { get, list, post, type Call, type Route } from "../http/routing.ts";
import { notFound } from "../world/errors.ts";
import { clusterOf } from "./lookup.ts";

const path = "/clusters/{clusterId}/analysis";
const one = `${path}/{analysisId}`;

const AnalysisRequest = Type.Object({
  kind: oneOf("COST_RECOMMENDATION", "DEPRECATED_API_CHECK"),
  output_format: oneOf("TABLE", "JSON", "CSV"),
});

/** Analyses of clusters. Each is finished in its first response, without findings. */
export const analysisRoutes: Route[] = [
  list(
    path,
    (call, { store }) => store.analyses.under(clusterOf(call).id),
    ({ spec }) => spec,
  ),
  post(path, 201, AnalysisRequest, (call, world, body) => {
    const { id: cluster_id, parentId: organization_id } = clusterOf(call);
    const { parentId, ...base } = world.base(cluster_id);
    const about = { cluster_id, organization_id, triggered_by: call.token.name };
    const spec = { ...base, ...body, ...about, status: "SUCCEEDED", error_message: null };
    return world.store.analyses.add({ ...base, parentId, name: base.id, spec }).spec;
  }),
  get(one, (call) => analysisOf(call).spec),
  list(
    `${one}/logs`,
    (call) => [analysisOf(call)],
    ({ created_at: timestamp }) => ({ timestamp, level: "INFO", message: "nothing found", line_order: 1 }),
  ),
];

function analysisOf(call: Call) {
  const { analyses } = call.world.store;
  const analysis = analyses.get(call.param("analysisId"));
  if (analysis.parentId !== clusterOf(call).id) throw notFound(analyses.noun, analysis.id);
  return analysis;
}
