import type { Seed } from "./seed-file.ts";

// Seeds that need no file: the guides start from them.

const api = {
  name: "api",
  git_repository: { url: "https://github.com/acme/api", branch: "main", provider: "GITHUB" },
  ports: [{ internal_port: 8080, publicly_accessible: true }],
};

const image = (image_name: string, tag: string) => ({
  image: { registry_id: "docker-hub", image_name, tag },
});

/** A shop made by hand. */
const shop: Seed = {
  projects: [
    {
      name: "shop",
      environments: [
        {
          name: "production",
          mode: "PRODUCTION",
          cluster: "eu-west",
          variables: [{ key: "LEVEL", value: "info" }],
          applications: [{ ...api, cpu: 1000, min_running_instances: 2, max_running_instances: 4 }],
          databases: [
            {
              name: "orders",
              type: "POSTGRESQL",
              version: "17",
              mode: "MANAGED",
              instance_type: "db.t3.medium",
            },
          ],
          jobs: [
            {
              name: "migrate",
              source: image("acme/migrate", "2.0.0"),
              schedule: { on_start: { arguments: ["--up"] } },
              variables: [{ key: "DATABASE_URL", value: "hidden", is_secret: true }],
            },
            {
              name: "nightly-report",
              description: "Sends the report.",
              source: image("acme/report", "1.4.2"),
              schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: "Europe/Paris" } },
              max_duration_seconds: 1800,
            },
          ],
        },
        { name: "staging", mode: "STAGING", cluster: "eu-west", applications: [api] },
      ],
    },
  ],
};

/** A shop that Terraform manages: the ids are those of the state in the guide. */
const terraform: Seed = {
  projects: [
    {
      id: "5d3b0c1e-0a57-4c0e-8f55-3a1c6a0f9e01",
      name: "shop",
      environments: [
        {
          id: "5d3b0c1e-0a57-4c0e-8f55-3a1c6a0f9e02",
          name: "production",
          mode: "PRODUCTION",
          cluster: "eu-west",
          jobs: [
            {
              id: "5d3b0c1e-0a57-4c0e-8f55-3a1c6a0f9e03",
              name: "migrate",
              source: image("acme/migrate", "2.0.0"),
              schedule: { on_start: { arguments: ["--up"] } },
              variables: [
                { key: "BATCH_SIZE", value: "500" },
                { key: "DATABASE_URL", value: "hidden-in-the-api", is_secret: true },
              ],
            },
            { name: "by-hand", source: image("acme/report", "1.4.2"), schedule: { on_start: {} } },
          ],
        },
      ],
    },
  ],
  git_tokens: [
    {
      id: "5d3b0c1e-0a57-4c0e-8f55-3a1c6a0f9e04",
      name: "deploy-bot",
      type: "GITHUB",
      token: "hidden-in-the-api",
    },
  ],
};

/** The built-in seeds by their names. */
export const builtInSeeds: ReadonlyMap<string, Seed> = new Map([
  ["shop", shop],
  ["terraform", terraform],
]);
