import { describe, expect, test } from "vitest";
import { isFields, type Json } from "../../../core/values/json.ts";
import { kindOf } from "../../../core/model/kinds/index.ts";
import type { Path } from "../../../core/source/mistake.ts";
import { toCamel } from "../../../provider/lifecycle/casing.ts";
import { check } from "../../../provider/lifecycle/check.ts";
import { diff } from "../../../provider/lifecycle/diff.ts";
import { RunLedger } from "../../../provider/lifecycle/ledger.ts";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { unknownValue } from "../../../core/problems/unknown.ts";
import { refusedTexts } from "../../fixtures/stand-ins.ts";
import { everything } from "../plugin/every-kind.ts";

const id = "3f0c5b0e-7a68-4c6e-9d3c-0d1f6a1f4a11";
const job: Properties = {
  environment: id,
  name: "nightly",
  source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1.4.2" } },
  schedule: { cronjob: { scheduledAt: "0 3 * * *", timezone: "Europe/Paris" } },
};
const application: Properties = {
  environment: id,
  name: "api",
  gitRepository: { url: "https://github.com/acme/api" },
};

const reasons = (kind: string, news: Properties, olds: Properties = {}) =>
  check(kindOf(kind), olds, news).failures.map(({ reason }) => reason);

describe("mistakes are reported for each property", () => {
  test.each<[string, Properties, string[]]>([
    ["nothing", job, []],
    [
      "a text for a number",
      { ...job, cpu: "500" },
      ["cpu must be a whole number, not a text (CPU in millicores: 1000 is one CPU)"],
    ],
    [
      "a name of 5,000 characters",
      { ...job, name: "n".repeat(5000) },
      [`name: "${"n".repeat(60)}…" has more than 1000 characters; shorten it`],
    ],
    [
      "what may be secret",
      { ...job, schedule: { onStart: { arguments: "hunter2", entrypoint: 1234 } } },
      [
        "schedule.onStart.arguments must be a list, not a text (Arguments of the container's command)",
        "schedule.onStart.entrypoint must be a text, not a number (Entrypoint of the container)",
      ],
    ],
    [
      "too small",
      { ...job, cpu: 0 },
      ["cpu must be 1 or more, not 0; write a number in that range (CPU in millicores: 1000 is one CPU)"],
    ],
    [
      "a port out of range",
      { ...job, port: 70_000 },
      [
        "port must be from 1 to 65535, not 70000; write a number in that range (Port for probes; it is never published)",
      ],
    ],
    [
      "a wrong word",
      { ...job, cpuArchitecture: "arm" },
      ['cpuArchitecture must be one of AMD64, ARM64, not "arm"; did you mean ARM64?'],
    ],
    ["a misspelt input", { ...job, memmory: 1 }, ['a Job has no input "memmory"; did you mean memory?']],
    [
      "a misspelt input in the place of a missing one",
      without({ ...job, environmnt: id }, "environment"),
      ['a Job has no input "environmnt"; did you mean environment?'],
    ],
    [
      "the name of the wire",
      { ...job, source: { image: { ...imageOf(job), image_name: "x" } } },
      ['source.image has no member "image_name"; did you mean imageName?'],
    ],
    [
      "an output as an input",
      { ...job, jobType: "CRON" },
      ['a Job has no input "jobType"; leave it out: the API reports it, and it cannot be set'],
    ],
    [
      "no name",
      without(job, "name"),
      ["name is missing (Name. Names that differ only by case are the same)"],
    ],
    [
      "a name for an id",
      { ...job, environment: "staging" },
      [
        'environment: "staging" is not an id; pass the id of the Environment: `environment: myEnvironment.id`',
      ],
    ],
    [
      "a cron expression with seconds",
      { ...job, schedule: { cronjob: { scheduledAt: "0 0 3 * * *" } } },
      [expect.stringMatching(/^schedule\.cronjob\.scheduledAt: "0 0 3 \* \* \*" .*: "0 3 \* \* \*"$/)],
    ],
    [
      "two alternatives",
      { ...job, schedule: { cronjob: { scheduledAt: "0 3 * * *" }, onStart: {} } },
      [
        "schedule.cronjob and schedule.onStart exclude each other; keep one of them (When it runs: cronjob, or any of onStart, onStop, onDelete)",
      ],
    ],
    ["nothing to run", without(job, "source"), ["source is needed"]],
    [
      "half an image",
      { ...job, source: { image: { tag: "1" } } },
      ["source.image.imageName is needed", "source.image.registry is needed"],
    ],
    [
      "neither image nor docker",
      { ...job, source: {} },
      ["source is empty; declare image or docker, or leave source out"],
    ],
    [
      "nothing to run it",
      { ...job, schedule: {} },
      ["schedule is empty; declare cronjob, onStart, onStop or onDelete, or leave schedule out"],
    ],
    [
      "several mistakes",
      { ...job, cpu: 1.5, memory: -3, maxNbRestart: "2" },
      [
        expect.stringMatching(/^cpu must be a whole number, not a number with a fraction \(CPU/),
        expect.stringMatching(/^memory must be 1 or more, not -3;/),
        expect.stringMatching(/^maxNbRestart must be a whole number, not a text \(Restarts/),
      ],
    ],
    [
      "an empty text",
      { ...job, source: { image: { ...imageOf(job), tag: "" } } },
      ["source.image.tag is empty; write a text, or leave the field out"],
    ],
    [
      "mistakes of all sorts",
      {
        name: "nightly",
        memmory: 1,
        sorce: {},
        cpu: "1",
        schedule: { cronjob: { scheduledat: "0 3 * * *" } },
      },
      [
        "environment is missing (Id of its Environment)",
        'a Job has no input "memmory"; did you mean memory?',
        'a Job has no input "sorce"; did you mean source?',
        'schedule.cronjob has no member "scheduledat"; did you mean scheduledAt?',
        expect.stringMatching(/^cpu must be a whole number, not a text/),
      ],
    ],
    [
      "an unknown input, beside a missing one",
      without({ ...job, foobar: 1 }, "source"),
      [
        expect.stringMatching(/^a Job has no input "foobar"; it may have: (\w+, ){8}and \d+ others$/),
        "source is needed",
      ],
    ],
    [
      "inputs that belong elsewhere, or have other names in other tools",
      { ...job, imageName: "x", env: {}, image: "acme/report:1" },
      [
        'a Job has no input "imageName"; it belongs at source.image.imageName',
        'a Job has no input "env"; use variables',
        'a Job has no input "image"; use imageName or tag in source.image',
      ],
    ],
    [
      "cloned and taken over",
      { ...job, cloneFrom: id, adoptId: id },
      ["cloneFrom and adoptId exclude each other; keep one of them (A resource is either cloned or adopted)"],
    ],
  ])("%s", (_, news, expected) => {
    expect(reasons("Job", news)).toEqual(expected);
  });

  test("a duplicate port is a mistake", () => {
    const port = { internalPort: 80, publiclyAccessible: true };
    expect(reasons("Application", { ...application, ports: [port, { ...port, protocol: "HTTP" }] })).toEqual([
      "ports[1] has the same internalPort and protocol as ports[0]: 80/HTTP; write each element once",
    ]);
  });

  test("a limit below the limit of the other side is a mistake", () => {
    const instances = { minRunningInstances: 5, maxRunningInstances: 2 };
    expect(reasons("Application", { ...application, ...instances })).toEqual([
      "minRunningInstances is more than maxRunningInstances; raise maxRunningInstances, or lower minRunningInstances",
    ]);
  });

  test("a preview environment must be a clone", () => {
    const preview = { project: id, name: "preview", mode: "PREVIEW" };
    expect(reasons("Environment", preview).join()).toContain(
      "an environment becomes PREVIEW only by being cloned",
    );
    expect(reasons("Environment", { ...preview, cloneFrom: id })).toEqual([]);
    expect(reasons("Environment", { ...preview, adopt: true })).toEqual([]);
  });
});

test("a second resource of the program with a name is a mistake before anything is sent, in a new case too, and for a renamed one", () => {
  const ledger = new RunLedger();
  const found = (resource: string, news: Properties, olds = {}, kind = "Job") =>
    check(kindOf(kind), olds, news, ledger, resource).failures;
  expect(found("one", job)).toEqual([]);
  expect(found("one", job)).toEqual([]);
  const failure = {
    property: "name",
    reason: expect.stringMatching(
      /^another resource of this program is a Job with the name "Nightly" in the same/,
    ),
  };
  expect(found("two", { ...job, name: "Nightly" })).toEqual([failure]);
  expect(found("three", { ...job, name: "Nightly" }, { ...job, name: "earlier" })).toEqual([failure]);
  expect(found("four", { ...job, name: "weekly" })).toEqual([]);
  expect(found("five", { ...job, environment: unknownValue })).toEqual([]);
});

const environment = { project: unknownValue, mode: "STAGING", cluster: "eu-west" };

test("two resources of the program with one name are a mistake also below new parents at any depth", () => {
  const ledger = new RunLedger();
  const found = (resource: string, kind: string, news: Properties) =>
    check(kindOf(kind), {}, news, ledger, resource).failures.map(({ property }) => property);
  const made = (resource: string, name: string) => found(resource, "Environment", { ...environment, name });
  const jobOf = (resource: string, name: string) =>
    found(resource, "Job", { ...job, environment: unknownValue, name });
  expect(found("p", "Project", { name: "shop" })).toEqual([]);
  expect([made("e", "staging"), made("f", "production"), made("g", "Staging")]).toEqual([[], [], ["name"]]);
  // Each of the two environments may have one of them, and none has two.
  expect([jobOf("a", "x"), jobOf("b", "X"), jobOf("b", "X")]).toEqual([[], [], []]);
  expect(jobOf("c", "x")).toEqual(["name"]);
  expect(jobOf("d", "y")).toEqual([]);
});

test.each<
  [string, (ledger: RunLedger, found: (resource: string, kind: string, news: Properties) => string[]) => void]
>([
  [
    "two new projects with one environment of the same name each",
    (_, found) => {
      expect([found("p", "Project", { name: "shop" }), found("q", "Project", { name: "lab" })]).toEqual([
        [],
        [],
      ]);
      for (const resource of ["e", "f"])
        expect(found(resource, "Environment", { ...environment, name: "main" })).toEqual([]);
    },
  ],
  [
    "a new environment, and one whose name is unknown",
    (_, found) => {
      expect(found("e", "Environment", { ...environment, name: "main" })).toEqual([]);
      expect(found("f", "Environment", { ...environment, name: unknownValue })).toEqual([]);
    },
  ],
  [
    "a new environment, and one that is replaced",
    (ledger, found) => {
      expect(found("e", "Environment", { ...environment, name: "main" })).toEqual([]);
      const olds = { ...environment, project: "earlier", name: "staging", __stated: "{}" };
      const { replaces } = diff(
        ledger,
        kindOf("Environment"),
        id,
        olds,
        { ...environment, name: "staging" },
        "f",
      );
      expect(replaces).toContain("project");
    },
  ],
])("jobs of one name are no mistake in %s, and a third one is", (_, make) => {
  const ledger = new RunLedger();
  const found = (resource: string, kind: string, news: Properties) =>
    check(kindOf(kind), {}, news, ledger, resource, "acme").failures.map(({ property }) => property);
  make(ledger, found);
  const jobs = ["a", "b", "c"].map((resource) =>
    found(resource, "Job", { ...job, environment: unknownValue }),
  );
  expect(jobs).toEqual([[], [], ["name"]]);
});

test("two projects of the program with one name are a mistake, unless their providers have other organizations", async () => {
  const lifecycle = new Lifecycle({ HOME: "" });
  const found = async (resource: string, name: string, organization: string) => {
    const values: Record<string, string> = {
      "infrasync:baseUrl": "https://api.example.com",
      "infrasync:token": "t0ken-of-a-test",
      "infrasync:organization": organization,
    };
    const config = { get: (key: string) => values[key] };
    const { failures } = await lifecycle.check("Project", {}, { name }, config, resource);
    return failures.map(({ property }) => property);
  };
  expect(await found("p", "shop", "acme")).toEqual([]);
  expect(await found("q", "shop", "other")).toEqual([]);
  expect(await found("r", "Shop", "acme")).toEqual(["name"]);
  expect(await found("p", "shop", "acme")).toEqual([]);
});

test("a few fields are enough for a clone, an adoption and an existing resource", () => {
  const few = { environment: id, name: "nightly", cpu: 250 };
  expect(reasons("Job", few)).toEqual(["source is needed", "schedule is needed"]);
  expect(reasons("Job", { ...few, cloneFrom: id })).toEqual([]);
  expect(reasons("Job", { ...few, adopt: true })).toEqual([]);
  expect(reasons("Job", { ...few, adoptId: id })).toEqual([]);
  expect(reasons("Job", few, job)).toEqual([]);
});

test("the git provider follows from the URL, or is required", () => {
  expect(reasons("Application", application)).toEqual([]);
  expect(
    reasons("Application", { ...application, gitRepository: { url: "https://git.example.com/acme/api" } }),
  ).toEqual([
    'gitRepository.provider is needed: "GITHUB", "GITLAB", "BITBUCKET" (Git provider; may be left out where the host of the URL shows it)',
  ]);
});

test.each<[string, Properties]>([
  ["a name", { ...job, name: unknownValue }],
  ["the parent", { ...job, environment: unknownValue }],
  ["a number", { ...job, cpu: unknownValue }],
  ["an object", { ...job, source: unknownValue }],
  [
    "a formatted text",
    { ...job, schedule: { cronjob: { scheduledAt: unknownValue, timezone: unknownValue } } },
  ],
  ["a word", { ...job, cpuArchitecture: unknownValue }],
])("an unknown %s is accepted", (_, news) => {
  expect(reasons("Job", news)).toEqual([]);
});

/** The paths of all values in a value. */
function* pathsIn(value: Json, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  const members = Array.isArray(value) ? value.entries() : isFields(value) ? Object.entries(value) : [];
  for (const [member, inside] of members) yield* pathsIn(inside, [...path, member]);
}

/** A value in which another one is not known yet. */
function withUnknown(value: Json, [first, ...inside]: Path): Json {
  if (first === undefined) return unknownValue;
  if (Array.isArray(value))
    return value.with(Number(first), withUnknown(value[Number(first)] ?? null, inside));
  return isFields(value) ? { ...value, [first]: withUnknown(value[first] ?? null, inside) } : value;
}

test.each(everything)("any value of a %s may be unknown", (name, _path, document) => {
  const kind = kindOf(name);
  const { [kind.parentMember ?? ""]: _parent, name: _name, ...declared } = document;
  const text = JSON.stringify(declared).replaceAll('{"from_env":"SHOP_FIRST"}', '{"value":"s3cret"}');
  const whole = {
    ...(toCamel(kind.fields, JSON.parse(text) as Json) as Properties),
    name: kind.names?.format === "email" ? "a@acme.example" : "own",
    ...(kind.parentMember !== undefined && { [kind.parentMember]: id }),
    ...(name === "Environment" && { cloneFrom: id, mode: "PREVIEW" }),
  };
  expect(reasons(name, whole)).toEqual([]);
  for (const path of pathsIn(whole))
    expect(reasons(name, withUnknown(whole, path) as Properties), path.join(".")).toEqual([]);
});

test("what is missing whatever an unknown value is, is told", () => {
  expect(reasons("Job", { environment: id, name: unknownValue, source: job["source"] ?? null })).toEqual([
    expect.stringContaining("schedule"),
  ]);
});

test("an unknown element is accepted", () => {
  expect(reasons("Application", { ...application, ports: [unknownValue] })).toEqual([]);
  expect(reasons("Application", { ...application, ports: unknownValue })).toEqual([]);
});

test("nulls and members that the engine adds are not inputs", () => {
  const { inputs, failures } = check(kindOf("Job"), {}, { ...job, __provider: "text", description: null });
  expect(failures).toEqual([]);
  expect(inputs).toEqual(job);
});

function imageOf(properties: Properties): Properties {
  return (properties["source"] as { image: Properties }).image;
}

function without(properties: Properties, property: string): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => name !== property));
}

test.each(refusedTexts)(
  "%s is a mistake of an input, also of a secret one, and is told once",
  (_what, text, message) => {
    expect(reasons("Job", { ...job, description: text })).toEqual([
      expect.stringContaining(`description ${message}`),
    ]);
    const found = check(kindOf("Job"), {}, { ...job, secrets: { X: { value: text } } }).failures;
    expect(found).toMatchObject([{ reason: expect.stringContaining(message) }]);
  },
);
