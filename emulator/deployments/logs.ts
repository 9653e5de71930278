import { environmentOf } from "../http/lookup.ts";
import type { Route } from "../http/routing.ts";
import { lineageOf } from "../world/lineage.ts";
import type { Deployment, Environment } from "../world/records.ts";
import type { World } from "../world/world.ts";

type Transmitter = Record<"id" | "name" | "type", string>;

/** The logs of the deployments of an environment, oldest first; `version` is the id of one deployment. */
export const environmentLogRoutes: Route[] = [
  {
    method: "GET",
    path: "/environment/{environmentId}/logs",
    status: 200,
    run: (call) => {
      const environment = environmentOf(call);
      const { version } = call.query;
      return call.world.store.deployments
        .under(environment.id)
        .filter(({ id }) => version === undefined || id === version)
        .flatMap((deployment) => linesOf(deployment, environment, call.world));
    },
  },
];

function linesOf(deployment: Deployment, environment: Environment, world: World): object[] {
  const { id, action, services, created_at, endedAt, state, fails } = deployment;
  const organization = lineageOf(environment.id, world.store).organization?.id ?? "";
  const line = (
    timestamp: string,
    transmitter: Transmitter,
    step: string,
    text: string,
    error: object | null,
  ) => ({
    type: error ? "Error" : "Info",
    timestamp,
    details: {
      organization_id: organization,
      cluster_id: environment.spec.clusterId,
      execution_id: id,
      transmitter,
      stage: { step, id: null, name: null },
    },
    error,
    message: error ? null : { safe_message: text },
  });
  const whole = { id: environment.id, name: environment.name, type: "Environment" };
  const verb = action.toLowerCase();
  const started = services.map((service) =>
    line(created_at, transmitterOf(service), "Start", `${verb} of ${service.name} requested`, null),
  );
  const start = [
    line(created_at, whole, "Start", `${verb} of ${environment.name} requested`, null),
    ...started,
  ];
  if (endedAt === undefined) return start;
  const failure = fails
    ? { tag: "UNKNOWN", user_log_message: `${verb} of ${environment.name} failed` }
    : null;
  return [...start, line(endedAt, whole, "End", `${environment.name}: ${state}`, failure)];
}

function transmitterOf({ id, name, kind }: Deployment["services"][number]): Transmitter {
  return { id, name, type: kind.charAt(0).toUpperCase() + kind.slice(1) };
}
