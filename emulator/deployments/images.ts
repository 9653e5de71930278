import { environmentsOfOrganization } from "../http/lookup.ts";
import { post, type Call, type Route } from "../http/routing.ts";
import { HttpError } from "../world/errors.ts";
import type { Service } from "../world/records.ts";
import { startDeployment } from "./deployments.ts";
import { AutoDeployRequest } from "./schemas.ts";
import { statusView } from "./statuses.ts";

/** The reaction to a new tag of an image: jobs that follow the image are deployed. */
export const imageRoutes: Route[] = [
  post("/organization/{organizationId}/job/deploy", 202, AutoDeployRequest, (call, world, body) => {
    const { failsDeployment: fails } = call;
    const followers = jobsWith(call, body.image_name).filter(isDeployedBySelf);
    const [first] = followers;
    if (!first) throw new HttpError(404, `no job with auto_deploy runs the image ${body.image_name}`);
    for (const [id, services] of Map.groupBy(followers, ({ parentId }) => parentId)) {
      const environment = world.store.environments.get(id);
      const versions = new Map(services.map((service) => [service.id, { image_tag: body.tag }]));
      startDeployment({ action: "DEPLOY", environment, services, versions, fails }, world);
    }
    return statusView(first, world);
  }),
];

function jobsWith(call: Call, imageName: string): Service[] {
  return environmentsOfOrganization(call)
    .flatMap(({ id }) => call.world.store.services.under(id))
    .filter(({ kind, spec }) => kind === "job" && imageOf(spec) === imageName);
}

function imageOf(spec: object): string | undefined {
  return (spec as { source?: { image?: { image_name: string } } }).source?.image?.image_name;
}

function isDeployedBySelf({ spec }: Service): boolean {
  return (spec as { auto_deploy?: boolean }).auto_deploy === true;
}
