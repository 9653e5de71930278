import fc from "fast-check";
import type { Behaviour } from "../../emulator/index.ts";
import type { Fields } from "../../core/values/json.ts";
import { application } from "../../core/model/kinds/application.ts";
import { environment } from "../../core/model/kinds/environment.ts";
import { job } from "../../core/model/kinds/job.ts";
import { kindOf } from "../../core/model/kinds/index.ts";
import type { FaultRequest } from "../../emulator/control/faults.ts";
import { arbitraryFields, manifests } from "../fixtures/random-documents.ts";
import { arbitrarySecrets, withOwnDomains } from "../fixtures/random-parts.ts";
import { type Entry, operations } from "./meddling.ts";
import { type Quirk, quirks } from "./server-quirks.ts";
import { type Moment, moments } from "./stopping-proxy.ts";

/** The disturbance of one attempt to bring a server to a state. */
export interface Round {
  faults: FaultRequest[];
  quirks: Quirk[];
  parallelism: number;
  onQuota: "wait" | "fail";
  /** Whether the attempt follows the deployments that it starts. */
  waits: boolean;
  /** What a person does between the plan and its apply. */
  operations: Entry[];
}

/** Two states of a server, one after the other. */
export interface States {
  before: Fields[];
  after: Fields[];
  /** Whether each run also deploys; default: no. */
  deploys?: boolean;
}

/** The behaviour of a server. */
export type ServerOptions = Required<
  Pick<Behaviour, "duplicate_names" | "clone_delay_ms" | "delete_delay_ms">
>;

/** The disturbances on the way to the second state. */
export interface Schedule extends States {
  server: ServerOptions;
  rounds: Round[];
}

/** One attempt in a process that is killed. */
export interface Kill {
  /** The point of the kill, in thousandths of the requests of the attempt. */
  progress: number;
  moment: Moment;
  faults: FaultRequest[];
  /** What a person does between the plan and its apply. */
  operations: Entry[];
}

/** Attempts in processes that are killed on the way to the second state. */
export interface KillSchedule extends States {
  server: ServerOptions;
  kills: Kill[];
}

const page = { body: "<html><body>Bad gateway</body></html>", headers: { "content-type": "text/html" } };

const unclear: FaultRequest[] = [
  ...[408, 500, 502, 503].map((status) => ({ status })),
  { status: 502, ...page },
  { status: 200, ...page },
];

/** The ways in which an answer is bad. */
export const way = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...unclear) },
  { weight: 3, arbitrary: fc.constantFrom(...unclear.map((answer) => ({ ...answer, carry_out: true }))) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<FaultRequest>(
      ...[400, 401, 403, 409, 429].map((status) => ({ status })),
      { status: 409, headers: { "retry-after": "1" } },
      { status: 429, headers: { "retry-after": "1" } },
      // A proxy that counts answers has passed the request on.
      { status: 429, carry_out: true },
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom<FaultRequest>(
      { drop: "before" },
      { drop: "after" },
      { truncate: 0 },
      { truncate: 40 },
      { delay_ms: 20 },
      // Longer than a client of a round waits for an answer.
      { delay_ms: 1500 },
    ),
  },
);

/** The place of the fault; the most important places are the most frequent. */
const place = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom<Place>({ method: "POST" }, { method: "PUT" }, { method: "DELETE" }),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Place>(
      { method: "POST", path: "/project/*/environment" },
      { method: "POST", path: "/environment/*/job" },
      { method: "POST", path: "/{kind}/*/clone" },
      { method: "GET", path: "/project/*/environment" },
      { method: "GET", path: "/environment/*/services" },
      { method: "GET", path: "/job/*" },
      { method: "POST", path: "/environment/*/service/deploy" },
      { path: "/environment/*/deploymentStage" },
      { method: "PUT", path: "/deploymentStage/**" },
      { path: "/application/*" },
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom<Place>({}, { method: "GET" }) },
);

type Place = Pick<FaultRequest, "method" | "path">;

const fault: fc.Arbitrary<FaultRequest> = fc
  .record({
    what: way,
    where: place,
    after: fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 9 })),
    times: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(20)),
  })
  .map(({ what, where, after, times }) => ({ ...what, ...where, after, times }));

const round: fc.Arbitrary<Round> = fc.record({
  faults: fc.array(fault, { minLength: 1, maxLength: 6 }),
  quirks,
  parallelism: fc.constantFrom(1, 3, 10),
  onQuota: fc.constantFrom("wait" as const, "fail" as const),
  waits: fc.boolean(),
  operations,
});

const servers = fc.constantFrom<ServerOptions>(
  { duplicate_names: false, clone_delay_ms: 0, delete_delay_ms: 0 },
  { duplicate_names: false, clone_delay_ms: 15, delete_delay_ms: 15 },
  // Names are not reserved, so a request that is sent twice creates two resources.
  { duplicate_names: true, clone_delay_ms: 0, delete_delay_ms: 0 },
);

interface Change {
  before: Fields[];
  /** The project and its two environments. */
  holders: Fields[];
  services: Fields[];
  more: Fields[];
  moreApplications: Fields[];
  cloned: boolean;
  copied: boolean;
  override: Fields;
  dropped: boolean;
  renamed: boolean;
  replaced: Fields | undefined;
  moved: Fields | undefined;
  /** The secrets of the first documents, before and after. */
  secrets: [before: (Fields | undefined)[], after: (Fields | undefined)[]];
}

function withoutReplacements(change: Change): Change {
  return { ...change, replaced: undefined, moved: undefined };
}

const secretsOfFirst = fc.array(fc.option(arbitrarySecrets, { nil: undefined, freq: 2 }), { maxLength: 6 });

function withSecrets(documents: readonly Fields[], secrets: readonly (Fields | undefined)[]): Fields[] {
  return documents.map((document, index) => {
    const declared = secrets[index];
    return declared ? { ...document, secrets: declared } : document;
  });
}

const changes: fc.Arbitrary<Change> = manifests.chain((before) => {
  const services = before.filter(({ environment: holder }) => holder !== undefined);
  return fc.record({
    before: fc.constant(before),
    holders: fc.tuple(...before.slice(0, 3).map((document) => changed(document))),
    services: fc.tuple(...services.map((document) => changed(document))),
    more: fc.array(arbitraryFields(job, "complete"), { maxLength: 2 }),
    moreApplications: fc.array(arbitraryFields(application, "complete"), { maxLength: 1 }),
    cloned: fc.boolean(),
    copied: fc.boolean(),
    override: arbitraryFields(job, "partial", "without"),
    dropped: fc.boolean(),
    renamed: fc.boolean(),
    // No document declares the other fields of the job any more.
    replaced: fc.option(arbitraryFields(job, "complete").map(only("schedule")), { nil: undefined }),
    moved: fc.option(arbitraryFields(environment, "complete").map(only("cluster")), { nil: undefined }),
    secrets: fc.tuple(secretsOfFirst, secretsOfFirst),
  });
});

/** Two states of one project: the second updates, creates, deletes, renames, clones, and perhaps replaces. */
function states(replacements: "with" | "without"): fc.Arbitrary<States> {
  return changes.map((change) => statesOf(replacements === "with" ? change : withoutReplacements(change)));
}

function statesOf(change: Change): States {
  const { before, cloned, copied } = change;
  const [project = {}, production = {}, staging = {}] = change.holders;
  const [first = {}, ...others] = change.services;
  const isSource = cloned || copied;
  // The contents of a clone depend on the time of its creation, so its source loses nothing in the same run.
  const kept = change.dropped && !isSource ? others.slice(1) : others;
  const renamed = change.renamed && !isSource;
  const after: Fields[] = [
    project,
    { ...production, manage: { prune: true } },
    { ...staging, ...change.moved },
    {
      ...(change.replaced ? { ...identityOf(first), ...change.replaced } : first),
      ...(renamed && { name: "renamed", manage: { renamed_from: first["name"] ?? "" } }),
    },
    ...kept,
    ...change.more.map((fields, index) => ({
      kind: "Job",
      environment: "shop/staging",
      name: `more-${index}`,
      ...fields,
    })),
    ...change.moreApplications.map((fields) =>
      withOwnDomains({ kind: "Application", environment: "shop/production", name: "more", ...fields }),
    ),
    ...(cloned
      ? [
          { kind: "Environment", project: "shop", name: "clone", clone: { from: "shop/production" } },
          { kind: "Job", environment: "shop/clone", name: "job-0", ...change.override },
        ]
      : []),
    ...(copied
      ? [{ kind: "Job", environment: "shop/staging", name: "copy", clone: { from: "shop/production/job-0" } }]
      : []),
  ];
  return { before: withSecrets(before, change.secrets[0]), after: withSecrets(after, change.secrets[1]) };
}

/** The same resource with other fields, none of which requires a replacement. */
function changed(document: Fields): fc.Arbitrary<Fields> {
  const fields = arbitraryFields(kindOf(String(document["kind"])), "partial", "without");
  return fields.map((declared) => withOwnDomains({ ...identityOf(document), ...declared }));
}

/** A document that only selects its resource. */
function identityOf(document: Fields): Fields {
  const members = Object.entries(document).filter(([member]) =>
    ["kind", "project", "environment", "name"].includes(member),
  );
  return Object.fromEntries(members);
}

function only(member: string): (fields: Fields) => Fields {
  return ({ [member]: value }) => (value === undefined ? {} : { [member]: value });
}

/** The stages of production, in their order, and those that its services name. */
interface Stages {
  order: string[];
  /** By the index of the service; undefined if its document names none. */
  named: (string | undefined)[];
}

const stages: fc.Arbitrary<Stages | undefined> = fc.option(
  fc
    .subarray(["early", "late"], { minLength: 1 })
    .chain((order) => fc.constantFrom(order, order.toReversed()))
    .chain((order) =>
      fc.record({
        order: fc.constant(order),
        named: fc.array(fc.constantFrom(...order, "DEFAULT", undefined), { maxLength: 5 }),
      }),
    ),
  { nil: undefined, freq: 2 },
);

/** The documents with those of stages, each behind the one before it, and with services that name them. */
function withStages(documents: readonly Fields[], drawn: Stages | undefined): Fields[] {
  if (!drawn) return [...documents];
  const { order, named } = drawn;
  let index = -1;
  const services = documents.map((document) => {
    if (document["environment"] !== "shop/production") return document;
    index += 1;
    const stage = named[index];
    return stage === undefined ? document : { ...document, deployment_stage: stage };
  });
  const declared = order.map((name, rank) => ({
    kind: "DeploymentStage",
    environment: "shop/production",
    name,
    ...(rank > 0 && { after: order[rank - 1] ?? "" }),
  }));
  return [...services, ...declared];
}

/** An order of stages without a loss: those of a clone depend on the time of its creation. */
function withAll(order: readonly string[], before: readonly string[] = []): string[] {
  return [...order, ...before.filter((name) => !order.includes(name))];
}

const plainSchedules: fc.Arbitrary<Schedule> = fc
  .record({
    states: states("with"),
    server: servers,
    rounds: fc.array(round, { minLength: 1, maxLength: 3 }),
  })
  .map(({ states: both, ...rest }) => ({ ...both, ...rest }));

/** Schedules whose documents also state variables, secrets and stages, and whose runs may deploy. */
export const schedulesWithParts: fc.Arbitrary<Schedule> = fc
  .record({ schedule: plainSchedules, stages: fc.tuple(stages, stages), deploys: fc.boolean() })
  .map(({ schedule: { before, after, ...rest }, stages: [first, second], deploys }) => ({
    ...rest,
    before: withStages(before, first),
    after: withStages(after, second && { ...second, order: withAll(second.order, first?.order) }),
    deploys,
  }));

export const schedules: fc.Arbitrary<Schedule> = plainSchedules.map(({ before, after, ...rest }) => ({
  before: before.map(withoutParts),
  after: after.map(withoutParts),
  ...rest,
}));

function withoutParts({ variables: _variables, secrets: _secrets, ...document }: Fields): Fields {
  return document;
}

/** There are no replacements, because a killed process forgets which resources it has deleted. */
export const killSchedules: fc.Arbitrary<KillSchedule> = fc
  .record({
    states: states("without"),
    server: servers,
    kills: fc.array(
      fc.record({
        progress: fc.nat({ max: 999 }),
        moment: fc.constantFrom(...moments),
        faults: fc.oneof(fc.constant<FaultRequest[]>([]), fc.array(fault, { minLength: 1, maxLength: 2 })),
        operations,
      }),
      { minLength: 1, maxLength: 2 },
    ),
  })
  .map(({ states: both, ...rest }) => ({ ...both, ...rest }));

/**
 * What a person does on the way to the second state so that it can be taken back: a copy that is made of a service
 * meanwhile has what the service has, and only volumes and secrets show in it that they were added.
 */
export function entriesIn(
  { after, deploys = false, server: { clone_delay_ms: cloneDelay } }: States & { server: ServerOptions },
  all: readonly Entry[],
): Entry[] {
  if (deploys) return [];
  const copies = after.some(({ clone }) => clone !== undefined);
  if (!copies) return [...all];
  return cloneDelay > 0 ? [] : all.filter(({ what }) => what.startsWith("adds"));
}
