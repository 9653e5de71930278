import { expect, test } from "vitest";
import type { Policy } from "../../../../core/planning/plan/index.ts";
import { policiesOf } from "../../../fixtures/policies.ts";
import { World } from "../../planning/plan/world.ts";

const live = `
project:shop:
environment:shop/production: { variables: [LEVEL] }
job:shop/production/a: { cpu: 500, variables: [KEY] }
job:shop/production/b: { variables: ["ALIAS = environment:shop/production LEVEL"] }
container:shop/production/store:
  registry: docker-hub
  image_name: acme/store
  tag: "1"
  storage: [{ type: FAST_SSD, size: 20, mount_point: /data }, { type: FAST_SSD, size: 10, mount_point: /log }]
`;

const job = (rest: string, environment = "shop/production", name = "a") =>
  `kind: Job\nenvironment: ${environment}\nname: ${name}\n${rest}`;
const newJob = (environment: string) =>
  job(
    `source: { image: { registry: docker-hub, image_name: acme/x, tag: "1" } }\nschedule: { on_start: {} }\ncpu: 700`,
    environment,
    "new",
  );
const store = (rest: string) => `kind: Container\nenvironment: shop/production\nname: store\n${rest}`;

/** What the policies say to a plan of documents. */
async function says(
  declared: string,
  documents: string,
  policy: Partial<Policy> = {},
  world = World.of(live),
): Promise<string[]> {
  const { policies, problems } = await policiesOf(`policies:\n${declared}`);
  expect(problems).toEqual([]);
  const plan = world.plan(documents, { ...policy, policies });
  return plan.problems.flatMap(({ code, message }) => (code === "policy" ? [message] : []));
}

const noDeletions = "  - { name: kept, message: ask first, actions: [delete] }";
const at = "policy kept: ask first";

const losses: { what: string; documents: string; policies?: string; says: string[] }[] = [
  {
    what: "a variable that null takes away",
    documents: job("variables: { KEY: null }"),
    says: [`job:shop/production/a: ${at}`],
  },
  {
    what: "the volumes that an empty list takes away",
    documents: store("storage: []"),
    says: [`container:shop/production/store: ${at}`],
  },
  {
    what: "a volume that becomes smaller",
    documents: store(
      "storage: [{ type: FAST_SSD, size: 5, mount_point: /data }, { type: FAST_SSD, size: 10, mount_point: /log }]",
    ),
    says: [`container:shop/production/store: ${at}`],
  },
  {
    what: "an alias that goes with a variable of the environment",
    documents: "kind: Environment\nproject: shop\nname: production\nvariables: { LEVEL: null }",
    says: [
      `environment:shop/production: ${at}`,
      `job:shop/production/b, with environment:shop/production: ${at}`,
    ],
  },
  { what: "no change that loses nothing", documents: job("cpu: 700"), says: [] },
  {
    what: "what its condition reads of the ledger",
    policies: `  - { name: kept, message: ask first, actions: [delete], when: 'losses.exists(loss, loss == "the variable KEY")' }`,
    documents: job("variables: { KEY: null }"),
    says: [`job:shop/production/a: ${at}`],
  },
  {
    what: "what its condition says of a deletion",
    policies: `  - { name: kept, message: ask first, actions: [delete], when: 'action == "delete"' }`,
    documents: job("variables: { KEY: null }"),
    says: [`job:shop/production/a: ${at}`],
  },
];

test.for(losses)(
  "a policy about deletions sees $what",
  async ({ documents, policies = noDeletions, says: expected }) => {
    expect(await says(policies, documents)).toEqual(expected);
  },
);

test("approve-deletions asks for an approval of each loss", async () => {
  const { policies } = await policiesOf("policies: [{ built_in: approve-deletions }]");
  const { problems } = World.of(live).plan(store("storage: []"), { policies });
  expect(problems.filter(({ code }) => code === "policy")).toMatchObject([
    { address: "container:shop/production/store", remedies: [{ consent: "policy" }] },
  ]);
});

const conditions = [
  'names[1] == "production" && after.cpu > 600',
  'address.startsWith("job:shop/production/") && after.cpu > 600',
];
const renamed = "kind: Environment\nproject: shop\nname: other\nmanage: { renamed_from: production }\n---\n";
const spellings = [
  { what: "the live spelling", documents: job("cpu: 700") },
  { what: "another case of the environment", documents: job("cpu: 700", "shop/Production") },
  { what: "another case of the project", documents: job("cpu: 700", "SHOP/production") },
  { what: "another case, and a new resource", documents: newJob("Shop/PRODUCTION") },
  { what: "the new name of the environment", documents: renamed + job("cpu: 700", "shop/other") },
  { what: "the new name of the environment, and a new resource", documents: renamed + newJob("shop/other") },
];

test.for(spellings.flatMap((row) => conditions.map((when) => ({ ...row, when }))))(
  "a condition is asked under $what: $when",
  async ({ documents, when }) => {
    expect(
      await says(`  - { name: kept, message: ask first, kinds: [Job], when: '${when}' }`, documents),
    ).toHaveLength(1);
  },
);

test("a condition is asked under the new name too", async () => {
  const declared = `  - { name: kept, message: ask first, when: 'names[1] == "other"' }`;
  expect(await says(declared, renamed + job("cpu: 700", "shop/other"))).toContain(`job:shop/other/a: ${at}`);
});

test("a condition on the name of a resource is asked under the name before and after", async () => {
  for (const name of ["a", "c"])
    expect(
      await says(
        `  - { name: kept, message: ask first, when: 'name == "${name}"' }`,
        job("manage: { renamed_from: a }", "shop/production", "c"),
      ),
    ).toEqual([`job:shop/production/c: ${at}`]);
});

test("a policy about deployments reads the fields with which a service is deployed", async () => {
  const declared = `  - { name: kept, message: ask first, actions: [deploy], when: after.cpu > 600 }`;
  const deploy = { deploy: true };
  expect(await says(declared, job("cpu: 700"), deploy)).toEqual([`job:shop/production/a: ${at}`]);
  expect(await says(declared, job("cpu: 600"), deploy)).toEqual([]);
  expect(await says(declared, newJob("shop/production"), deploy)).toEqual([`job:shop/production/new: ${at}`]);
});

test("a policy about deployments sees the services of a cloned environment", async () => {
  const declared = "  - { name: kept, message: ask first, actions: [deploy], kinds: [Job] }";
  const copy = "kind: Environment\nproject: shop\nname: copy\nclone: { from: shop/production }";
  expect(await says(declared, copy, { deploy: true })).toEqual([
    `job:shop/copy/a, with environment:shop/copy: ${at}`,
    `job:shop/copy/b, with environment:shop/copy: ${at}`,
  ]);
});
