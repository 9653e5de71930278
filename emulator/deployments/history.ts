import { environmentOf, serviceOf } from "../http/lookup.ts";
import { get, type Call, type Route } from "../http/routing.ts";
import { HttpError } from "../world/errors.ts";
import { serviceKinds } from "../services/index.ts";
import type { Deployment, ServiceKindName } from "../world/records.ts";
import { stamps } from "../world/store.ts";

// The first version of the deployment history, which older clients read. It knows no Terraform services.
const kinds = serviceKinds.map(({ kind }) => kind).filter((kind) => kind !== "terraform");

const PAGE_SIZE = 20;

/** The deployments of a service or an environment, the latest first. */
export const historyRoutes: Route[] = [
  ...kinds.map((kind) =>
    get(`/${kind}/{${kind}Id}/deploymentHistory`, (call) => {
      const { id, parentId } = serviceOf(call, { kind });
      return page(call, parentId, (deployment) =>
        deployment.services
          .filter((part) => part.id === id)
          // The history of an application has the outcome; every other has the state.
          .map((part) => ({
            ...partView(part, deployment),
            ...(kind === "application" && { status: outcomeOf(deployment) }),
          })),
      );
    }),
  ),
  get("/environment/{environmentId}/deploymentHistory", (call) =>
    page(call, environmentOf(call).id, (deployment) => [
      {
        ...stamps(deployment),
        status: deployment.state,
        origin: "API",
        triggered_by: deployment.triggeredBy,
        ...Object.fromEntries(kinds.map((kind) => [`${kind}s`, partsOf(kind, deployment)])),
      },
    ]),
  ),
];

function page({ world, query }: Call, environmentId: string, view: (each: Deployment) => object[]): object {
  const history = world.store.deployments.under(environmentId).toReversed();
  const { startId } = query;
  const start = startId === undefined ? 0 : history.findIndex(({ id }) => id === startId) + 1;
  if (startId !== undefined && start === 0)
    throw new HttpError(400, `startId: there is no deployment with id ${startId}`);
  const results = history.slice(start).flatMap((deployment) => view(deployment));
  return { page: 1, page_size: PAGE_SIZE, results: results.slice(0, PAGE_SIZE) };
}

function partsOf(kind: ServiceKindName, deployment: Deployment): object[] {
  return deployment.services.filter((part) => part.kind === kind).map((part) => partView(part, deployment));
}

function partView({ name, kind, details }: Deployment["services"][number], deployment: Deployment): object {
  const { state: status } = deployment;
  return { ...stamps(deployment), name, status, ...details, ...(kind === "job" && scheduleOf(details)) };
}

function outcomeOf({ outcome }: Deployment): "FAILED" | "SUCCESS" {
  return outcome === "ERROR" || outcome === "CANCELED" ? "FAILED" : "SUCCESS";
}

/** The schedule of a job, which the second version of the history shows in full. */
function scheduleOf({ schedule }: { schedule?: { cron_job?: { scheduled_at?: string } } }): object {
  const at = schedule?.cron_job?.scheduled_at;
  return {
    schedule:
      at === undefined ? { event: "ON_START", schedule_at: null } : { event: "CRON", schedule_at: at },
  };
}
