import type { Fields } from "../../core/json.ts";

export const project = (name = "shop"): Fields => ({ kind: "Project", name });

export const environment = (name = "shop/staging", more: Fields = {}): Fields => ({
  kind: "Environment",
  ...placed("project", name),
  mode: "STAGING",
  cluster: "eu-west",
  ...more,
});

export const job = (name: string, more: Fields = {}): Fields => ({
  kind: "Job",
  ...placed("environment", name),
  source: { image: { registry: "docker-hub", image_name: "acme/report", tag: "1" } },
  schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: "UTC" } },
  ...more,
});

export const application = (name: string, more: Fields = {}): Fields => ({
  kind: "Application",
  ...placed("environment", name),
  git_repository: { url: "https://github.com/acme/api", branch: "main" },
  ports: [{ internal_port: 8080, publicly_accessible: true }],
  ...more,
});

/** A document that says nothing but what it is cloned from, and what is to differ. */
export const clone = (
  kind: "Environment" | "Job",
  name: string,
  from: string,
  more: Fields = {},
): Fields => ({
  kind,
  ...placed(kind === "Job" ? "environment" : "project", name),
  clone: { from },
  ...more,
});

/** A job that runs when its environment starts: the same name with this needs a replacement. */
export const lifecycle = (name: string, more: Fields = {}): Fields => ({
  ...job(name, more),
  schedule: { on_start: {} },
});

/** The project shop with the environment staging. */
export const shop: readonly Fields[] = [project(), environment()];

function placed(member: string, name: string): Fields {
  const parts = name.split("/");
  return { [member]: parts.slice(0, -1).join("/"), name: parts.at(-1) ?? "" };
}
