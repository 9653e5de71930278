import { path } from "../../api/index.ts";
import { type Fields, isFields, type Json, once } from "../../values/json.ts";
import { after, type Part, siblingPart, type Siblings } from "../parts/index.ts";
import { environment } from "./environment.ts";
import { object } from "../schema/field.ts";
import { description } from "./fields.ts";
import { defineKind } from "./kind.ts";

const name = "DeploymentStage";
const stages = (environmentId: string) => path`/environment/${environmentId}/deploymentStage`;

/** The names of initial stages: `DEFAULT`, or one for each type of service. */
const defaultName = /^(?:[a-z]+ )?default$/i;

/** The order of the stages of an environment: `after` is met by any later place. */
const order = after({
  sibling: name,
  path: stages,
  description:
    "Another stage of the environment, by name: this stage is deployed later. Stages in between keep their order.",
  place: "deployment_order",
  first: 1,
  request: (id, targetId) => ({ path: path`/deploymentStage/${id}/moveAfter/${targetId}`, body: {} }),
});

/**
 * ```yaml
 * kind: DeploymentStage
 * environment: shop/staging
 * name: services
 * after: databases
 * ```
 *
 * See also: [Stages](../../guides/deployments.md#stages).
 */
export const deploymentStage = defineKind({
  name,
  description:
    "A deployment stage of an environment: its services are deployed after those of earlier stages.",
  parent: environment,
  fields: object({ description }),
  listing: { path: stages, onDemand: true },
  requests: { create: stages, one: (id) => path`/deploymentStage/${id}` },
  parts: [order],
  comesWithParent: (stage) =>
    defaultName.test(stage) ? { description: "", deployment_order: 0 } : undefined,
  facts: ["services"],
  reports: {
    deployment_order: { type: "integer", description: "Place in the order of the stages, from 1." },
  },
});

/** The stage of a service. @param type as in the name of its default stage: `JOB` */
export const stageOf = (type: string): Part =>
  siblingPart({
    name: "deployment stage",
    member: "deployment_stage",
    sibling: name,
    description: "Deployment stage of the service: one of its environment, by name.",
    path: stages,
    targetOf: stageIdOf,
    request: (id, targetId, { siblings }) => assignment(id, targetId, isSkippedIn(siblings, id)),
    listedAfter: (id, targetId, all) => listedWith(id, targetId, isSkippedIn(all, id), all),
    isImplied: (stage) => ["default", `${type.toLowerCase()} default`].includes(stage.toLowerCase()),
  });

/** Whether deployments of the whole environment skip a service: its entry in its stage has this. */
export const skipped: Part = {
  name: "skipping",
  member: "is_skipped",
  listing: (_id, environmentId) => ({ path: stages(environmentId), siblings: name }),
  keyOf: () => "",
  isOwn: (stage, id, all) => stage["id"] === stageIdOf(id, all),
  isConfiguration: true,
  form: {
    schema: {
      type: "boolean",
      description:
        "Whether deployments of the whole environment leave the service out; it stays in its deployment stage.",
      default: false,
      resettable: false,
    },
    isSingle: true,
    isPermanent: true,
    staysWithSource: true,
    isImplied: (declared) => declared === false,
    declaredAs: (stage, _desired, id = "") => isSkippedIn([stage], id),
    nextRequest(id, [change], listed) {
      const all = listed.filter(({ part }) => part.member === "is_skipped").map(({ response }) => response);
      const stageId = stageIdOf(id, all);
      if (stageId === undefined) return undefined;
      const isSkipped = change?.desired === true;
      return {
        method: "PUT",
        ...assignment(id, stageId, isSkipped),
        body: { is_skipped: isSkipped },
        keys: [""],
        isAnsweredBy: (answer) =>
          Array.isArray(answer) || (isFields(answer) && Object.keys(answer).length > 0),
        listedAfter: (_answer, before) => listedWith(id, stageId, isSkipped, before),
      };
    },
  },
};

/** The PUT that moves a service into a stage, and keeps whether it is skipped. */
function assignment(id: string, stageId: string, isSkipped: boolean): { path: string; body: Fields } {
  return {
    path: path`/deploymentStage/${stageId}/service/${id}`,
    body: isSkipped ? { is_skipped: true } : {},
  };
}

/** The stages after a service was moved into one. */
function listedWith(id: string, stageId: string, isSkipped: boolean, all: Siblings): Fields[] {
  return all.map((stage) => {
    const others = servicesIn(stage).filter((service) => !isOf(id)(service));
    const its = { service_id: id, is_skipped: isSkipped };
    return { ...stage, services: stage["id"] === stageId ? [...others, its] : others };
  });
}

function isSkippedIn(all: Siblings, id: string): boolean {
  const its = all.flatMap(servicesIn).find(isOf(id));
  return isFields(its) && its["is_skipped"] === true;
}

function stageIdOf(id: string, all: Siblings): string | undefined {
  const stage = all.find((each) => idsOf(servicesIn(each)).has(id.toLowerCase()));
  return stage && String(stage["id"]);
}

/** The ids in a list of services, cached, because a stage may have thousands, and each is looked up. */
const idsOf = once(
  (services: Json[]): ReadonlySet<string> =>
    new Set(
      services.flatMap((service) => (isFields(service) ? [String(service["service_id"]).toLowerCase()] : [])),
    ),
);

function servicesIn({ services }: Fields): Json[] {
  return Array.isArray(services) ? services : [];
}

function isOf(id: string): (service: Json) => boolean {
  return (service) => isFields(service) && String(service["service_id"]).toLowerCase() === id.toLowerCase();
}
