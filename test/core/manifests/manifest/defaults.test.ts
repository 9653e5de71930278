import { describe, expect, test } from "vitest";
import { readLayers } from "./layers.ts";

const job = (fields = "") => `kind: Job\nenvironment: shop/staging\nname: nightly\n${fields}`;
const application = (fields = "") => `kind: Application\nenvironment: shop/staging\nname: web\n${fields}`;
const defaults = (scope: string, kind: string, fields: string) =>
  `kind: Defaults\n${scope}\nfor: ${kind}\n${fields}`;
const all = (...documents: string[]) => documents.join("---\n");
const ofEnvironment = "environment: shop/staging";
const ofProject = "project: shop";

describe("defaults fill in the fields that a document omits", () => {
  const cases: [name: string, source: string, result: string][] = [
    [
      "of the kind",
      all(defaults(ofEnvironment, "Job", "cpu: 250\n"), job(), application()),
      all(job("cpu: 250\n"), application()),
    ],
    [
      "a field that every kind with it leaves to others",
      all(
        defaults(
          ofProject,
          '"*"',
          "manage:\n  ignore:\n    - icon_uri\n    - build_mode\n  exclusive:\n    - variables\n",
        ),
        job(),
        application(),
        "kind: DeploymentStage\nenvironment: shop/staging\nname: first\n",
      ),
      all(
        job("manage:\n  ignore:\n    - icon_uri\n  exclusive:\n    - variables\n"),
        application("manage:\n  ignore:\n    - icon_uri\n    - build_mode\n  exclusive:\n    - variables\n"),
        "kind: DeploymentStage\nenvironment: shop/staging\nname: first\nmanage:\n  ignore: []\n",
      ),
    ],
    [
      "of every kind",
      all(defaults(ofProject, '"*"', "cpu: 250\n"), job(), application()),
      all(job("cpu: 250\n"), application("cpu: 250\n")),
    ],
    [
      "a field of the document wins over a default",
      all(defaults(ofProject, "Job", "cpu: 250\n"), job("cpu: 100\n")),
      job("cpu: 100\n"),
    ],
    [
      "the environment before the project, a kind before every kind",
      all(
        defaults(ofEnvironment, '"*"', "memory: 3\n"),
        defaults(ofEnvironment, "Job", "gpu: 4\n"),
        defaults(ofProject, '"*"', "cpu: 1\nmemory: 1\ngpu: 1\n"),
        defaults(ofProject, "Job", "cpu: 2\nmemory: 2\ngpu: 2\n"),
        job(),
      ),
      job("cpu: 2\nmemory: 3\ngpu: 4\n"),
    ],
    [
      "each kind takes the fields that it has",
      all(defaults(ofProject, '"*"', "max_nb_restart: 3\ncpu: 5\n"), job(), application()),
      all(job("cpu: 5\nmax_nb_restart: 3\n"), application("cpu: 5\n")),
    ],
    [
      "in another environment they mean nothing",
      all(defaults("environment: shop/production", "Job", "cpu: 250\n"), job()),
      job(),
    ],
    [
      "environments of a project",
      all(
        defaults(ofProject, "Environment", "mode: STAGING\n"),
        "kind: Environment\nproject: shop\nname: staging\n",
      ),
      "kind: Environment\nproject: shop\nname: staging\nmode: STAGING\n",
    ],
    [
      "manage",
      all(defaults(ofProject, "Job", "manage:\n  protect: true\n"), job("manage:\n  ignore:\n    - cpu\n")),
      job("manage:\n  protect: true\n  ignore:\n    - cpu\n"),
    ],
  ];
  test.each(cases)("%s", async (_name, source, result) => {
    const said = await readLayers([source]);
    expect(said.problems).toBe("");
    expect(said.text).toBe(result);
  });
});

test("defaults of a later source override those of an earlier one, and apply to its documents too", async () => {
  const said = await readLayers([
    all(defaults(ofProject, "Job", "cpu: 1\nmemory: 1\n"), job()),
    defaults(ofProject, "Job", "cpu: 2\n"),
  ]);
  expect(said.text).toBe(job("cpu: 2\nmemory: 1\n"));
});

test("the position of a default value is in the defaults", async () => {
  const { documents } = await readLayers([
    all(job("gpu: 1\n"), defaults(ofEnvironment, "Job", "cpu: 250\n")),
  ]);
  const line = (...path: string[]) => documents[0]?.position(path).line;
  expect([line("cpu"), line("gpu"), line()]).toEqual([9, 4, 1]);
});

describe("mistakes in defaults", () => {
  const cases: [name: string, source: string, problem: string][] = [
    [
      "no scope",
      defaults("", "Job", "cpu: 1"),
      "1/x.yaml:1:1 the defaults have no scope; add project: PROJECT or environment: PROJECT/ENVIRONMENT",
    ],
    [
      "two scopes",
      defaults(`${ofProject}\n${ofEnvironment}`, "Job", "cpu: 1"),
      "1/x.yaml:3:14 the defaults have two scopes, project and environment; keep one: project: PROJECT or environment: PROJECT/ENVIRONMENT",
    ],
    [
      "a reference of the wrong form",
      defaults("environment: staging", "Job", "cpu: 1"),
      '1/x.yaml:2:14 environment: "staging" has one part instead of two; write PROJECT/staging',
    ],
    [
      "a kind that is not inside",
      defaults(ofEnvironment, "Environment", "mode: STAGING"),
      '1/x.yaml:3:6 for: "Environment" is not a kind inside the Environment; write DeploymentStage, Application, Container, Database, Backup, Helm, Job, Terraform or "*"',
    ],
    [
      "a field to ignore that no kind has",
      defaults(ofProject, '"*"', "manage:\n  ignore:\n    - icon_uri\n    - icon"),
      '1/x.yaml:7:7 no kind inside the scope has a field "icon"; name a field of one of them, or take it out',
    ],
    [
      "a misspelt kind",
      defaults(ofEnvironment, "Jobb", "cpu: 1"),
      '1/x.yaml:3:6 for: "Jobb" is not a kind inside the Environment; did you mean Job?',
    ],
    [
      "no kind",
      "kind: Defaults\nproject: shop\ncpu: 1",
      '1/x.yaml:1:1 the defaults do not name the kind to which they apply; add for: DeploymentRule, Environment, DeploymentStage, Application, Container, Database, Backup, Helm, Job, Terraform or "*"',
    ],
    [
      "a field of no kind",
      defaults(ofProject, '"*"', "cpus: 1"),
      '1/x.yaml:4:1 no kind inside the scope has a field "cpus"; did you mean cpu?',
    ],
    [
      "a field that the kind does not have",
      defaults(ofProject, "Job", "build_mode: DOCKER"),
      '1/x.yaml:4:1 a Job has no field "build_mode"; leave it out: build_mode is a field of the kind Application',
    ],
    [
      "a wrong value, once for all kinds",
      defaults(ofProject, '"*"', "cpu: much"),
      '1/x.yaml:4:6 cpu must be a whole number, not the text "much"; write a whole number, such as 500 (CPU in millicores: 1000 is one CPU)',
    ],
    [
      "a name",
      defaults(ofProject, "Job", "name: x"),
      "1/x.yaml:4:1 name belongs to a single resource, and defaults apply to many; write it in the document of the resource",
    ],
    [
      "an id",
      defaults(ofProject, "Job", "manage: { id: x }"),
      "1/x.yaml:4:11 manage.id belongs to a single resource, and defaults apply to many; write it in the document of the resource",
    ],
    [
      "declared twice",
      all(defaults(ofProject, "Job", "cpu: 1\n"), defaults("project: SHOP", "Job", "cpu: 2\n")),
      "1/x.yaml:6:1 the defaults of SHOP for the kind Job are declared twice, first at 1/x.yaml:1:1; merge the two documents",
    ],
  ];
  test.each(cases)("%s", async (_name, source, problem) => {
    const { problems } = await readLayers([source]);
    expect(problems.split("\n")[0]).toBe(problem);
  });
});
