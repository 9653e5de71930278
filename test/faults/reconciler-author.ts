import type { GitRepository } from "../fixtures/git-repository.ts";
import type { Harness } from "../fixtures/harness.ts";

const base = `kind: Project
name: shop
---
kind: Environment
project: shop
name: staging
mode: STAGING
manage: { prune: true }
---
kind: Environment
project: shop
name: production
mode: PRODUCTION
`;

const document = (environment: string, name: string, cpu: number) => `kind: Job
environment: shop/${environment}
name: ${name}
cpu: ${cpu}
source: { image: { registry: docker-hub, image_name: acme/report, tag: "1" } }
schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: UTC } }
`;

/** Whether somebody else has made a job of that name. */
export function isStranger(name: string): boolean {
  return name.startsWith("stranger-");
}

/** The name of the service's token, which its events have. */
const serviceName = "reconciler";

/** A token for the service, so that its deletions can be told from those of others. */
export async function serviceToken(server: Harness): Promise<string> {
  const root = `/organization/${server.organization.id}`;
  const roles = await server.results(`${root}/availableRole`);
  const role = roles.find(({ name }) => name === "Admin")?.["id"];
  const token = (await server.api("POST", `${root}/apiToken`, { name: serviceName, role_id: role })) as {
    token: string;
  };
  return token.token;
}

/** Pushes random commits, good and bad ones, and remembers what they describe. */
export class Author {
  readonly #origin: GitRepository;
  readonly #random: () => number;
  /** The processors of each job, by `staging/name`. */
  readonly #jobs = new Map<string, number>();
  /** The jobs that some commit has taken out. */
  readonly #removed = new Set<string>();
  #isBroken = false;
  #count = 0;

  constructor(origin: GitRepository, random: () => number) {
    this.#origin = origin;
    this.#random = random;
  }

  /** The first commit. */
  begin(): string {
    for (let index = 0; index < 4; index += 1)
      for (const environment of ["staging", "production"]) this.#jobs.set(`${environment}/job-${index}`, 500);
    return this.#push({});
  }

  /** Another commit. */
  change(): string {
    const chance = this.#random();
    const keys = [...this.#jobs.keys()];
    const key = keys[Math.floor(this.#random() * keys.length)] ?? "staging/job-0";
    if (this.#isBroken || chance < 0.5) this.#jobs.set(key, 250 + 250 * Math.floor(this.#random() * 8));
    else if (chance < 0.7) this.#jobs.set(`staging/new-${(this.#count += 1)}`, 500);
    else if (chance < 0.85 && key.startsWith("staging")) {
      this.#jobs.delete(key);
      this.#removed.add(key.slice("staging/".length));
    } else if (chance < 0.95) {
      this.#isBroken = true;
      return this.#origin.push({ "infra/broken.yaml": "kind: Job\ncolour: red\n" });
    }
    return this.#push({ "infra/broken.yaml": undefined });
  }

  /** A commit without mistakes that changes a job of staging. */
  touch(): string {
    const key = [...this.#jobs.keys()].find((each) => each.startsWith("staging/")) ?? "staging/job-0";
    this.#jobs.set(key, (this.#jobs.get(key) ?? 500) + 1);
    return this.#push({ "infra/broken.yaml": undefined });
  }

  /** A commit without mistakes that changes nothing else. */
  mended(): string {
    return this.#push({ "infra/broken.yaml": undefined, "infra/README.yaml": "# mended\n" });
  }

  /** The last commit, which has no mistakes. */
  finish(): string {
    return this.#push({ "infra/broken.yaml": undefined, "infra/README.yaml": "# the end\n" });
  }

  /** What the newest commit without mistakes describes. */
  documents(): string {
    return [base, ...this.#files().values()].join("---\n");
  }

  /** The names of what the reconciler has deleted. */
  async deletions(server: Harness): Promise<string[]> {
    const { events } = (await server.api(
      "GET",
      `/organization/${server.organization.id}/events?eventType=DELETE&triggeredBy=${serviceName}&pageSize=100`,
    )) as { events: { target_name: string }[] };
    return events.map(({ target_name: name }) => name);
  }

  /** @throws when the reconciler has deleted what every commit describes, or what none has declared */
  async checkDeletions(server: Harness): Promise<void> {
    for (const name of await this.deletions(server))
      if (!this.#removed.has(name))
        throw new Error(
          `${name} was deleted although ${isStranger(name) ? "no commit has ever declared it" : "every commit declares it"}`,
        );
  }

  #push(more: Record<string, string | undefined>): string {
    this.#isBroken = false;
    const files = this.#files();
    const gone = [...this.#removed].map((name) => `infra/staging-${name}.yaml`);
    return this.#origin.push({
      "infra/shop.yaml": base,
      ...Object.fromEntries(gone.map((name) => [name, undefined])),
      ...Object.fromEntries(files),
      ...more,
    });
  }

  #files(): Map<string, string> {
    return new Map(
      [...this.#jobs].map(([key, cpu]) => {
        const [environment = "", name = ""] = key.split("/");
        return [`infra/${environment}-${name}.yaml`, document(environment, name, cpu)];
      }),
    );
  }
}
