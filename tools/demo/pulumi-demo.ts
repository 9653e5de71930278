import type { PulumiStage } from "./pulumi-stage.ts";

/** Demonstrates both stacks of examples/pulumi. Throws when a step has an unexpected result. */
export async function play(stage: PulumiStage): Promise<void> {
  const { organizationId } = stage.server;
  const projects = `/organization/${organizationId}/project`;

  stage.title("A preview lists the changes and writes nothing");
  await stage.pulumi("shop", "stack", "init", "main");
  await stage.pulumi("shop", "preview");
  stage.check("no resource has been created", (await stage.names(projects)).length === 0);

  stage.title("up creates the resources");
  await stage.pulumi("shop", "up", "--yes", "--skip-preview");
  const [shop] = await stage.list(projects);
  const environments = await stage.list(`/project/${shop?.id}/environment`);
  const [production, staging] = ["production", "staging"].map((name) =>
    environments.find((one) => one.name === name),
  );
  const inProduction = await stage.names(`/environment/${production?.id}/services`);
  stage.check(
    "production contains every resource of the program",
    inProduction.toSorted().join() === "migrate,nightly-report,web",
  );
  const clone = await service(stage, staging?.id, "migrate");
  stage.check("the clone in staging has its own cpu", clone["cpu"] === 250);
  stage.see("Eight resources, one of them a clone with an override.");

  stage.title("A second up changes nothing");
  await stage.pulumi("shop", "up", "--yes", "--skip-preview", "--expect-no-changes");

  stage.title("Someone edits a job manually: refresh shows the drift, up reverts it");
  const report = await service(stage, production?.id, "nightly-report");
  const often = { cronjob: { scheduled_at: "*/5 * * * *", timezone: "Europe/Paris", arguments: ["--all"] } };
  await stage.request("PUT", `/job/${String(report["id"])}`, asRequest(report, often), { schedule: often });
  await stage.pulumi("shop", "refresh", "--yes", "--skip-preview", "--diff");
  await stage.pulumi("shop", "up", "--yes", "--skip-preview", "--diff");
  const mended = await service(stage, production?.id, "nightly-report");
  stage.check(
    "the job has its old schedule again",
    JSON.stringify(mended["schedule"]) === JSON.stringify(report["schedule"]),
  );

  stage.title("A preview environment for a branch: a clone of staging with one changed job");
  await stage.pulumi("preview", "stack", "init", "fix-login");
  await stage.pulumi("preview", "up", "--yes", "--skip-preview");
  const previews = await stage.list(`/project/${shop?.id}/environment`);
  const preview = previews.find(({ name }) => name === "preview-fix-login");
  const inPreview = await stage.names(`/environment/${preview?.id}/services`);
  stage.check(
    "the preview environment contains the resources of staging",
    inPreview.toSorted().join() === "migrate,web",
  );
  const migrate = await service(stage, preview?.id, "migrate");
  stage.check(
    "the job has the overrides and keeps its other fields",
    migrate["memory"] === 512 && migrate["cpu"] === 250,
  );

  const status = (await stage.request("GET", `/job/${String(migrate["id"])}/status`)) as { state: string };
  stage.check("the job is deployed", status.state === "DEPLOYED");

  await playYaml(stage);

  stage.title("destroy deletes every resource");
  await stage.pulumi("preview", "destroy", "--yes", "--skip-preview");
  await stage.pulumi("shop", "destroy", "--yes", "--skip-preview");
  stage.check("the server is empty", (await stage.names(projects)).length === 0);
}

/** The plugin: a program in YAML, a diff of each path, and an import. */
async function playYaml(stage: PulumiStage): Promise<void> {
  stage.title("The plugin: a program in YAML");
  await stage.pulumi("yaml", "stack", "init", "main");
  await stage.pulumi("yaml", "up", "--yes", "--skip-preview");

  stage.title("A preview shows each path that changes");
  await stage.edit("yaml", "Pulumi.yaml", 'tag: "1.4.2"', 'tag: "1.5.0"');
  await stage.pulumi("yaml", "preview", "--diff");
  await stage.edit("yaml", "Pulumi.yaml", 'tag: "1.5.0"', 'tag: "1.4.2"');

  stage.title(
    "A job that the stack does not know is imported by its path, and a preview compares it with the program",
  );
  const job = "urn:pulumi:main::shop-yaml::infrasync:index:Job::nightly";
  await stage.pulumi("yaml", "state", "delete", "--yes", job);
  const path = "shop-yaml/staging/nightly";
  const flags = ["--generate-code=false", "--protect=false", "--yes", "--skip-preview"];
  await stage.pulumi("yaml", "import", "infrasync:index:Job", "nightly", path, ...flags);
  // It also notes the dependencies of the job, which an import does not know.
  await stage.pulumi("yaml", "up", "--yes", "--skip-preview", "--expect-no-changes");
  await stage.pulumi("yaml", "destroy", "--yes", "--skip-preview");
}

async function service(
  stage: PulumiStage,
  environmentId: string | undefined,
  name: string,
): Promise<Record<string, unknown>> {
  const services = await stage.list(`/environment/${environmentId}/services`);
  const found = services.find((one) => one.name === name);
  stage.check(`${name} exists`, found !== undefined);
  return { ...found };
}

function asRequest(job: Record<string, unknown>, schedule: object): object {
  const { name, cpu, memory, max_duration_seconds, source } = job;
  const { image } = source as { image: { image_name: string; tag: string; registry: { id: string } } };
  const { image_name, tag, registry } = image;
  return {
    name,
    cpu,
    memory,
    max_duration_seconds,
    healthchecks: {},
    schedule,
    source: { image: { image_name, tag, registry_id: registry.id } },
  };
}
