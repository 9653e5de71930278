import type { ServerOptions, States } from "./random-schedules.ts";
import { application, clone, environment, job, project } from "../fixtures/documents.ts";

/** An apply with 20 resources and two clones: it creates, updates, deletes and clones. */
export const grid: States & { server: ServerOptions } = {
  server: { duplicate_names: false, clone_delay_ms: 30, delete_delay_ms: 20 },
  before: [
    project(),
    environment("shop/production", { mode: "PRODUCTION" }),
    ...named("job", 5).map((name) => job(`shop/production/${name}`)),
    application("shop/production/web"),
    environment("shop/staging"),
    job("shop/staging/old-0"),
    job("shop/staging/old-1"),
  ],
  after: [
    project("shop"),
    environment("shop/production", { mode: "PRODUCTION" }),
    ...named("job", 5).map((name, index) => job(`shop/production/${name}`, { cpu: index < 3 ? 750 : 500 })),
    application("shop/production/web", {
      ports: [{ internal_port: 8080 }, { internal_port: 9090, publicly_accessible: false }],
    }),
    environment("shop/staging", { mode: "DEVELOPMENT", manage: { prune: true } }),
    ...named("new", 5).map((name) => job(`shop/staging/${name}`)),
    application("shop/staging/api"),
    application("shop/staging/worker"),
    clone("Job", "shop/staging/copy", "shop/production/job-4", { memory: 1024 }),
    clone("Environment", "shop/preview", "shop/production", { mode: "PREVIEW" }),
    job("shop/preview/job-0", { cpu: 250 }),
    job("shop/preview/job-1", { memory: 256 }),
  ],
};

function named(what: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${what}-${index}`);
}
