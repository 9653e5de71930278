import { isDeepStrictEqual } from "node:util";
import type { DemoStage } from "./stage.ts";

/**
 * Runs the whole demo: applies manifests, finds and reverts drift, clones a job into another environment, dumps the
 * live resources and destroys them. Throws when a step has an unexpected result.
 *
 * @param manifests folder that declares a project `shop` with environments `production` and `staging`
 * @param adopted folder for the dumped manifests
 */
export async function play(stage: DemoStage, manifests: string, adopted: string): Promise<void> {
  stage.title("validate checks the manifests before any request is sent");
  await stage.infrasync(["validate", manifests], 0);

  stage.title("The plan lists the changes and their cost in requests");
  await stage.infrasync(["plan", manifests, "--detailed-exitcode"], 2);
  stage.check("nothing has been written", (await writes(stage)).length === 0);
  stage.see("Exit code 2 tells a script that there are changes. Nothing has been written yet.");

  stage.title("Apply makes the changes");
  await stage.infrasync(["apply", manifests, "--yes"], 0);
  const described = await resources(stage, manifests);
  for (const { kind, name, path } of described) {
    stage.check(`${kind} ${name} exists`, (await stage.request("GET", path))["name"] === name);
  }
  stage.see(`The server has all ${described.length} resources now, each created once.`);

  stage.title("A second plan is empty");
  await stage.infrasync(["plan", manifests, "--detailed-exitcode"], 0);
  stage.see("The plan read a few lists for each environment and found no difference.");

  stage.title("Someone changes a job manually");
  const job = await cronJob(stage, described);
  const often = { cronjob: { ...job.live.schedule.cronjob, scheduled_at: "*/5 * * * *" } };
  await stage.request("PUT", job.path, { ...asRequest(job.live), schedule: often }, { schedule: often });
  await stage.infrasync(["plan", manifests, "--detailed-exitcode"], 2);
  stage.see("The plan shows the drift, field by field. Fields that no manifest declares are ignored.");

  stage.title("Apply reverts the drift");
  await stage.infrasync(["apply", manifests, "--yes"], 0);
  const mended = await stage.request("GET", job.path);
  stage.check("the job has its old schedule again", isDeepStrictEqual(mended["schedule"], job.live.schedule));
  await stage.infrasync(["plan", manifests, "--detailed-exitcode"], 0);

  stage.title("A job is cloned into another environment, with an override");
  const copy = `${job.name}-copy`;
  const source = job.address.slice("job:".length);
  const manifest = await stage.infrasync(
    ["clone", "job", source, "--to", "shop/staging", "--name", copy, "--set", "cpu=250", "--yes"],
    0,
  );
  stage.check(
    "the manifest of the clone is printed",
    manifest.includes(`name: ${copy}\n`) && manifest.includes("cpu: 250\n"),
  );
  stage.see(
    "The plan and the report are printed to standard error, the manifest of the clone to standard output.",
  );

  stage.title("Live resources become manifests: one command adopts them");
  await stage.infrasync(["dump", "shop", "--out", adopted], 0);
  await stage.infrasync(["plan", adopted, "--detailed-exitcode"], 0);
  stage.see("The written manifests declare every live resource, including the clone.");

  stage.title("Destroy deletes everything, but not by accident");
  await stage.infrasync(["destroy", manifests, "--yes"], 3);
  stage.see(
    "Destroy refuses: the settings of the folder protect production, and no manifest declares the clone.\n  The dumped folder declares every resource and protects none:\n",
  );
  await stage.infrasync(["destroy", adopted, "--yes", "--max-deletes", "50,100%"], 0);
  stage.check(
    "the server is empty",
    (await stage.names(`/organization/${stage.server.organizationId}/project`)).length === 0,
  );
}

interface Resource {
  kind: string;
  name: string;
  address: string;
  path: string;
}

/** The declared resources, with their paths. */
async function resources(stage: DemoStage, manifests: string): Promise<Resource[]> {
  const { actions } = (await stage.json(["plan", manifests])) as {
    actions: (Omit<Resource, "path"> & { resource_id: string })[];
  };
  return actions.map(({ kind, name, address, resource_id: id }) => ({
    kind,
    name,
    address,
    path: `/${kind.toLowerCase()}/${id}`,
  }));
}

interface LiveJob {
  schedule: { cronjob: { scheduled_at: string } };
  source: { image?: { registry: { id: string } }; docker?: object };
}

async function cronJob(
  stage: DemoStage,
  described: readonly Resource[],
): Promise<Resource & { live: LiveJob }> {
  for (const resource of described) {
    if (!resource.address.startsWith("job:shop/production/")) continue;
    const live = await stage.request("GET", resource.path);
    if (live["job_type"] === "CRON") return { ...resource, live: live as unknown as LiveJob };
  }
  throw new Error("no manifest declares a cron job in shop/production");
}

/** Turns a response into a request body, as a person must do to change one field manually. */
function asRequest({ source: { image, docker }, ...live }: LiveJob): object {
  return { ...live, source: image ? { image: { ...image, registry_id: image.registry.id } } : { docker } };
}

/** The writing requests so far. */
async function writes({ server }: DemoStage): Promise<string[]> {
  const headers = { "x-emulator-control": "1" };
  const answer = await fetch(`${server.url}/_emulator/requests`, { headers });
  const { requests } = (await answer.json()) as { requests: { method: string; path: string }[] };
  return requests.flatMap(({ method, path }) => (method === "GET" ? [] : [`${method} ${path}`]));
}
