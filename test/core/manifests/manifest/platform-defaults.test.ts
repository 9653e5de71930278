import { expect, test } from "vitest";
import { formatAddress } from "../../../../core/model/addresses/address.ts";
import { doubtfulValues, leftToPlatform, parseManifest } from "../../../../core/manifests/manifest/index.ts";

const environment = "environment: shop/staging";
const container = `kind: Container\n${environment}\nimage_name: a/web\ntag: "1"\nregistry: hub`;
const managed = `kind: Database\n${environment}\nname: orders\ntype: POSTGRESQL\nversion: "16"`;

test.each<[text: string, notes: [start: string, resources: string[]][]]>([
  [`${container}\nname: a\nauto_deploy: false`, []],
  [`${container}\nname: a\nclone: { from: shop/production/a }`, []],
  [
    `${container}\nname: a\n---\n${container.replace("Container", "Application").replace(/image_name.*/s, "git_repository: { url: https://github.com/acme/web }")}\nname: b`,
    [
      [
        "2 documents do not declare auto_deploy: for a new resource, the platform sets true",
        ["container:shop/staging/a", "application:shop/staging/b"],
      ],
    ],
  ],
  [`${managed}\nmode: CONTAINER`, []],
  [
    `${managed}\nmode: MANAGED`,
    [
      [
        "1 document does not declare instance_type: for a new resource, the platform refuses a managed database without one",
        ["database:shop/staging/orders"],
      ],
    ],
  ],
  [
    "kind: Cluster\nname: a\ncloud_provider: AWS\nregion: eu\nmin_running_nodes: 3\nmax_running_nodes: 9\ninstance_type: t3.large",
    [],
  ],
])("%s: %j", (text, expected) => {
  const { documents, problems } = parseManifest(text, "shop.yaml");
  expect(problems).toEqual([]);
  const notes = leftToPlatform(documents);
  expect(notes.map(({ resources }) => resources.map(formatAddress))).toEqual(
    expected.map(([, those]) => those),
  );
  for (const [index, { message }] of notes.entries()) expect(message).toContain(expected[index]?.[0]);
});

const jobOf = (cron: string) =>
  `kind: Job\n${environment}\nname: a\nsource: { image: { image_name: a/b, tag: "1", registry: hub } }\nschedule: { cronjob: { scheduled_at: "${cron}" } }`;
const built = (repository: string) =>
  `kind: Application\n${environment}\nname: a\ngit_repository: ${repository}`;
const ssh = "git_repository: { url: git@github.com:acme/api.git, provider: GITHUB }";
const sshAdvice = "write https://github.com/acme/api.git";
const ofGit = `source: { docker: { ${ssh} } }\nschedule: { on_start: {} }`;
const chart = `source: { ${ssh.replace(", provider: GITHUB", "")} }`;
const chartValues = `source: { helm_repository: { repository: r, chart_name: c, chart_version: "1" } }\nvalues_override: { file: { git: { ${ssh}, paths: [a.yaml] } } }`;
const infra = `terraform_files_source: { ${ssh.replace(", provider: GITHUB", "")} }\nbackend: { kubernetes: {} }\nengine: OPEN_TOFU\nprovider_version: { explicit_version: 1.9.7 }\njob_resources: { cpu_milli: 500, ram_mib: 512, storage_gib: 1 }`;
const cluster = `kind: Cluster\nname: a\ncloud_provider: ON_PREMISE\nregion: on-premise\ninfrastructure_charts_parameters: { eks_anywhere_parameters: { yaml_file_path: a.yaml, ${ssh.replace(" }", ", git_token_id: 4f9d4829-0559-42d8-842c-2ade7094bf28 }")} } }`;
const ruleOf = (rest: string) =>
  `kind: DeploymentRule\nproject: shop\nname: a\nmode: STAGING\ncluster: eu\ntimezone: UTC\nstart_time: 2026-01-01T08:00:00Z\n${rest}`;

test.each<[what: string, text: string, said: string | undefined]>([
  ["one CPU", `${container}\nname: a\ncpu: 1`, "cpu: 1 is a number of millicores; 1000 is one CPU"],
  ["a tenth of a CPU", `${container}\nname: a\ncpu: 100`, undefined],
  ["memory in GB", `${container}\nname: a\nmemory: 2`, "memory: 2 is a number of MB; 1 GB is 1024"],
  [
    "memory in bytes",
    `${container}\nname: a\nmemory: 536870912`,
    "memory: 536870912 is a number of MB, not of bytes",
  ],
  ["memory of a database in GB", `${managed}\nmemory: 1`, "memory: 1 is a number of MB"],
  [
    "storage in bytes",
    `${managed}\nstorage: 10737418240`,
    "storage: 10737418240 is a number of GB, not of MB or bytes",
  ],
  [
    "a registry and a tag in the name of an image",
    `${container.replace("a/web", "ghcr.io/acme/web:2")}\nname: a`,
    'image_name: "ghcr.io/acme/web:2" contains more than a name: declare the registry ghcr.io in registry, 2 in tag, and here acme/web',
  ],
  [
    "a registry with a port",
    `${container.replace("a/web", "localhost:5000/web")}\nname: a`,
    "the registry localhost:5000 in registry, and here web",
  ],
  ["a digest", `${container.replace("a/web", "web@sha256:12")}\nname: a`, "sha256:12 in tag, and here web"],
  ["capital letters", `${container.replace("a/web", "Acme/Web")}\nname: a`, "write acme/web"],
  ["an image in a tag", `${container.replace('"1"', '"web:1"')}\nname: a`, 'tag: "web:1" is not a tag'],
  [
    "a root as a mount point",
    `${container}\nname: a\nstorage: [{ mount_point: /, size: 1, type: FAST_SSD }]`,
    'storage[/].mount_point: "/" hides all other files',
  ],
  [
    "a file at a relative path",
    `${container}\nname: a\nvariables: { A: { file: { mount_path: etc/a, text: b } } }`,
    'variables.A.file.mount_path: "etc/a" does not begin with /: write /etc/a',
  ],
  ["a day that never comes", jobOf("0 0 30 2 *"), 'scheduled_at: "0 0 30 2 *" never runs'],
  ["a day that short months lack", jobOf("0 0 31 4,6 *"), "never runs"],
  ["a leap day", jobOf("0 0 29 2 *"), undefined],
  ["a day of the week beside it", jobOf("0 0 30 2 1"), undefined],
  [
    "each minute of an hour",
    jobOf("* 3 * * *"),
    "runs in each of the 60 minutes of hour 3: for one run, write 0 3 * * *",
  ],
  ["each minute", jobOf("* * * * *"), undefined],
  [
    "a page in place of a repository",
    built("{ url: https://github.com/acme/api/tree/main/web }"),
    "is a page of a repository: write https://github.com/acme/api",
  ],
  ...[
    ["git@github.com:acme/api.git", "https://github.com/acme/api.git"],
    ["git.example.com:acme/api", "https://git.example.com/acme/api"],
    ["ssh://git@git.example.com:2222/acme/api.git", "https://git.example.com/acme/api.git"],
    ["git://git.example.com/acme/api.git", "https://git.example.com/acme/api.git"],
    ["git+ssh://git@github.com/acme/api", "https://github.com/acme/api"],
    ["github.com/acme/api", "https://github.com/acme/api"],
    ["acme/api", "one such as https://github.com/acme/api"],
    ["file:///srv/api.git", "one such as https://github.com/acme/api"],
  ].map(([url = "", meant = ""]): [string, string, string] => [
    url,
    built(`{ url: "${url}", provider: GITHUB }`),
    `git_repository.url: "${url}" is not an https URL, which the API needs: write ${meant}`,
  ]),
  ["a repository with http", built("{ url: http://git.example.com/a/b, provider: GITLAB }"), undefined],
  ["a job of a repository", `kind: Job\n${environment}\nname: a\n${ofGit}`, sshAdvice],
  ["a chart of a repository", `kind: Helm\n${environment}\nname: a\n${chart}`, sshAdvice],
  ["values of a repository", `kind: Helm\n${environment}\nname: a\n${chartValues}`, sshAdvice],
  ["Terraform files of a repository", `kind: Terraform\n${environment}\nname: a\n${infra}`, sshAdvice],
  ["a cluster of a repository", cluster, sshAdvice],
  [
    "a reference in place of a branch",
    built("{ url: https://github.com/acme/api, branch: refs/heads/main }"),
    "write main",
  ],
  ["a branch with a slash", built("{ url: https://github.com/acme/api, branch: feature/tree }"), undefined],
  [
    "production without a mode",
    "kind: Environment\nproject: shop\nname: Production",
    "mode: the environment Production has no mode",
  ],
  ["production with a mode", "kind: Environment\nproject: shop\nname: production\nmode: STAGING", undefined],
  [
    "a copy of production",
    "kind: Environment\nproject: shop\nname: prod\nclone: { from: shop/staging }",
    undefined,
  ],
  [
    "a rule without days",
    ruleOf("stop_time: 2026-01-01T20:00:00Z\nauto_stop: true\nweekdays: []"),
    "weekdays: has no day",
  ],
  [
    "a rule that stops when it starts",
    ruleOf("stop_time: 2026-01-01T08:00:00Z\nauto_stop: true\nweekdays: [MONDAY]"),
    "stop_time: is the start_time too",
  ],
  ["a rule that stops nothing", ruleOf("stop_time: 2026-01-01T08:00:00Z\nweekdays: []"), undefined],
])("what hardly anybody means is told: %s", (_what, text, said) => {
  const { documents, problems } = parseManifest(text, "shop.yaml");
  expect(problems).toEqual([]);
  const messages = doubtfulValues(documents).map(({ message }) => message);
  expect(messages).toEqual(said === undefined ? [] : [expect.stringContaining(said)]);
});
