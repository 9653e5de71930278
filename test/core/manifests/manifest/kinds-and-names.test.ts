import { expect, test } from "vitest";
import { parseManifest } from "../../../../core/manifests/manifest/index.ts";
import { job, report } from "../../../fixtures/manifest-problems.ts";

test("a document is a mapping", () => {
  expect(report("- kind: Job")).toMatchInlineSnapshot(`
    "1:1 a document must be a mapping, not a list
        write members such as kind: Job; put --- between documents"
  `);
  expect(report("Job")).toMatchInlineSnapshot(`
    "1:1 a document must be a mapping, not a single value
        write members such as kind: Job; put --- between documents"
  `);
});

test("kind", () => {
  expect(report("name: x")).toMatchInlineSnapshot(`
    "1:1 the document has no kind
        add kind: one of AnnotationsGroup, ApiToken, Application, AwsCredentials, AzureCredentials, Backup, Cluster, Container, ContainerRegistry, CustomRole, Database, DeploymentRule, DeploymentStage, Environment, GcpCredentials, GitToken, Helm, HelmRepository, Job, LabelsGroup, Member, OnPremiseCredentials, Organization, Project, ScalewayCredentials, Terraform, Webhook"
  `);
  expect(report("Kind: Job\nname: x")).toMatchInlineSnapshot(`
    "1:1 unknown member "Kind"
        did you mean kind?"
  `);
  expect(report("kind: job")).toMatchInlineSnapshot(`
    "1:1 environment is missing
        add environment: PROJECT/ENVIRONMENT
    1:1 name is missing
        add name (Name; names that differ only by case are the same)
    1:7 unknown kind "job"
        did you mean Job?"
  `);
  expect(report("kind: Jbo")).toMatchInlineSnapshot(`
    "1:7 unknown kind "Jbo"
        did you mean Job?"
  `);
  expect(report("kind: Queue")).toMatchInlineSnapshot(`
    "1:7 unknown kind "Queue"
        the kinds are AnnotationsGroup, ApiToken, Application, AwsCredentials, AzureCredentials, Backup, Cluster, Container, ContainerRegistry, CustomRole, Database, DeploymentRule, DeploymentStage, Environment, GcpCredentials, GitToken, Helm, HelmRepository, Job, LabelsGroup, Member, OnPremiseCredentials, Organization, Project, ScalewayCredentials, Terraform, Webhook"
  `);
  expect(report("kind:\nname: x")).toMatchInlineSnapshot(`
    "1:1 kind has no value
        write one, or remove the line: quote a text that begins with #, and write null to reset a field"
  `);
  expect(report("kind: [Job]")).toMatchInlineSnapshot(`
    "1:1 kind must be a text, not a list
        write one of AnnotationsGroup, ApiToken, Application, AwsCredentials, AzureCredentials, Backup, Cluster, Container, ContainerRegistry, CustomRole, Database, DeploymentRule, DeploymentStage, Environment, GcpCredentials, GitToken, Helm, HelmRepository, Job, LabelsGroup, Member, OnPremiseCredentials, Organization, Project, ScalewayCredentials, Terraform, Webhook"
  `);
});

test("name", () => {
  const named = (name: string) => report(`kind: Project\nname: ${name}`);
  expect(report("kind: Project")).toMatchInlineSnapshot(`
    "1:1 name is missing
        add name (Name; names that differ only by case are the same)"
  `);
  expect(report("kind: Project\nnmae: shop")).toMatchInlineSnapshot(`
    "2:1 a Project has no field "nmae"
        did you mean name?"
  `);
  expect(named("")).toMatchInlineSnapshot(`
    "2:1 name has no value
        write one, or remove the line: quote a text that begins with #, and write null to reset a field"
  `);
  expect(named('""')).toMatchInlineSnapshot(`
    "2:7 name: "" is empty
        write a name"
  `);
  expect(named('"  "')).toMatchInlineSnapshot(`
    "2:7 name: "  " is empty
        write a name"
  `);
  expect(named("123")).toMatchInlineSnapshot(`
    "2:7 name must be a text, not the number 123
        write name: "123""
  `);
  expect(named("true")).toMatchInlineSnapshot(`
    "2:7 name must be a text, not true
        write name: "true""
  `);
  expect(named('"a\\nb"')).toMatchInlineSnapshot(`
    "2:7 name: "a\\nb" contains control characters
        write a name of printable characters on one line"
  `);
  expect(named('" shop"')).toMatchInlineSnapshot(`
    "2:7 name: " shop" begins or ends with a space
        write "shop""
  `);
  expect(named('"shop\u00a0"')).toMatchInlineSnapshot(`
    "2:7 name: "shop " begins or ends with a space
        write "shop""
  `);
  expect(named("[shop]")).toMatchInlineSnapshot(`
    "2:1 name must be a text, not a list
        write name: shop"
  `);
  expect(parseManifest("kind: Project\nname: a/b ÄÖ 💥", "x").documents[0]?.name).toBe("a/b ÄÖ 💥");
});

test("the parent", () => {
  const inside = (environment: string) => report(`kind: Job\nenvironment: ${environment}\nname: x`);
  expect(report("kind: Job\nname: x")).toMatchInlineSnapshot(`
    "1:1 environment is missing
        add environment: PROJECT/ENVIRONMENT"
  `);
  expect(report("kind: Job\nenviroment: shop/staging\nname: x")).toMatchInlineSnapshot(`
    "2:1 a Job has no field "enviroment"
        did you mean environment?"
  `);
  expect(report("kind: Job\nproject: shop\nname: x")).toMatchInlineSnapshot(`
    "2:1 a Job has no field "project"
        name the parent with environment: PROJECT/ENVIRONMENT"
  `);
  expect(inside("staging")).toMatchInlineSnapshot(`
    "2:14 environment: "staging" has one part instead of two
        write PROJECT/staging"
  `);
  expect(inside("shop/staging/web")).toMatchInlineSnapshot(`
    "2:14 environment: "shop/staging/web" has three parts instead of two
        write PROJECT/ENVIRONMENT; write a slash inside a name as %2F"
  `);
  expect(inside("shop/")).toMatchInlineSnapshot(`
    "2:14 environment: "shop/" has an empty part
        write PROJECT/ENVIRONMENT; write a slash inside a name as %2F"
  `);
  expect(inside("shop//staging")).toMatchInlineSnapshot(`
    "2:14 environment: "shop//staging" has an empty part
        write PROJECT/ENVIRONMENT; write a slash inside a name as %2F"
  `);
  expect(inside('"shop/ "')).toMatchInlineSnapshot(`
    "2:14 environment: "shop/ " has an empty part
        write PROJECT/ENVIRONMENT; write a slash inside a name as %2F"
  `);
  expect(inside('"shop/a\\tb"')).toMatchInlineSnapshot(`
    "2:14 environment: "shop/a\\tb" contains control characters
        write a name of printable characters on one line"
  `);
  expect(inside("12")).toMatchInlineSnapshot(`
    "2:14 environment must be a text, not the number 12
        write environment: "12""
  `);
  expect(parseManifest("kind: Environment\nproject: a%2Fb\nname: x", "x").documents[0]?.parent).toBe("a%2Fb");
});

test("clone", () => {
  expect(report("kind: Project\nname: x\nclone: { from: y }")).toMatchInlineSnapshot(`
    "3:1 a Project has no field "clone"
        leave it out: a Project cannot be cloned"
  `);
  expect(report(job("clone: { from: migrate }"))).toMatchInlineSnapshot(`
    "4:16 clone.from: "migrate" has one part instead of three
        write PROJECT/ENVIRONMENT/migrate"
  `);
  expect(report(job("clone: {}"))).toMatchInlineSnapshot(`
    "4:1 clone.from is missing
        add from (Job to clone: PROJECT/ENVIRONMENT/JOB)"
  `);
  expect(report(job("clone:"))).toMatchInlineSnapshot(`
    "4:1 clone has no value
        write one, or remove the line: quote a text that begins with #, and write null to reset a field"
  `);
  expect(report(job("clone: shop/production/nightly"))).toMatchInlineSnapshot(`
    "4:8 clone must be a mapping, not the text "shop/production/nightly"
        write its members: from"
  `);
  expect(report(job("clone: { form: shop/production/nightly }"))).toMatchInlineSnapshot(`
    "4:10 clone has no member "form"
        did you mean from?"
  `);
  expect(report(job("clone: { from: }"))).toMatchInlineSnapshot(`
    "4:10 clone.from has no value
        write one, or remove the line: quote a text that begins with #, and write null to reset a field"
  `);
  expect(parseManifest(job("clone: { from: shop/production/nightly }"), "x").documents[0]?.clone).toEqual({
    from: "shop/production/nightly",
  });
});

test("manage", () => {
  expect(report(job("manage: { protect: yes, ignore: cpu, renamed_from: 1, id: abc }")))
    .toMatchInlineSnapshot(`
      "4:20 manage.protect must be true or false, not the text "yes"
          write protect: true
      4:33 manage.ignore must be a list, not the text "cpu"
          write ignore: ["cpu"]
      4:52 manage.renamed_from must be a text, not the number 1
          write manage: { protect: yes, ignore: cpu, renamed_from: "1", id: abc }
      4:59 manage.id: "abc" is not an id
          write the UUID that the API has given the resource"
    `);
  expect(report(job("manage: { protect: , keep: true }"))).toMatchInlineSnapshot(`
    "4:11 manage.protect has no value
        write one, or remove the line: quote a text that begins with #, and write null to reset a field
    4:22 manage has no member "keep"
        it may have: protect, ignore, exclusive, renamed_from, id, beside, wave, consent"
  `);
  expect(report(job("manage: { prune: true }"))).toMatchInlineSnapshot(`
    "4:11 manage has no member "prune"
        leave it out: only documents of Project, Environment, Organization allow pruning"
  `);
  expect(
    report(
      job("manage: { ignore: [schedule.cronjob.timezon, schedule.cronjob, source.image.tag, name, 5] }"),
    ),
  ).toMatchInlineSnapshot(`
    "4:20 manage.ignore[0]: "schedule.cronjob.timezon" is not a field of the kind Job
        did you mean schedule.cronjob.timezone?
    4:82 manage.ignore[3]: "name" is not a field of the kind Job
        write the name of a field, or a path such as source.image
    4:88 manage.ignore[4] must be a text, not the number 5
        write manage: { ignore: [schedule.cronjob.timezon, schedule.cronjob, source.image.tag, name, "5"] }"
  `);
  const manage = {
    protect: true,
    prune: true,
    ignore: ["mode"],
    renamed_from: "old",
    id: "6d2a1f0c-3b51-4c2e-9a75-0d6f3f5f1a2b",
  };
  expect(
    parseManifest(`kind: Environment\nproject: shop\nname: x\nmanage: ${JSON.stringify(manage)}`, "x")
      .documents[0]?.manage,
  ).toEqual(manage);
  expect(
    parseManifest(
      "kind: Application\nenvironment: a/b\nname: x\nmanage: { ignore: [ports, ports.name] }",
      "x",
    ).problems,
  ).toEqual([]);
});

test.each(["DEPLOYMENT_SUCCEEDED", "DEPLOYMENT_FAILED", "DEPLOYMENT_SUCCESSFUL", "DEPLOYMENT_FAILURE"])(
  "a Webhook can ask for %s: the events have the names of the specification and those of the server",
  (event) => {
    const webhook = "kind: Webhook\nname: a\ntype: STANDARD\ntarget_url: https://a.example.com\n";
    expect(report(`${webhook}events: [${event}]`)).toBe("");
    expect(report(`${webhook}events: [${event}S]`)).toContain(`write ${event}`);
  },
);

test.each([
  [
    "kind: Environment\nproject: shop\nname: x\nmanage: { prune: [Job] }",
    "write true: an Environment prunes its services",
  ],
  [
    "kind: Project\nname: shop\nmanage: { prune: true }",
    "write a list of kinds that are in a Project: DeploymentRule, Environment;",
  ],
  [
    "kind: Project\nname: shop\nmanage: { prune: [Job] }",
    "name kinds that are in a Project: DeploymentRule, Environment;",
  ],
])("what is wrong about %j says what may be pruned there", (text, advice) => {
  expect(parseManifest(`${text}\n`, "x.yaml").problems).toMatchObject([
    { advice: expect.stringContaining(advice) },
  ]);
});
