import type { DemoStage } from "./stage.ts";

/** The secrets of the shop, by the environment variables from which its manifests take them. */
export const shopSecrets = {
  SHOP_DB_PASSWORD: "horse-battery-4711",
  SHOP_PAYMENT_KEY: "staple-correct-0815",
};

/** Brings up a shop, reverts a manual change, makes a preview, and takes it down. Throws for an unexpected result. */
export async function playShop(
  stage: DemoStage,
  {
    staging,
    preview,
    adopted,
  }: {
    /** Declares a project `shop` with an environment `staging`. */
    staging: string;
    /** Declares a clone of it, `shop/preview`. */
    preview: string;
    /** Gets the dumped manifests. */
    adopted: string;
  },
): Promise<void> {
  stage.title("The manifests declare a whole shop");
  await stage.infrasync(["validate", staging], 0);
  stage.see("A database, a Helm chart, containers, jobs, stages, variables, secrets and a domain.");

  stage.title("Apply makes it, deploys it stage by stage, and waits until it runs");
  const applied = await stage.infrasync(["apply", staging, "--deploy", "--wait", "--yes"], 0);
  stage.check("six services are deployed", applied.includes("6 deployed"));
  await stage.infrasync(["status", "shop/staging"], 0);
  stage.see("The secrets came from environment variables. No plan, report or file has their values.");

  stage.title("Everything is as declared: the next plan is empty");
  await stage.infrasync(["plan", staging, "--deploy", "--detailed-exitcode"], 0);
  await stage.infrasync(["dump", "shop", "--out", adopted], 0);
  await stage.infrasync(["plan", adopted, "--detailed-exitcode"], 0);
  stage.see("The dumped manifests declare the same shop, without its secrets.");

  stage.title("Someone changes a variable manually; the next apply mends it");
  const { id } = await variable(stage, "LOG_LEVEL");
  await stage.request("PUT", `/variable/${id}`, { key: "LOG_LEVEL", value: "trace" }, { value: "trace" });
  await stage.infrasync(["apply", staging, "--deploy", "--wait", "--yes"], 0);
  stage.check("the variable has its value again", (await variable(stage, "LOG_LEVEL")).value === "info");
  stage.see("The services of the environment see the variable, so they were deployed again.");

  stage.title("A preview is a clone with all services, variables and secrets");
  await stage.infrasync(["apply", preview, "--deploy", "--wait", "--yes"], 0);
  stage.check("the preview has the services of staging", (await servicesOf(stage, "preview")).length === 6);
  stage.check("its services use its own database", await usesOwnDatabase(stage, "preview"));

  stage.title("The preview gets another version; staging keeps its own");
  await stage.infrasync(["deploy", "job:shop/preview/nightly-report", "--image-tag", "1.5.0", "--wait"], 0);
  const report = (await servicesOf(stage, "preview")).find(({ name }) => name === "nightly-report");
  stage.check("the preview runs the new version", report?.source?.image?.tag === "1.5.0");

  stage.title("All of it is taken down, the preview first");
  await stage.infrasync(["destroy", preview, "--yes", "--prune", "--max-deletes", "50,100%"], 0);
  await stage.infrasync(["destroy", staging, "--yes", "--max-deletes", "50,100%"], 0);
  const left = await stage.names(`/organization/${stage.server.organizationId}/project`);
  stage.check("the server is empty", left.length === 0);
}

async function environmentId(stage: DemoStage, name: string): Promise<string> {
  const { organizationId } = stage.server;
  const [project] = await stage.list(`/organization/${organizationId}/project`);
  const environments = await stage.list(`/project/${project?.id}/environment`);
  const found = environments.find((environment) => environment.name === name);
  if (!found) throw new Error(`there is no environment ${name}`);
  return found.id;
}

async function servicesOf(
  stage: DemoStage,
  environment: string,
): Promise<{ id: string; name: string; source?: { image?: { tag: string } } }[]> {
  return stage.list(`/environment/${await environmentId(stage, environment)}/services`);
}

async function variable(stage: DemoStage, key: string): Promise<{ id: string; value: string }> {
  const path = `/variable?parent_id=${await environmentId(stage, "staging")}&scope=ENVIRONMENT`;
  const all = await stage.list<{ id: string; key: string; scope: string; value: string }>(path);
  const found = all.find((each) => each.key === key && each.scope === "ENVIRONMENT");
  if (!found) throw new Error(`there is no variable ${key}`);
  return found;
}

/** Whether the services of an environment get only the host of its own database. */
async function usesOwnDatabase(stage: DemoStage, environment: string): Promise<boolean> {
  const services = await servicesOf(stage, environment);
  const { id: api = "" } = services.find(({ name }) => name === "api") ?? {};
  const { id: database = "" } = services.find(({ name }) => name === "orders") ?? {};
  const path = `/variable?parent_id=${api}&scope=CONTAINER`;
  const all = await stage.list<{ key: string; aliased_variable?: { key: string } }>(path);
  const host = all.find(({ key }) => key === "DATABASE_HOST")?.aliased_variable?.key ?? "";
  return host.includes(`_Z${database.slice(0, 8).toUpperCase()}_`);
}
