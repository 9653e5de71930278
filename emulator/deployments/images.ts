import { organizationOf } from "../http/lookup.ts";
import { post, type Call, type Route } from "../http/routing.ts";
import { cloneEnvironment } from "../lifecycle/cloning.ts";
import { autoPreview } from "../services/shared.ts";
import { HttpError } from "../world/errors.ts";
import type { Service } from "../world/records.ts";
import { startDeployment } from "./deployments.ts";
import { AutoDeployRequest } from "./schemas.ts";
import { statusView } from "./statuses.ts";

const root = "/organization/{organizationId}";

/** The reaction to a new tag of an image: services that follow the image are deployed, and previews made. */
export const imageRoutes: Route[] = [
  ...(["container", "job"] as const).map((kind) =>
    post(`${root}/${kind}/deploy`, 202, AutoDeployRequest, (call) => {
      const { world, body, failsDeployment: fails } = call;
      const followers = servicesWith(call, body.image_name, kind).filter(({ spec }) =>
        isSet(spec, "auto_deploy"),
      );
      const [first] = followers;
      if (!first) throw missing(`${kind} with auto_deploy`, body.image_name);
      for (const [id, services] of Map.groupBy(followers, ({ parentId }) => parentId)) {
        const environment = world.store.environments.get(id);
        const versions = new Map(services.map((service) => [service.id, { image_tag: body.tag }]));
        startDeployment({ action: "DEPLOY", environment, services, versions, fails }, world);
      }
      return statusView(first, world);
    }),
  ),
  post(`${root}/container/preview`, 202, AutoDeployRequest, (call) => {
    const { world, body } = call;
    const previewed = servicesWith(call, body.image_name, "container").filter(({ parentId, spec }) =>
      isSet({ ...autoPreview(parentId, world), ...spec }, "auto_preview"),
    );
    const [first] = previewed;
    if (!first) throw missing("container with auto_preview", body.image_name);
    for (const [id, services] of Map.groupBy(previewed, ({ parentId }) => parentId)) {
      const source = world.store.environments.get(id);
      const clone = cloneEnvironment(source, { name: `${source.name}-${body.tag}`, mode: "PREVIEW" }, world);
      for (const copy of world.store.services.allUnder(clone.id))
        if (services.some(({ name }) => name === copy.name))
          copy.spec = Object.assign({}, copy.spec, { tag: body.tag });
    }
    return statusView(first, world);
  }),
];

/** The services of a kind that run an image. */
function servicesWith(call: Call, imageName: string, kind: Service["kind"]): Service[] {
  const { projects, environments, services } = call.world.store;
  return projects
    .under(organizationOf(call).id)
    .flatMap(({ id }) => environments.under(id))
    .flatMap(({ id }) => services.under(id))
    .filter((service) => service.kind === kind && imageOf(service.spec) === imageName);
}

interface Image {
  image_name: string;
}

function imageOf(spec: object): string | undefined {
  const { image_name: own, source } = spec as Partial<Image> & { source?: { image?: Image } };
  return own ?? source?.image?.image_name;
}

function isSet(spec: object, member: "auto_deploy" | "auto_preview"): boolean {
  return (spec as { [name in typeof member]?: boolean })[member] === true;
}

function missing(what: string, image: string): HttpError {
  return new HttpError(404, `no ${what} runs the image ${image}`);
}
