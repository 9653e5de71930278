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

export const builtInSeeds: ReadonlyMap<string, Seed> = new Map([["shop", shop]]);
