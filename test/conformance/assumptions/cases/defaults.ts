import { type Fields, isFields } from "../../../../core/values/json.ts";
import { elementsIn, isDone, isRefused, resourceIn, unexpected } from "../answers.ts";
import { NotKnown } from "../not-known.ts";
import { mark } from "../stage.ts";
import { asAssumed, differs, type CaseFinding, type AssumptionCase } from "../assumption-case.ts";
import { createContainer, createJob } from "./services.ts";

/** What the platform sets for the nodes of a cluster, by its provider. */
const nodes: Readonly<Record<string, Fields>> = {
  AWS: { min_running_nodes: 3, max_running_nodes: 10, instance_type: "t3.xlarge" },
  SCW: { min_running_nodes: 3, max_running_nodes: 10, instance_type: "DEV1-L" },
  AZURE: { min_running_nodes: 3, max_running_nodes: 10, instance_type: "Standard_DS2_v2" },
};

/** Cases about the values of members that a request leaves out. */
export const defaultCases: readonly AssumptionCase[] = [
  {
    name: "left-out-members-get-the-platforms-defaults",
    assumption: "A service that does not declare `auto_deploy` deploys each new commit or image by itself.",
    reason: "`infrasync validate` says so where a manifest leaves it out.",
    otherwise: "Declare the members in the manifests, so that they mean the same on each server.",
    requests: 4,
    needs: "environment",
    async check(stage) {
      const { server, environmentId } = stage;
      const job = await createJob(stage, "defaults");
      const container = await createContainer(stage, "defaults", {});
      const domain = { domain: `${stage.name}.example.com`, generate_certificate: false };
      const added = resourceIn(await server.send("POST", `/container/${container.id}/customDomain`, domain));
      const managed = { name: "defaults", type: "POSTGRESQL", version: "16", mode: "MANAGED" };
      const database = await server.send("POST", `/environment/${environmentId}/database`, managed);
      if (!isDone(database) && !isRefused(database)) throw unexpected(database);
      const schedule = isFields(job["schedule"]) ? job["schedule"] : {};
      const autoDeploys = [job["auto_deploy"], container["auto_deploy"]].every((value) => value === true);
      return findingOf({
        "service.auto_deploy": autoDeploys,
        "job.schedule.lifecycle_type": schedule["lifecycle_type"] === "GENERIC",
        "custom_domain.use_cdn": added["use_cdn"] === false,
        "database.instance_type": isRefused(database),
      });
    },
  },
  {
    name: "clusters-get-the-platforms-nodes",
    assumption: "A cluster that declares no nodes has 3 to 10, of a type that the platform chooses.",
    reason: "`infrasync validate` says so where a manifest leaves them out.",
    otherwise: "Declare the nodes in the manifests, so that they mean the same on each server.",
    requests: 4,
    needs: "environment",
    costs: true,
    async check({ server, organizationId, name }) {
      const path = `/organization/${organizationId}/cluster`;
      const model = elementsIn(await server.get(path)).find(
        ({ cloud_provider }) => nodes[String(cloud_provider)],
      );
      if (!model) throw new NotKnown(`no cluster is of ${Object.keys(nodes).join(", ")}`);
      const { cloud_provider, region } = model;
      const info = await server.get(`${path}/${String(model["id"])}/cloudProviderInfo`);
      const { credentials } = isFields(info.answer) ? info.answer : {};
      const id = isFields(credentials) ? credentials["id"] : undefined;
      const body = {
        name,
        description: mark,
        cloud_provider,
        region,
        cloud_provider_credentials: {
          cloud_provider,
          region,
          ...(id !== undefined && { credentials: { id } }),
        },
      };
      const made = resourceIn(await server.send("POST", path, body));
      const removed = await server.send("DELETE", `${path}/${made.id}?deleteMode=DELETE_QOVERY_CONFIG`);
      if (!isDone(removed)) throw unexpected(removed);
      const platform = nodes[String(cloud_provider)] ?? {};
      return findingOf(
        Object.fromEntries(
          Object.entries(platform).map(([member, value]) => [`cluster.${member}`, made[member] === value]),
        ),
      );
    },
  },
];

/** @param isPlatform the members, and whether the server sets what the platform is known to set */
function findingOf(isPlatform: Readonly<Record<string, boolean>>): CaseFinding {
  const members = Object.keys(isPlatform);
  const declared = members.filter((member) => !isPlatform[member]);
  return declared.length === 0
    ? asAssumed(`the platform sets ${members.join(", ")}`)
    : differs(`the platform does not set ${declared.join(", ")}`);
}
