import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAnyAddress } from "../../../../core/model/addresses/address.ts";
import type { Fields, Json } from "../../../../core/values/json.ts";
import { parsePattern } from "../../../../core/model/addresses/pattern.ts";
import { lossesOf, type Plan, titleOf } from "../../../../core/planning/plan/index.ts";
import { desiredOf } from "../../../fixtures/desired.ts";
import { tries } from "../../../fixtures/random-cases.ts";
import { World } from "./world.ts";

// What a plan takes, found out by a model that reads the live resources and the documents, and nothing of the planner.

type Volumes = Record<string, number>;
interface TfVar {
  key: string;
  secret: boolean;
}

interface Live {
  volumes: Volumes;
  storage: number;
  version: number;
  backups: string[];
  tfVars: TfVar[];
  state: "kubernetes" | "user_provided";
  /** Of the job; `SHORT` is an alias of `LEVEL`, which the environment has. */
  variables: string[];
}

/** What each document declares; an absent member: nothing of it, an absent document: there is none. */
interface Docs {
  environment: { prune: boolean; removes: boolean } | undefined;
  application: { volumes?: Volumes } | undefined;
  database: { storage?: number | null; version?: number; isManaged: boolean } | undefined;
  terraform: { tfVars?: TfVar[] | null; leavesCluster: boolean } | undefined;
  job: { removes: string[] } | undefined;
}

interface Scenario {
  live: Live;
  docs: Docs;
  isDestroy: boolean;
  allow: string[];
  protect: string[];
  cap: number;
}

const inside = "shop/prod";
const sizes = fc.constantFrom(10, 20, 50);
const volumes = fc.dictionary(fc.constantFrom("/a", "/b", "/c"), sizes, { noNullPrototype: true });
const versions = fc.constantFrom(14, 15, 16);
const tfVars = fc.uniqueArray(fc.record({ key: fc.constantFrom("K1", "K2", "K3"), secret: fc.boolean() }), {
  selector: ({ key }) => key,
});
const keys = fc.uniqueArray(fc.constantFrom("KEY", "OTHER", "SHORT"));
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 4 });
const patterns = ["application:**", "database:**", "terraform:**", "job:**", "backup:**", "environment:**"];

const scenarios: fc.Arbitrary<Scenario> = fc
  .record({
    live: fc.record({
      volumes,
      storage: sizes,
      version: versions,
      backups: fc.uniqueArray(fc.constantFrom("one", "two")),
      tfVars,
      state: fc.constantFrom("kubernetes", "user_provided"),
      variables: keys,
    }),
    docs: fc.record({
      environment: maybe(fc.record({ prune: fc.boolean(), removes: fc.boolean() })),
      application: maybe(fc.record({ volumes }, { requiredKeys: [] })),
      database: maybe(
        fc.record(
          {
            storage: fc.option(sizes),
            version: versions,
            isManaged: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
          },
          { requiredKeys: ["isManaged"] },
        ),
      ),
      terraform: maybe(
        fc.record(
          { tfVars: fc.option(tfVars), leavesCluster: fc.boolean() },
          { requiredKeys: ["leavesCluster"] },
        ),
      ),
      job: maybe(fc.record({ removes: keys })),
    }),
    isDestroy: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
    allow: fc.oneof(fc.constant<string[]>(["**"]), fc.subarray(patterns)),
    protect: fc.oneof(fc.constant<string[]>([]), fc.subarray(patterns, { maxLength: 2 })),
    cap: fc.constantFrom(0, 2, 1000, 1000, 1000),
  })
  // Who destroys an environment destroys all that is in it; here single services go.
  .map((scenario) =>
    scenario.isDestroy ? { ...scenario, docs: { ...scenario.docs, environment: undefined } } : scenario,
  );

const backendOf = (state: Live["state"]): Fields => ({ [state]: {} });

function serverOf({
  volumes: mounted,
  storage,
  version,
  backups,
  tfVars: listed,
  state,
  variables,
}: Live): World {
  const world = World.of("project:shop:\nenvironment:shop/prod: { variables: [LEVEL] }");
  const environment = world.at(["shop", "prod"]);
  const add = (type: string, name: string, fields: Fields) =>
    world.add(type, name, environment, fields, name);
  add("application", "api", {
    git_repository: { url: "https://github.com/acme/api", branch: "main" },
    storage: Object.entries(mounted).map(([mount, size]) => ({ mount_point: mount, size, type: "FAST_SSD" })),
  });
  const orders = add("database", "orders", { ...databaseFields, version: String(version), storage });
  for (const name of backups) world.add("backup", name, orders, {}, name);
  add("terraform", "net", {
    ...terraformFields,
    backend: backendOf(state),
    terraform_variables_source: {
      tf_vars: listed.map(({ key, secret }) => ({ key, secret, ...(!secret && { value: "v" }) })),
    },
  });
  const job = world.addUsual("job", "a", environment, "a");
  job.variables.push(
    ...variables.map((key) => (key === "SHORT" ? "SHORT = environment:shop/prod LEVEL" : key)),
  );
  return world;
}

const variableOf = ({ key, secret }: TfVar): Fields =>
  secret ? { key, secret, from_env: "V" } : { key, secret, value: "v" };

const databaseFields = { type: "POSTGRESQL", mode: "CONTAINER" };
const terraformFields = {
  terraform_files_source: { git_repository: { url: "https://github.com/acme/net", branch: "main" } },
  engine: "TERRAFORM",
  provider_version: { explicit_version: "1.9" },
  job_resources: { cpu_milli: 500, ram_mib: 512, storage_gib: 1 },
};

function documentsOf({ environment, application, database, terraform, job }: Docs): Fields[] {
  const service = (kind: string, name: string, fields: Fields) => ({
    kind,
    environment: inside,
    name,
    ...fields,
  });
  const removed = (names: readonly string[]): Fields => Object.fromEntries(names.map((name) => [name, null]));
  const declared = <Value>(member: string, value: Value | undefined, form: (value: Value) => Json): Fields =>
    value === undefined ? {} : { [member]: form(value) };
  return [
    ...(environment
      ? [
          {
            kind: "Environment",
            project: "shop",
            name: "prod",
            ...(environment.removes && { variables: { LEVEL: null } }),
            ...(environment.prune && { manage: { prune: true } }),
          },
        ]
      : []),
    ...(application
      ? [
          service(
            "Application",
            "api",
            declared("storage", application.volumes, (mounted) =>
              Object.entries(mounted).map(([mount, size]) => ({
                mount_point: mount,
                size,
                type: "FAST_SSD",
              })),
            ),
          ),
        ]
      : []),
    ...(database
      ? [
          service("Database", "orders", {
            ...declared("storage", database.storage, (size) => size),
            ...declared("version", database.version, String),
            ...(database.isManaged && { mode: "MANAGED" }),
          }),
        ]
      : []),
    ...(terraform
      ? [
          service("Terraform", "net", {
            ...declared("terraform_variables_source", terraform.tfVars, (listed) =>
              listed === null ? null : { tf_vars: listed.map(variableOf) },
            ),
            ...(terraform.leavesCluster && { backend: { user_provided: {} } }),
          }),
        ]
      : []),
    ...(job
      ? [service("Job", "a", { variables: removed(job.removes.filter((key) => key !== "SHORT")) })]
      : []),
  ];
}

/** What a thing has that goes with it. */
function contentsOf(live: Live, type: string): string[] {
  switch (type) {
    case "application":
      return Object.entries(live.volumes).map(
        ([mount, size]) => `the volume ${mount} of application:${inside}/api (${size} GiB)`,
      );
    case "database":
      return [
        `the data of database:${inside}/orders (${live.storage} GB)`,
        ...live.backups.map((name) => `backup:${inside}/orders/${name}`),
      ];
    case "terraform":
      return [
        ...live.tfVars.filter(({ secret }) => secret).map(({ key }) => secretVariable(key)),
        ...(live.state === "kubernetes" ? [`the Terraform state of terraform:${inside}/net`] : []),
      ];
    default:
      return live.variables.map((key) => `the variable ${key} of job:${inside}/a`);
  }
}

const secretVariable = (key: string) =>
  `the secret terraform_variables_source.tf_vars[${key}] of terraform:${inside}/net`;

/** What an update takes, by what documents declare. */
function updateLosses(live: Live, { application, database, terraform, job, environment }: Docs): string[] {
  const lost: string[] = [];
  for (const [mount, size] of Object.entries(application?.volumes ? live.volumes : {})) {
    const desired = application?.volumes?.[mount];
    if (desired === undefined) lost.push(`the volume ${mount} of application:${inside}/api (${size} GiB)`);
    else if (desired < size)
      lost.push(`part of the volume ${mount} of application:${inside}/api (${size} GiB -> ${desired} GiB)`);
  }
  if (database && !database.isManaged) {
    const desired = database.storage === null ? 10 : (database.storage ?? live.storage);
    if (desired < live.storage)
      lost.push(`part of the data of database:${inside}/orders (${live.storage} GB -> ${desired} GB)`);
    if ((database.version ?? live.version) < live.version)
      lost.push(
        `the data of database:${inside}/orders, if the lower version cannot read it (${live.version} -> ${database.version})`,
      );
  }
  const kept = terraform?.tfVars === undefined ? live.tfVars : (terraform.tfVars ?? []);
  for (const { key, secret } of terraform ? live.tfVars : [])
    if (secret && !kept.some((each) => each.key === key)) lost.push(secretVariable(key));
    else if (secret && kept.some((each) => each.key === key && !each.secret))
      lost.push(`the former value of ${secretVariable(key)}`);
  if (terraform?.leavesCluster && live.state === "kubernetes")
    lost.push(`the Terraform state of terraform:${inside}/net`);
  for (const key of job?.removes ?? [])
    if (key !== "SHORT" && live.variables.includes(key)) lost.push(`the variable ${key} of job:${inside}/a`);
  if (environment?.removes) {
    lost.push(`the variable LEVEL of environment:${inside}`);
    if (live.variables.includes("SHORT")) lost.push(`the variable SHORT of job:${inside}/a`);
  }
  return lost;
}

const services = { application: "api", database: "orders", terraform: "net", job: "a" } as const;
const isMatched = (texts: readonly string[], address: string) =>
  texts.some((text) => parsePattern(text).matches(parseAnyAddress(address)));
/** The address of the resource that a line is about. */
const subjectOf = (line: string) => /[^ ,]+:shop[^ ,]*/.exec(line)?.[0] ?? "";

/** All that goes, and what of it goes by updates. */
function modelOf({ live, docs, isDestroy, allow, protect }: Scenario): { all: string[]; updated: string[] } {
  const types = Object.keys(services) as (keyof typeof services)[];
  const isKept = (type: keyof typeof services) =>
    isMatched(protect, `${type}:${inside}/${services[type]}`) ||
    (type === "database" &&
      live.backups.some((name) => !isMatched(allow, `backup:${inside}/orders/${name}`)));
  const deleted = types.filter((type) =>
    isDestroy ? docs[type] : docs.environment?.prune && !docs[type] && !isKept(type),
  );
  const replaced = !isDestroy && docs.database?.isManaged ? (["database"] as const) : [];
  const gone = [...deleted, ...replaced].flatMap((type) => [
    `${type}:${inside}/${services[type]}`,
    ...contentsOf(live, type),
  ]);
  const going = new Set<string>(gone.filter((line) => !line.includes(" ")));
  const updated = isDestroy ? [] : updateLosses(live, docs).filter((line) => !going.has(subjectOf(line)));
  return { all: [...gone, ...updated], updated };
}

/** Why the plan should not have been possible. */
function forbidden(scenario: Scenario, { all, updated }: ReturnType<typeof modelOf>): string[] {
  const { allow, protect, cap, isDestroy } = scenario;
  const counted = [...all.filter((line) => !line.includes(" ")), ...updated];
  const needing = updated.filter((line) => !/^the (variable|former value) /.test(line));
  const owners = counted.map(subjectOf);
  return [
    ...needing.filter((line) => !isMatched(allow, subjectOf(line))).map((line) => `${line}: no consent`),
    ...all
      .filter((line) => line.startsWith("backup:") && !isMatched(allow, line))
      .map((line) => `${line}: no consent`),
    ...owners.filter((address) => isMatched(protect, address)).map((address) => `${address}: protected`),
    ...(counted.length > cap ? ["too many"] : []),
    ...(!isDestroy &&
    all.includes(`database:${inside}/orders`) &&
    scenario.docs.database?.isManaged &&
    !isMatched(allow, `database:${inside}/orders`)
      ? ["a replacement without consent"]
      : []),
  ];
}

function planOf({ live, docs, isDestroy, allow, protect, cap }: Scenario): Plan {
  const read = (texts: readonly string[]) => texts.map((text) => parsePattern(text));
  const { resources, problems } = desiredOf(documentsOf(docs));
  expect(problems).toEqual([]);
  const policy = {
    prune: true,
    allowReplace: read(allow),
    protect: read(protect),
    caps: { count: cap, percent: 100 },
  };
  return serverOf(live).plan(resources, policy, isDestroy ? "destroy" : "reconcile");
}

test("the ledger has what a reader of documents and live state expects to be lost, and nothing else", () => {
  const seen = new Map<string, number>();
  let refused = 0;
  fc.assert(
    fc.property(scenarios, (scenario) => {
      fc.pre(Object.values(scenario.docs).some((doc) => doc !== undefined));
      const plan = planOf(scenario);
      // The API would lose the value of a secret variable that has no source, so nothing is planned.
      fc.pre(plan.problems.every(({ code }) => code !== "impossible"));
      const model = modelOf(scenario);
      const ledger = lossesOf(plan.actions).map(titleOf);
      expect([...new Set(ledger)].toSorted()).toEqual(model.all.toSorted());
      const why = forbidden(scenario, model);
      if (plan.problems.length === 0) expect(why).toEqual([]);
      else {
        refused += 1;
        if (why.length === 0)
          // A consent that is about nothing is a mistake whatever is lost.
          expect(plan.problems.filter(({ code }) => !code.includes("contents") && code !== "target")).toEqual(
            [],
          );
      }
      for (const line of model.all) {
        const sort = line.replaceAll(/(\/\w|"|\[\w+\]| \(.*\)|\w+)? of .*$/g, "").split(":")[0] ?? "";
        seen.set(sort, (seen.get(sort) ?? 0) + 1);
      }
    }),
    { numRuns: tries(300) },
  );
  expect(refused).toBeGreaterThan(20);
  expect([...seen.values()].filter((count) => count < 3)).toEqual([]);
});
