import { isDeepStrictEqual } from "node:util";
import type { DemoStage } from "./stage.ts";

/**
 * Plays the whole story: manifests become what they say, drift is found and mended, a job is cloned into another
 * environment, what is live is dumped and destroyed. Throws where something is not as it should be.
 *
 * @param manifests folder that describes a project `shop` with environments `production` and `staging`
 * @param adopted folder that the dump goes to
 */
export async function play(stage: DemoStage, manifests: string, adopted: string): Promise<void> {
  stage.title("Manifests are checked before anything is sent");
  await stage.infrasync(["validate", manifests], 0);

  stage.title("The plan says what will be done, and what it will cost");
  await stage.infrasync(["plan", manifests, "--detailed-exitcode"], 2);
  stage.check("nothing has been written", (await writes(stage)).length === 0);
  stage.see("Exit code 2 tells a script that there are changes. Nothing has been written yet.");

  stage.title("Apply carries it out");
  await stage.infrasync(["apply", manifests, "--yes"], 0);
  const described = await resources(stage, manifests);
  for (const { kind, name, path } of described) {
    stage.check(`${kind} ${name} exists`, (await stage.request("GET", path))["name"] === name);
  }
  stage.see(`The server has all ${described.length} resources now, each made once.`);

  stage.title("A second plan is empty");
  await stage.infrasync(["plan", manifests, "--detailed-exitcode"], 0);
  stage.see("A few lists were read, one for each environment; nothing differs.");

  stage.title("Someone changes a job by hand");
  const job = await cronJob(stage, described);
  const often = { cronjob: { ...job.live.schedule.cronjob, scheduled_at: "*/5 * * * *" } };
  await stage.request("PUT", job.path, { ...asRequest(job.live), schedule: often }, { schedule: often });
  await stage.infrasync(["plan", manifests, "--detailed-exitcode"], 2);
  stage.see("The plan shows the drift, field by field. Fields that no manifest states are left to others.");

  stage.title("Apply mends it");
  await stage.infrasync(["apply", manifests, "--yes"], 0);
  const mended = await stage.request("GET", job.path);
  stage.check("the job is as it was", isDeepStrictEqual(mended["schedule"], job.live.schedule));
  await stage.infrasync(["plan", manifests, "--detailed-exitcode"], 0);

  stage.title("A job is cloned into another environment, with a change");
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
  stage.see("The plan and the report go to standard error; the manifest of the clone is the output.");

  stage.title("What is live becomes manifests: adopting it takes one command");
  await stage.infrasync(["dump", "shop", "--out", adopted], 0);
  await stage.infrasync(["plan", adopted, "--detailed-exitcode"], 0);
  stage.see("The manifests that were written describe what is live, the clone included.");

  stage.title("Everything goes again, and not by accident");
  await stage.infrasync(["destroy", manifests, "--yes"], 3);
  stage.see(
    "Destroy refuses: production is protected in the settings of the folder, and the clone is in no manifest.\n  The folder that was dumped describes everything and protects nothing:\n",
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

/** What the manifests describe, with the paths at which it is. */
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

/** The first job in production that runs on a schedule. */
async function cronJob(
  stage: DemoStage,
  described: readonly Resource[],
): Promise<Resource & { live: LiveJob }> {
  for (const resource of described) {
    if (!resource.address.startsWith("job:shop/production/")) continue;
    const live = await stage.request("GET", resource.path);
    if (live["job_type"] === "CRON") return { ...resource, live: live as unknown as LiveJob };
  }
  throw new Error("no manifest describes a cron job in shop/production");
}

/** An answer in the form of a request, as a person has to bring it into to change one field by hand. */
function asRequest({ source: { image, docker }, ...live }: LiveJob): object {
  return { ...live, source: image ? { image: { ...image, registry_id: image.registry.id } } : { docker } };
}

/** The requests so far that change something. */
async function writes({ server }: DemoStage): Promise<string[]> {
  const headers = { "x-emulator-control": "1" };
  const answer = await fetch(`${server.url}/_emulator/requests`, { headers });
  const { requests } = (await answer.json()) as { requests: { method: string; path: string }[] };
  return requests.flatMap(({ method, path }) => (method === "GET" ? [] : [`${method} ${path}`]));
}
