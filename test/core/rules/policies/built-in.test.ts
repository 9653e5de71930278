import { expect, test } from "vitest";
import { builtInPolicies } from "../../../../core/rules/policies/built-in.ts";
import { policiesOf } from "../../../fixtures/policies.ts";
import { World } from "../../planning/plan/world.ts";

const live = `
containerregistry:quay: { type: ECR, url: "https://ecr.example" }
containerregistry:other: { type: ECR, url: "https://other.example" }
project:shop:
environment:shop/staging:
job:shop/staging/old:
container:shop/staging/volumes: { registry: docker-hub, image_name: a, tag: "1", storage: [{ type: FAST_SSD, size: 20, mount_point: /data }] }
database:shop/staging/db: { type: POSTGRESQL, version: "16", mode: CONTAINER, accessibility: PUBLIC }
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
const application = (rest = "") =>
  service("Application", `git_repository: { url: "https://github.com/acme/api", branch: main }\n${rest}`);
const helm = (source: string, rest = "") => service("Helm", `source: { ${source} }\n${rest}`);
const chart = (version: string, rest = "") =>
  helm(`helm_repository: { repository: bitnami, chart_name: redis, chart_version: "${version}" }`, rest);
const terraform = (rest = "", url = "https://github.com/acme/infra") =>
  service(
    "Terraform",
    `terraform_files_source: { git_repository: { url: "${url}", branch: main } }
backend: { kubernetes: {} }
engine: TERRAFORM
provider_version: { explicit_version: "1.9.0" }
job_resources: { cpu_milli: 500, ram_mib: 512, storage_gib: 1 }
${rest}`,
  );
const built = (url: string, rest = "") =>
  service(
    "Job",
    `source: { docker: { git_repository: { url: "${url}", provider: GITHUB, branch: main }, dockerfile_path: Dockerfile${rest} } }\nschedule: { on_start: {} }`,
  );
const old = (rest: string) => `kind: Job\nenvironment: shop/staging\nname: old\n${rest}`;
const copy = "kind: Environment\nproject: shop\nname: copy\nclone: { from: shop/staging }";
const ports = "ports: [{ internal_port: 80, publicly_accessible: false }]";
const probe = "healthchecks: { readiness_probe: { type: { tcp: { port: 80 } } } }";

/** For each policy: what it forbids, each a way around it that somebody may try, and what it lets pass. */
const cases: Record<string, { with?: string; forbids: string[]; allows: string[] }> = {
  "no-public-database": {
    forbids: [
      database("accessibility: PUBLIC"),
      "kind: Database\nenvironment: shop/staging\nname: db\ncpu: 500",
      copy,
    ],
    allows: [database(), job()],
  },
  "pinned-image-tag": {
    forbids: [
      container("", "latest"),
      job("", "main"),
      job("", "LATEST"),
      container("", "Latest"),
      container("", '" latest "'),
      container("", "latest-alpine"),
      old("source: { image: { tag: Nightly } }"),
    ],
    allows: [
      container(),
      job(),
      ofGit,
      container("", "main-3f2c1a9"),
      container("", `"1.2.3@sha256:${"0".repeat(64)}"`),
      container("", `"latest@sha256:${"0".repeat(64)}"`),
    ],
  },
  "pinned-chart-version": {
    forbids: [
      chart("latest"),
      chart("1.2"),
      chart("1.2.x"),
      chart(">1.2.3"),
      chart("1.2.3 || 2.0.0"),
      chart("1.2.3 - 2.0.0"),
    ],
    allows: [job(), chart("1.2.3"), chart("v1.2.3-rc.1+build")],
  },
  "trusted-registries": {
    with: '{ registries: [ecr, quay, harbor], git: ["https://github.com/acme/", "https://git.example/x"], helm_repositories: [bitnami] }',
    forbids: [
      container(),
      job(),
      built("https://github.com/mallory/x"),
      built("https://github.com/acme/../mallory/x"),
      built("https://github.com/acme.evil/x"),
      built("https://git.example/xy"),
      built("https://github.com/acme/x", ', dockerfile_raw: "FROM mallory/x"'),
      old('source: { docker: { git_repository: { url: "https://github.com/mallory/x", branch: main } } }'),
      application().replace("acme", "mallory"),
      helm('git_repository: { url: "https://github.com/mallory/x", branch: main, root_path: / }'),
      chart("1.2.3").replace("bitnami", "mallory"),
      terraform("", "https://github.com/mallory/x"),
      terraform('dockerfile_fragment: { type: inline, content: "COPY --from=mallory/x / /" }'),
      copy,
      "kind: ContainerRegistry\nname: quay\nurl: https://mallory.example",
      "kind: ContainerRegistry\nname: harbor\nmanage: { renamed_from: other }",
    ],
    allows: [
      container().replace("docker-hub", "ecr"),
      job().replace("docker-hub", "ECR"),
      built("https://github.com/Acme/x"),
      built("https://git.example/x.git"),
      application(),
      chart("1.2.3"),
      terraform(),
      database(),
      "kind: ContainerRegistry\nname: other\nurl: https://else.example",
    ],
  },
  "memory-bounds": {
    with: "{ max: 1024 }",
    forbids: [job("memory: 2048"), container("memory: 32"), terraform().replace("512", "4096")],
    allows: [job(), container("memory: 1024"), database(), terraform()],
  },
  "cpu-bounds": {
    forbids: [job("cpu: 9000"), database("cpu: 10"), terraform().replace("500", "9000")],
    allows: [job(), database(), terraform()],
  },
  "instance-bounds": {
    forbids: [
      container(),
      container("min_running_instances: 2\nmax_running_instances: 20"),
      container("min_running_instances: 2\nmax_running_instances: -1"),
    ],
    allows: [container("min_running_instances: 2\nmax_running_instances: 2"), job()],
  },
  "required-labels-groups": {
    with: "{ groups: [team] }",
    forbids: [job(), database(), old("cpu: 700")],
    allows: [],
  },
  "health-checks": {
    forbids: [
      container(ports),
      container(`${ports}\nhealthchecks: { readiness_probe: { period_seconds: 5 } }`),
      container(`${ports}\nhealthchecks: { liveness_probe: { type: { tcp: { port: 80 } } } }`),
    ],
    allows: [container(), container(`${ports}\n${probe}`)],
  },
  "no-public-ports": {
    forbids: [
      container("ports: [{ internal_port: 80, publicly_accessible: true }]"),
      application("ports: [{ internal_port: 80, publicly_accessible: true }]"),
      database("accessibility: PUBLIC"),
      chart("1.2.3", "ports: [{ internal_port: 80, service_name: web }]"),
    ],
    allows: [container(ports), container(), chart("1.2.3"), database()],
  },
  "passwords-are-secrets": {
    forbids: [
      "DB_PASSWORD",
      "db_password",
      "dbPassword",
      "DB_PASSWORD2",
      "DB_PASSWORD_OLD",
      "PASSWORD_OF_DB",
      "AWS_SECRET_ACCESS_KEY",
      "ApiKey",
      "STRIPE_TOKENS",
    ]
      .map((name) => job(`variables: { ${name}: x }`))
      .concat([
        terraform("terraform_variables_source: { tf_vars: [{ key: db_password, value: x }] }"),
        "kind: Environment\nproject: shop\nname: staging\nvariables: { api_token: x }",
        "kind: Project\nname: shop\nvariables: { api_token: x }",
      ]),
    allows: [
      job("variables: { LEVEL: x, KEYBOARD: x, TOKEN_URL: x, AWS_ACCESS_KEY_ID: x, PASSWORD_FILE: x }"),
      job("secrets: { DB_PASSWORD: { from_env: A } }"),
      database(),
    ],
  },
  "approve-deletions": {
    forbids: ["kind: Container\nenvironment: shop/staging\nname: volumes\nstorage: []"],
    allows: [job(), old("cpu: 700")],
  },
};

const verdicts = async (name: string, documents: string, given?: string) => {
  const { policies, problems } = await policiesOf(
    `policies:\n  - built_in: ${name}${given === undefined ? "" : `\n    with: ${given}`}`,
  );
  expect(problems).toEqual([]);
  return World.of(live)
    .plan(documents, { policies })
    .problems.flatMap(({ code, message }) => (code === "policy" ? [message] : []));
};

test.for(Object.entries(builtInPolicies))(
  "%s forbids what it says, and nothing else",
  async ([name, { states }]) => {
    const { forbids = [], allows = [], with: given } = cases[name] ?? {};
    expect(forbids.length + allows.length).toBeGreaterThan(0);
    const [says = ""] = `policy ${name}: ${String(states["message"])}`.split("{");
    for (const documents of forbids)
      expect(await verdicts(name, documents, given), documents).toContainEqual(expect.stringContaining(says));
    for (const documents of allows) expect(await verdicts(name, documents, given), documents).toEqual([]);
  },
);

test.for([
  ["memory-bounds", "{ max: 1024 }", job("memory: 4096"), "the memory is not between 64 and 1024 MB"],
  [
    "required-labels-groups",
    "{ groups: [team, cost] }",
    job(),
    "it needs each of these labels groups: team, cost",
  ],
] as const)("the message of %s names the limits in force", async ([name, given, documents, message]) => {
  expect(await verdicts(name, documents, given)).toEqual([expect.stringContaining(message)]);
});

test("there are twelve built-in policies", () => {
  expect(Object.keys(builtInPolicies)).toHaveLength(12);
});
