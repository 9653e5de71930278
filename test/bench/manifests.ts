import { stringify } from "yaml";

/** The number of environments in one project, of jobs in each environment, and of variables on each job. */
export interface Size {
  environments: number;
  jobs: number;
  variables: number;
}

/** Manifests of that size, as texts by file name: one file for each environment. */
export function benchManifests(
  { environments, jobs, variables }: Size,
  project = "bench",
): Map<string, string> {
  const files = new Map([["project.yaml", stringify({ kind: "Project", name: project })]]);
  for (let environment = 0; environment < environments; environment += 1) {
    const name = `environment-${environment}`;
    const documents: object[] = [{ kind: "Environment", project, name, mode: "STAGING", cluster: "eu-west" }];
    for (let job = 0; job < jobs; job += 1)
      documents.push(benchJob(`${project}/${name}`, `job-${job}`, variables));
    files.set(`${name}.yaml`, documents.map((document) => stringify(document)).join("---\n"));
  }
  return files;
}

function benchJob(environment: string, name: string, variables: number): object {
  const keys = Array.from({ length: variables }, (_, index) => `KEY_${index}`);
  return {
    kind: "Job",
    environment,
    name,
    description: "Sends the report of the day",
    cpu: 250,
    memory: 256,
    max_nb_restart: 2,
    source: { image: { registry: "docker-hub", image_name: "acme/report", tag: "1.4.2" } },
    schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: "Europe/Paris", arguments: ["--all"] } },
    healthchecks: { liveness_probe: { type: { http: { port: 8080, path: "/health" } } } },
    labels_groups: ["team-labels"],
    ...(variables > 0 && { variables: Object.fromEntries(keys.map((key) => [key, `value of ${key}`])) }),
  };
}
