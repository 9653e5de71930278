import { expect, test } from "vitest";
import { formatAddress } from "../../../../core/model/addresses/address.ts";
import { concerns } from "../../../../core/planning/concerns/index.ts";
import { formatPath } from "../../../../core/model/fields/compare.ts";
import { stableJson } from "../../../../core/values/json.ts";
import { type Base, bases } from "../../../../core/planning/plan/overlay.ts";
import type { Plan, Policy } from "../../../../core/planning/plan/index.ts";
import type { Concern } from "../../../../core/planning/plan/planning.ts";
import { parseSecretChoice } from "../../../../core/model/addresses/secret-choice.ts";
import { World } from "../plan/world.ts";

// A scenario for each step of planning on each base on which it runs: without the step, its plan is another one.

const live = `
project:shop:
cluster:north: { region: x, cloud_provider: AWS }
environment:shop/staging:
deploymentstage:shop/staging/late: { response: { services: [{ service_id: "job:shop/staging/a" }] } }
database:shop/staging/orders: { id: 0c6e1a2b-0000-4000-8000-000000000001, type: REDIS, version: "7", mode: CONTAINER }
job:shop/staging/nightly-report: {}
job:shop/staging/a:
  cpu: 750
  description: "Nightly  report"
  variables:
    - { key: LEVEL, value: "1" }
    - { key: ALIAS, value: "1", aliased_variable: { id: "job:shop/staging/a LEVEL", key: LEVEL } }
    - { key: HOST, value: z, aliased_variable: { id: host, key: QOVERY_REDIS_Z0C6E1A2B_HOST_INTERNAL } }
    - { id: host, key: QOVERY_REDIS_Z0C6E1A2B_HOST_INTERNAL, value: z, scope: BUILT_IN }
    - { key: TOKEN, is_secret: true }
environment:shop/prod:
environment:shop/copy: { mode: DEVELOPMENT }
job:shop/copy/a: { cpu: 500 }
`;

const environment = (name: string, rest: string) =>
  `kind: Environment\nproject: shop\nname: ${name}\n${rest}`;
const job = (name: string, rest: string) => `kind: Job\nenvironment: shop/staging\nname: ${name}\n${rest}`;
const complete =
  'source: { image: { registry: docker-hub, image_name: acme/report, tag: "1" } }\nschedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: UTC } }';

/** The same addition to a new job, to a clone of a job, and to a live job. */
const onEachBase = (rest: string): Partial<Record<Base, string>> => ({
  nothing: job("other", `${complete}\n${rest}`),
  source: job("other", `clone: { from: shop/staging/a }\n${rest}`),
  existing: job("a", rest),
});
const onClonesAndLive = (rest: string): Partial<Record<Base, string>> => {
  const { source, existing } = onEachBase(rest);
  return { ...(source && { source }), ...(existing && { existing }) };
};

interface Scenario {
  documents: Partial<Record<Base, string>>;
  policy?: Partial<Policy>;
}

const scenarios: Record<string, Scenario> = {
  "live parts, state": { documents: onClonesAndLive('variables: { LEVEL: "2" }') },
  "ignore, state": { documents: { existing: job("a", "cpu: 1000\nmanage: { ignore: [cpu] }") } },
  "exclusive, state": {
    documents: onClonesAndLive("variables: {}\nmanage: { exclusive: [variables] }"),
    policy: { prune: true },
  },
  "dependents, state": { documents: onClonesAndLive("variables: { LEVEL: null }") },
  "rotation, state": { documents: onClonesAndLive("secrets: { TOKEN: { from_env: TOKEN } }") },
  "owner, refuse": {
    documents: { existing: job("a", "cpu: 1000") },
    policy: { otherHolder: () => "another" },
  },
  "rotation, refuse": {
    documents: { existing: job("z", "secrets: { TOKEN: { from_env: TOKEN } }\nmanage: { renamed_from: a }") },
    policy: { rotate: [parseSecretChoice("job:shop/staging/z")] },
  },
  "references, state": {
    documents: {
      ...onClonesAndLive("source: { image: { registry: ecr } }"),
      nothing: job("other", complete),
    },
  },
  "siblings, state": { documents: { existing: job("a", "deployment_stage: late") } },
  "siblings, refuse": { documents: onEachBase("deployment_stage: nowhere") },
  "outputs, state": {
    documents: onClonesAndLive('variables: { HOST: { from: "database:orders", output: host_internal } }'),
  },
  "names, compare": { documents: { existing: job("z", "manage: { renamed_from: a }") } },
  "names, refuse": {
    documents: {
      nothing: job("nightly", complete),
      source: job("nightly", "clone: { from: shop/staging/a }\ncpu: 500"),
    },
  },
  "names, note": {
    documents: {
      nothing: job("other", `${complete}\nmanage: { renamed_from: nobody }`),
      source: job("other", "clone: { from: shop/staging/a }\nmanage: { renamed_from: nobody }"),
    },
  },
  "normalized, compare": { documents: { existing: job("a", "description: Nightly report") } },
  "given, refuse": { documents: { nothing: "kind: Organization\nname: other" } },
  "possible, refuse": {
    documents: {
      nothing: job("other", ""),
      source: job("other", "clone: { from: shop/staging/a }\nschedule: { on_start: {} }"),
      existing: environment("prod", "mode: PREVIEW"),
    },
  },
  "other sorts, refuse": { documents: onClonesAndLive("variables: { TOKEN: plain }") },
  "other sorts, note": { documents: onEachBase("variables: { QOVERY_REDIS_Z0C6E1A2B_HOST_INTERNAL: mine }") },
  "needs, refuse": { documents: onEachBase("variables: { SHORT: { alias_of: NOWHERE } }") },
  "values, refuse": {
    documents: {
      ...onClonesAndLive("variables: { SAME: LEVEL }"),
      nothing: `${environment("staging", "variables: { LEVEL: high }")}\n---\n${job("other", `${complete}\nvariables: { SAME: LEVEL }`)}`,
    },
  },
  "values, note": { documents: onEachBase("variables: { URL: 'https://me:abc123@example.com' }") },
  "unmanaged, note": { documents: { existing: job("a", "") } },
};

/** All that a plan says, a line each. */
function lines({ actions, problems, notes }: Plan): string[] {
  return [
    ...actions.flatMap(({ type, address, expected, changes }) => [
      ...(type === "none" ? [] : [`${type} ${formatAddress(address)}`]),
      ...(changes.length > 0 || type === "none" ? [] : [`${type} expects ${stableJson(expected)}`]),
      ...changes.map(
        ({ path, before, after, normalized }) =>
          `${type} ${formatPath(path)}: ${text(before)} -> ${text(after)}${normalized === undefined ? "" : `, ${normalized}`}`,
      ),
    ]),
    ...problems.map(({ message }) => `! ${message}`),
    ...notes.map(({ message }) => `? ${message}`),
  ];
}

const text = (value: unknown): string => (value === undefined ? "(none)" : JSON.stringify(value));

/** The concerns, without one step on one base. */
function without(name: string, hook: string, base: Base): readonly Concern[] {
  return concerns.map((concern) => {
    if (concern.name !== name) return concern;
    const step = concern[hook as (typeof hooks)[number]];
    return { ...concern, [hook]: { ...step, on: { ...step?.on, [base]: "left out" } } };
  });
}

function linesWith(base: Base, { documents, policy }: Scenario, requested: readonly Concern[]): string[] {
  return lines(World.of(live).plan(documents[base] ?? "", policy, "reconcile", requested));
}

const hooks = ["state", "compare", "refuse", "note"] as const;

const cells = concerns.flatMap((concern) =>
  hooks.flatMap((hook) =>
    bases.flatMap((base) =>
      concern[hook]?.on[base] === true
        ? [{ name: concern.name, hook, base, step: `${concern.name}, ${hook}` }]
        : [],
    ),
  ),
);

test("there is a scenario for each step on each base on which it runs, and for no other", () => {
  const declared = Object.entries(scenarios).flatMap(([step, { documents }]) =>
    Object.keys(documents).map((base) => `${step}, ${base}`),
  );
  expect(declared.toSorted()).toEqual(cells.map(({ step, base }) => `${step}, ${base}`).toSorted());
});

test.each(cells)(
  "without the step $step on the base $base, a plan is another one",
  ({ name, hook, base, step }) => {
    const scenario = scenarios[step] ?? { documents: {} };
    const whole = linesWith(base, scenario, concerns);
    const partial = linesWith(base, scenario, without(name, hook, base));
    expect(partial).not.toEqual(whole);
  },
);

test("a plan with each step, beside one without it", () => {
  const found = cells.map(({ name, hook, base, step }) => {
    const scenario = scenarios[step] ?? { documents: {} };
    const [whole, partial] = [concerns, without(name, hook, base)].map((requested) =>
      linesWith(base, scenario, requested),
    );
    const only = (mark: string, some: string[] = [], others: string[] = []) =>
      some.filter((line) => !others.includes(line)).map((line) => `  ${mark} ${line}`);
    return [`${step}, ${base}`, ...only("+", whole, partial), ...only("-", partial, whole)].join("\n");
  });
  expect(found.join("\n")).toMatchInlineSnapshot(`
    "live parts, state, source
      + clone variables.LEVEL: "1" -> "2"
      - clone variables.LEVEL: (none) -> "2"
    live parts, state, existing
      + update variables.LEVEL: "1" -> "2"
      + ? Set on the server but missing in the manifests: 4 fields, 1 secret, 2 variables (Job shop/staging/a)
      - update variables.LEVEL: (none) -> "2"
      - ? Set on the server but missing in the manifests: 4 fields (Job shop/staging/a)
    ignore, state, existing
      - update job:shop/staging/a
      - update cpu: 750 -> 1000, not_shown
    exclusive, state, source
      + clone variables.ALIAS: {"alias_of":"LEVEL"} -> (none)
      + clone variables.HOST: {"alias_of":"QOVERY_REDIS_Z0C6E1A2B_HOST_INTERNAL"} -> (none)
      + clone variables.LEVEL: "1" -> (none)
      - clone expects {"cpu":750,"description":"Nightly  report","schedule":{"cronjob":{"scheduled_at":"0 3 * * *","timezone":"UTC"}},"secrets":{"TOKEN":{}},"source":{"image":{"image_name":"acme/report","registry":{"id":"registry-hub","name":"docker-hub"},"tag":"1"}},"variables":{"ALIAS":{"alias_of":"LEVEL"},"HOST":{"alias_of":"QOVERY_REDIS_Z0C6E1A2B_HOST_INTERNAL"},"LEVEL":{"value":"1"}}}
    exclusive, state, existing
      + update job:shop/staging/a
      + update variables.ALIAS: {"alias_of":"LEVEL"} -> (none)
      + update variables.HOST: {"alias_of":"QOVERY_REDIS_Z0C6E1A2B_HOST_INTERNAL"} -> (none)
      + update variables.LEVEL: "1" -> (none)
    dependents, state, source
      + clone variables.ALIAS: {"alias_of":"LEVEL"} -> (none)
    dependents, state, existing
      + update variables.ALIAS: {"alias_of":"LEVEL"} -> (none)
    rotation, state, source
      + ? the secret TOKEN exists; infrasync cannot compare its value
    rotation, state, existing
      + ? the secret TOKEN exists; infrasync cannot compare its value
    rotation, refuse, existing
      + ! Job shop/staging/z: TOKEN would be written again under one of two names only: the resource is job:shop/staging/z in the documents, and job:shop/staging/a on the server
      - update job:shop/staging/z
      - update name: "a" -> "z"
    references, state, nothing
      + create expects {"schedule":{"cronjob":{"scheduled_at":"0 3 * * *","timezone":"UTC"}},"source":{"image":{"image_name":"acme/report","registry":{"id":"registry-hub","name":"docker-hub"},"tag":"1"}}}
      - create expects {"schedule":{"cronjob":{"scheduled_at":"0 3 * * *","timezone":"UTC"}},"source":{"image":{"image_name":"acme/report","registry":"docker-hub","tag":"1"}}}
    references, state, source
      + clone source.image.registry: {"id":"registry-hub","name":"docker-hub"} -> {"id":"registry-ecr","name":"ecr"}
      - clone source.image.registry: {"id":"registry-hub","name":"docker-hub"} -> "ecr"
    references, state, existing
      + update source.image.registry: {"id":"registry-hub","name":"docker-hub"} -> {"id":"registry-ecr","name":"ecr"}, not_shown
      - update source.image.registry: {"id":"registry-hub","name":"docker-hub"} -> "ecr", not_shown
    siblings, state, existing
      - update job:shop/staging/a
      - update deployment_stage: (none) -> "late"
    siblings, refuse, nothing
      + ! Job shop/staging/other: there is no DeploymentStage "nowhere" in Environment shop/staging, and no document declares one
      - create job:shop/staging/other
      - create expects {"deployment_stage":"nowhere","schedule":{"cronjob":{"scheduled_at":"0 3 * * *","timezone":"UTC"}},"source":{"image":{"image_name":"acme/report","registry":{"id":"registry-hub","name":"docker-hub"},"tag":"1"}}}
    siblings, refuse, source
      + ! Job shop/staging/other: there is no DeploymentStage "nowhere" in Environment shop/staging, and no document declares one
      - clone job:shop/staging/other
      - clone deployment_stage: (none) -> "nowhere"
    siblings, refuse, existing
      + ! Job shop/staging/a: there is no DeploymentStage "nowhere" in Environment shop/staging, and no document declares one
      - update job:shop/staging/a
      - update deployment_stage: "late" -> "nowhere"
    outputs, state, source
      + clone expects {"cpu":750,"description":"Nightly  report","schedule":{"cronjob":{"scheduled_at":"0 3 * * *","timezone":"UTC"}},"secrets":{"TOKEN":{}},"source":{"image":{"image_name":"acme/report","registry":{"id":"registry-hub","name":"docker-hub"},"tag":"1"}},"variables":{"ALIAS":{"alias_of":"LEVEL"},"HOST":{"from":"database:orders","output":"host_internal"},"LEVEL":{"value":"1"}}}
      - clone variables.HOST.alias_of: "QOVERY_REDIS_Z0C6E1A2B_HOST_INTERNAL" -> (none)
      - clone variables.HOST.from: (none) -> "database:orders"
      - clone variables.HOST.output: (none) -> "host_internal"
    outputs, state, existing
      - update job:shop/staging/a
      - update variables.HOST.alias_of: "QOVERY_REDIS_Z0C6E1A2B_HOST_INTERNAL" -> (none)
      - update variables.HOST.from: (none) -> "database:orders"
      - update variables.HOST.output: (none) -> "host_internal"
    names, compare, existing
      + update job:shop/staging/z
      + update name: "a" -> "z"
    names, refuse, nothing
      + ! Job shop/staging/nightly: the resource does not exist, but "nightly-report" (job:shop/staging/nightly-report) does, with the same fields: it may be the same resource, renamed
      - create job:shop/staging/nightly
      - create expects {"schedule":{"cronjob":{"scheduled_at":"0 3 * * *","timezone":"UTC"}},"source":{"image":{"image_name":"acme/report","registry":{"id":"registry-hub","name":"docker-hub"},"tag":"1"}}}
    names, refuse, source
      + ! Job shop/staging/nightly: the resource does not exist, but "nightly-report" (job:shop/staging/nightly-report) does, with the same fields: it may be the same resource, renamed
      - clone job:shop/staging/nightly
      - clone cpu: 750 -> 500
    names, note, nothing
      + ? created, not renamed: there is no Job "nobody" in Environment shop/staging
    names, note, source
      + ? created, not renamed: there is no Job "nobody" in Environment shop/staging
    normalized, compare, existing
      + update description: "Nightly  report" -> "Nightly report", white_space
      - update description: "Nightly  report" -> "Nightly report"
    given, refuse, nothing
      + ! Organization other: there is no Organization of that name, and infrasync creates none; this run works in 
      - create organization:other
      - create expects {}
    possible, refuse, nothing
      + ! Job shop/staging/other: the resource does not exist, and for its creation source is needed
      + ! Job shop/staging/other: the resource does not exist, and for its creation schedule is needed
      - create job:shop/staging/other
      - create expects {}
    possible, refuse, source
      + ! Job shop/staging/other: a clone cannot differ from its source in schedule.cronjob: a cron job cannot become a lifecycle job, nor the other way round
      - clone job:shop/staging/other
      - clone schedule.cronjob: {"scheduled_at":"0 3 * * *","timezone":"UTC"} -> (none)
      - clone schedule.on_start: (none) -> {}
    possible, refuse, existing
      + ! Environment shop/prod: an environment becomes PREVIEW only by being cloned; use DEVELOPMENT, STAGING or PRODUCTION, or clone another environment
      - update environment:shop/prod
      - update mode: "STAGING" -> "PREVIEW", not_shown
    other sorts, refuse, source
      + ! Job shop/staging/other: variables.TOKEN: TOKEN is a secret already, and writing the variable would overwrite it
      - clone job:shop/staging/other
      - clone variables.TOKEN: (none) -> "plain"
    other sorts, refuse, existing
      + ! Job shop/staging/a: variables.TOKEN: TOKEN is a secret already, and writing the variable would overwrite it
      - update job:shop/staging/a
      - update variables.TOKEN: (none) -> "plain"
    other sorts, note, nothing
      + ? the variable QOVERY_REDIS_Z0C6E1A2B_HOST_INTERNAL hides the variable of the platform with this name
    other sorts, note, source
      + ? the variable QOVERY_REDIS_Z0C6E1A2B_HOST_INTERNAL hides the variable of the platform with this name
    other sorts, note, existing
      + ? the variable QOVERY_REDIS_Z0C6E1A2B_HOST_INTERNAL hides the variable of the platform with this name
    needs, refuse, nothing
      + ! Job shop/staging/other: variables.SHORT: there is no variable NOWHERE
      - create job:shop/staging/other
      - create expects {"schedule":{"cronjob":{"scheduled_at":"0 3 * * *","timezone":"UTC"}},"source":{"image":{"image_name":"acme/report","registry":{"id":"registry-hub","name":"docker-hub"},"tag":"1"}},"variables":{"SHORT":{"alias_of":"NOWHERE"}}}
    needs, refuse, source
      + ! Job shop/staging/other: variables.SHORT: there is no variable NOWHERE
      - clone job:shop/staging/other
      - clone variables.SHORT: (none) -> {"alias_of":"NOWHERE"}
    needs, refuse, existing
      + ! Job shop/staging/a: variables.SHORT: there is no variable NOWHERE
      - update job:shop/staging/a
      - update variables.SHORT: (none) -> {"alias_of":"NOWHERE"}
    values, refuse, nothing
      + ! Job shop/staging/other: variables.SAME: its value is the key of another variable, so the API makes it an alias of LEVEL
      + ? Unmanaged: Database shop/staging/orders, Job shop/staging/nightly-report, Job shop/staging/a
      - create job:shop/staging/other
      - create expects {"schedule":{"cronjob":{"scheduled_at":"0 3 * * *","timezone":"UTC"}},"source":{"image":{"image_name":"acme/report","registry":{"id":"registry-hub","name":"docker-hub"},"tag":"1"}},"variables":{"SAME":{"value":"LEVEL"}}}
      - ? Unmanaged: Database shop/staging/orders, Job shop/staging/nightly-report, Job shop/staging/a; if a new resource is one of these under a new name, set manage.renamed_from in its document
    values, refuse, source
      + ! Job shop/staging/other: variables.SAME: its value is the key of another variable, so the API makes it an alias of LEVEL
      - clone job:shop/staging/other
      - clone variables.SAME: (none) -> "LEVEL"
    values, refuse, existing
      + ! Job shop/staging/a: variables.SAME: its value is the key of another variable, so the API makes it an alias of LEVEL
      - update job:shop/staging/a
      - update variables.SAME: (none) -> "LEVEL"
    values, note, nothing
      + ? variables.URL (a URL with a password): everyone who sees the environment can read the value; declare it under secrets
    values, note, source
      + ? variables.URL (a URL with a password): everyone who sees the environment can read the value; declare it under secrets
    values, note, existing
      + ? variables.URL (a URL with a password): everyone who sees the environment can read the value; declare it under secrets
    unmanaged, note, existing
      + ? Set on the server but missing in the manifests: 4 fields (Job shop/staging/a)
    owner, refuse, existing
      + ! Job shop/staging/a: another resource of this program manages the Job job:shop/staging/a already
      - update job:shop/staging/a
      - update cpu: 750 -> 1000, not_shown"
  `);
});
