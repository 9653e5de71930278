import type { Seed } from "../../emulator/index.ts";

/** A token that is easy to find in any output. */
export const canary = "c4nary-t0ken-of-the-tests";

/** An organization with a project that no manifest of a test describes, and that must not change. */
export const seed: Seed = {
  tokens: { admin: canary },
  projects: [
    {
      name: "bystander",
      environments: [
        {
          name: "production",
          mode: "PRODUCTION",
          cluster: "eu-west",
          variables: [{ key: "LEVEL", value: "debug" }],
          jobs: [
            {
              name: "job-0",
              source: { image: { registry_id: "docker-hub", image_name: "acme/other", tag: "7" } },
              schedule: { cronjob: { scheduled_at: "0 4 * * *", timezone: "UTC" } },
              healthchecks: {},
            },
          ],
          applications: [
            {
              name: "app-0",
              git_repository: { url: "https://github.com/acme/other", branch: "main", provider: "GITHUB" },
              ports: [{ internal_port: 80, publicly_accessible: false }],
              healthchecks: {},
            },
          ],
        },
      ],
    },
  ],
};
