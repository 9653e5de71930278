import { beforeEach, onTestFinished } from "vitest";
import type { Json } from "../../../core/values/json.ts";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { Harness } from "../../fixtures/harness.ts";
import { type Entry, Pass } from "./pass.ts";

/** A server for each test of a file, with an environment created by the provider. */
export interface Staging {
  readonly server: Harness;
  readonly environment: Entry;
  /** Starts a new process. */
  pass(config?: Record<string, string>): Promise<Pass>;
  /** Inputs of a cron job in the environment. */
  nightly(): Properties;
  /** Inputs of an application in the environment. */
  api(): Properties;
  /** The response of the API for a resource. */
  live(entry: Entry): Promise<Json>;
  /** The contents of the environment. */
  services(): ReturnType<Harness["results"]>;
}

export function useStaging(): Staging {
  let server: Harness;
  let environment: Entry;

  beforeEach(async () => {
    server = await Harness.start({ clock: "frozen" });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const pass = await Pass.start(server.emulator, {}, server.clock);
    const project = await pass.create("Project", { name: "shop" });
    environment = await pass.create("Environment", {
      project: project.id,
      name: "staging",
      mode: "STAGING",
      cluster: "eu-west",
    });
  });

  return {
    get server() {
      return server;
    },
    get environment() {
      return environment;
    },
    pass: (config) => Pass.start(server.emulator, config, server.clock),
    nightly: () => ({
      environment: environment.id,
      name: "nightly",
      source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1.4.2" } },
      schedule: { cronjob: { scheduledAt: "0 3 * * *", timezone: "Europe/Paris" } },
    }),
    api: () => ({
      environment: environment.id,
      name: "api",
      gitRepository: { url: "https://github.com/acme/api", branch: "main" },
      ports: [{ internalPort: 8080, publiclyAccessible: true }],
    }),
    live: (entry) => server.api("GET", `/${entry.kind.toLowerCase()}/${entry.id}`),
    services: () => server.results(`/environment/${environment.id}/services`),
  };
}
