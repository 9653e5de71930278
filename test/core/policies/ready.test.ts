import { expect, test } from "vitest";
import { readyPolicies } from "../../../core/policies/ready.ts";
import { policiesOf } from "../../fixtures/policies.ts";
import { World } from "../plan/world.ts";

const live = `
project:shop:
environment:shop/staging:
job:shop/staging/old:
`;

const service = (kind: string, rest: string) =>
  `kind: ${kind}\nenvironment: shop/staging\nname: new\n${rest}`;
const database = (rest = "") =>
  service("Database", `type: POSTGRESQL\nversion: "16"\nmode: CONTAINER\n${rest}`);
const container = (rest = "", tag = "1.2.3") =>
  service("Container", `registry: docker-hub\nimage_name: acme/web\ntag: ${tag}\n${rest}`);
const job = (rest = "", tag = "1.2.3") =>
  service(
    "Job",
    `source: { image: { registry: docker-hub, image_name: acme/x, tag: ${tag} } }\nschedule: { on_start: {} }\n${rest}`,
  );
const ofGit = service(
  "Job",
  "source: { docker: { git_repository: { url: https://github.com/acme/x, branch: main }, dockerfile_path: Dockerfile } }\nschedule: { on_start: {} }",
);
const ports = "ports: [{ internal_port: 80, publicly_accessible: false }]";
const probe = "healthchecks: { readiness_probe: { type: { tcp: { port: 80 } } } }";

/** For each policy: what it forbids, and what it lets pass. */
const cases: Record<string, { with?: string; forbids: string[]; allows: string[] }> = {
  "no-public-database": { forbids: [database("accessibility: PUBLIC")], allows: [database(), job()] },
  "pinned-image-tag": {
    forbids: [container("", "latest"), job("", "main")],
    allows: [container(), job(), ofGit],
  },
  "pinned-chart-version": { forbids: [], allows: [job()] },
  "trusted-registries": {
    with: "{ registries: [ecr] }",
    forbids: [container(), job()],
    allows: [ofGit, database()],
  },
  "memory-bounds": {
    with: "{ max: 1024 }",
    forbids: [job("memory: 2048"), container("memory: 32")],
    allows: [job(), container("memory: 1024"), database()],
  },
  "cpu-bounds": { forbids: [job("cpu: 9000"), database("cpu: 10")], allows: [job(), database()] },
  "instance-bounds": {
    forbids: [container(), container("min_running_instances: 2\nmax_running_instances: 20")],
    allows: [container("min_running_instances: 2\nmax_running_instances: 2"), job()],
  },
  "required-labels-groups": { with: "{ groups: [team] }", forbids: [job(), database()], allows: [] },
  "health-checks": { forbids: [container(ports)], allows: [container(), container(`${ports}\n${probe}`)] },
  "no-public-ports": {
    forbids: [container("ports: [{ internal_port: 80, publicly_accessible: true }]")],
    allows: [container(ports), container()],
  },
  "passwords-are-secrets": {
    forbids: [job("variables: { DB_PASSWORD: x }")],
    allows: [job("variables: { LEVEL: x }"), job("secrets: { DB_PASSWORD: { from_env: A } }"), database()],
  },
  "approve-deletions": { forbids: [], allows: [job()] },
};

const verdicts = async (name: string, documents: string, given?: string) => {
  const { policies, problems } = await policiesOf(
    `policies:\n  - ready: ${name}${given === undefined ? "" : `\n    with: ${given}`}`,
  );
  expect(problems).toEqual([]);
  return World.of(live)
    .plan(documents, { policies })
    .problems.map(({ message }) => message);
};

test.for(Object.entries(readyPolicies))(
  "%s forbids what it says, and nothing else",
  async ([name, { states }]) => {
    const { forbids = [], allows = [], with: given } = cases[name] ?? {};
    expect(forbids.length + allows.length).toBeGreaterThan(0);
    const says = `policy ${name}: ${String(states["message"])}`;
    for (const documents of forbids)
      expect(await verdicts(name, documents, given)).toEqual([expect.stringContaining(says)]);
    for (const documents of allows) expect(await verdicts(name, documents, given)).toEqual([]);
  },
);

test("there are twelve ready policies", () => {
  expect(Object.keys(readyPolicies)).toHaveLength(12);
});
