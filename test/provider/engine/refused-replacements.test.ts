import { expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { frontEnds, plugin } from "./front-ends.ts";
import type { Run } from "./pulumi-run.ts";
import { nothing, program, start } from "./shop.ts";

interface Change {
  cluster?: string;
  /** The text of the inputs of the environment prod. */
  prod?: string;
  /** The text of the environment of the application, and its domain. */
  of?: string;
  domain?: string;
  /** The text of the inputs of the job that a replacement changes too. */
  job?: string;
}

const text = ({
  cluster = "eu-west",
  prod = 'name: "prod", cluster: "eu-west"',
  of = "prod",
  domain = "own.example.com",
  job = "",
}: Change) =>
  program(`
    const shop = new Project("shop", { name: "shop" });
    const prod = new Environment("prod", { project: shop.id, ${prod} });
    const staging = new Environment("staging", { project: shop.id, name: "staging", cluster: "${cluster}" });
    new Database("orders", { environment: staging.id, name: "orders", type: "POSTGRESQL", version: "16", mode: "CONTAINER" });
    new Job("inside", {
      environment: staging.id, name: "inside", schedule: { onStart: {} },
      source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
    });
    new Job("job", {
      environment: prod.id, name: "job", ${job === "" ? "schedule: { onStart: {} }" : `schedule: { cronjob: { scheduledAt: "0 3 * * *" } }, ${job}`},
      source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
    });
    new Application("web", {
      environment: ${of}.id, name: "web", customDomains: { "${domain}": {} },
      gitRepository: { url: "https://github.com/acme/web" },
      ports: [{ internalPort: 80, publiclyAccessible: true }],
    });
  `);

/** Resources that no program has: a job in each environment of the program, and an application with a domain. */
const foreign: Fields[] = [
  { kind: "Project", name: "far" },
  { kind: "Environment", project: "far", name: "there" },
  {
    kind: "Application",
    environment: "far/there",
    name: "holder",
    git_repository: { url: "https://github.com/acme/holder" },
    ports: [{ internal_port: 80, publicly_accessible: true }],
    custom_domains: { "taken.example.com": {} },
  },
  {
    kind: "Job",
    environment: "shop/staging",
    name: "foreign",
    source: { image: { registry: "docker-hub", image_name: "acme/report", tag: "1" } },
    schedule: { on_start: {} },
  },
];

const refused: [what: string, change: Change, refusal: string][] = [
  [
    "an environment with a resource that is not in the program",
    { cluster: "us-east" },
    "it contains 1 resource that would be deleted with it: foreign",
  ],
  [
    "an application whose new domain another one has",
    { of: "staging", domain: "taken.example.com" },
    "the custom domain taken.example.com leads to Application far/there/holder",
  ],
  ["a job whose new stage is missing", { job: 'deploymentStage: "none"' }, 'no DeploymentStage "none"'],
  [
    "a job with an output of a missing database",
    { job: 'variables: { HOST: { from: "database:none", output: "host_internal" } }' },
    'no Database "none"',
  ],
  ["a job with more CPU than the cluster has", { job: "cpu: 99000" }, "64000"],
];

const allowed: [what: string, change: Change][] = [
  ["a new environment", { of: 'new Environment("fresh", { project: shop.id, name: "fresh" })' }],
  ["a replaced environment", { prod: 'name: "prod", cluster: "us-east"' }],
  ["a renamed environment", { prod: 'name: "production", cluster: "eu-west"' }],
];

test.for(frontEnds)(
  "$name: a replacement that cannot be made deletes nothing, and the preview says so",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, text({}), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    await server.reconcile(foreign);
    const live = await server.everything();
    for (const [what, change, refusal] of refused) {
      await stack.rewrite(text(change));
      const preview = await stack.preview();
      context.expect.soft(preview.errors.join("\n"), `preview of ${what}`).toContain(refusal);
      const up = await stack.up("--skip-preview");
      context.expect.soft(up.errors.join("\n"), what).toContain(refusal);
      // The names first: the difference of all is long.
      expect([...(await server.everything()).keys()], what).toEqual([...live.keys()]);
      expect(await server.everything(), what).toEqual(live);
    }
    const option = 'name: "staging", cluster: "eu-west", mode: "STAGING" }, { replaceOnChanges: ["mode"] }';
    await stack.rewrite(text({}).replace('name: "staging", cluster: "eu-west" }', option));
    // Pulumi tells this option to the plugin alone.
    const replaces = frontEnd === plugin ? expect.stringContaining("deleted with it: foreign") : "";
    context.expect.soft((await stack.preview()).errors.join("\n")).toEqual(replaces);
    for (const [what, change] of allowed) {
      await stack.rewrite(text({ ...change, domain: "new.example.com" }));
      const preview = await stack.preview();
      context.expect.soft(preview.errors, `preview of a new domain in ${what}`).toEqual([]);
    }
    await stack.rewrite(text({}));
    let said = ({ errors }: Run) => errors.join("\n");
    const refuseToReplace = async (chosen: string, contained: string) => {
      const { urn } = (await stack.export()).resources.find((each) => each.urn.endsWith(chosen)) ?? {};
      const before = await server.everything();
      const preview = await stack.preview("--replace", `${urn}`);
      context.expect.soft(said(preview), `preview of ${chosen}`).toContain(`deleted with it: ${contained}`);
      const up = await stack.up("--skip-preview", "--replace", `${urn}`);
      context.expect.soft(up.errors.join("\n"), chosen).toContain(`deleted with it: ${contained}`);
      expect(await server.everything()).toEqual(before);
    };
    await refuseToReplace("Environment::staging", "foreign");
    await stack.rewrite(text({}).replace('name: "staging"', 'name: "renamed"'));
    said = ({ stdout }) => stdout;
    await refuseToReplace("Environment::staging", "foreign");
    said = ({ errors }) => errors.join("\n");
    await stack.rewrite(text({}));
    await server.api("DELETE", `/job/${await server.idOf("shop/staging/JOB foreign")}`);
    await server.reconcile([{ kind: "Environment", project: "shop", name: "other" }]);
    await refuseToReplace("Project::shop", "other");
    expect(await stack.up()).toMatchObject(nothing);
  },
);

/** @param project of the environment @param inputs more inputs of the environment @param job more inputs of the job in it */
const replaced = (project: string, cluster: string, inputs = "", job = "", first = "") =>
  program(`
    const shop = new Project("shop", { name: "shop", variables: { REGION: "eu" } });
    const other = new Project("other", { name: "other" });
    const staging = new Environment("staging", { project: ${project}.id, name: "staging", cluster: "${cluster}", ${inputs} });
    ${first}
    new Job("job", {
      environment: staging.id, name: "job", schedule: { onStart: {} },
      source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } }, ${job}
    });
  `).replace("import { ", "import { DeploymentStage, ");

const fresh = (inputs = "") => `new Project("fresh", { name: "fresh", ${inputs} })`;

const inside: [what: string, text: string, refusal: string | undefined][] = [
  [
    "a missing stage",
    replaced("shop", "us-east", "", 'deploymentStage: "none"'),
    'no DeploymentStage "none"',
  ],
  [
    "an override of nothing",
    replaced("shop", "us-east", "", 'variables: { NONE: { value: "x", overrides: true } }'),
    "no parent has a variable NONE",
  ],
  [
    "an alias of nothing",
    replaced("shop", "us-east", "", 'variables: { OTHER: { aliasOf: "NONE" } }'),
    "there is no variable NONE",
  ],
  [
    "a missing stage of a job that may be adopted",
    replaced("shop", "us-east", "", 'adopt: true, deploymentStage: "none"'),
    'no DeploymentStage "none"',
  ],
  ["too much CPU", replaced("other", "eu-west", "", "cpu: 99000"), "the maximum of the cluster"],
  [
    "an override of nothing in an environment that moves to a new project",
    replaced(fresh(), "eu-west", "", 'variables: { REGION: { value: "us", overrides: true } }'),
    "no parent has a variable REGION",
  ],
  [
    "an alias of nothing in an environment that moves to a new project",
    replaced(fresh(), "eu-west", "", 'variables: { OTHER: { aliasOf: "REGION" } }'),
    "there is no variable REGION",
  ],
  [
    "a missing stage and an alias of nothing in a new environment",
    replaced(
      "shop",
      "eu-west",
      "",
      "",
      `new Job("new", {
        environment: new Environment("new", { project: shop.id, name: "new" }).id, name: "new", schedule: { onStart: {} },
        source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
        deploymentStage: "none", variables: { OTHER: { aliasOf: "NONE" } },
      });`,
    ),
    'no DeploymentStage "none"',
  ],
  [
    "too much CPU in an environment that moves to a new project",
    replaced(fresh(), "eu-west", "", "cpu: 99000"),
    "the maximum of the cluster",
  ],
  [
    "variables of a new project",
    replaced(
      fresh('variables: { REGION: "eu" }'),
      "eu-west",
      "",
      'variables: { REGION: { value: "us", overrides: true }, ALSO: { aliasOf: "REGION" }, ID: { aliasOf: "QOVERY_ENVIRONMENT_ID" } }',
    ),
    undefined,
  ],
  ["an unknown group", replaced("shop", "us-east", "", 'labelsGroups: ["none"]'), 'no label group "none"'],
  [
    "a stage, variables and aliases that the program adds",
    replaced(
      "shop",
      "us-east",
      'variables: { LEVEL: "info" }',
      'deploymentStage: own.name, variables: { LEVEL: { value: "debug", overrides: true }, ALSO: { aliasOf: "LEVEL" }, ID: { aliasOf: "QOVERY_ENVIRONMENT_ID" }, REGION: { value: "us", overrides: true } }',
      'const own = new DeploymentStage("own", { environment: staging.id, name: "own" });',
    ),
    undefined,
  ],
];

test.for(frontEnds)(
  "$name: the preview refuses a resource that cannot be created in a new or replaced environment",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, replaced("shop", "eu-west"), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const live = await server.everything();
    for (const [what, changed, refusal] of inside) {
      await stack.rewrite(changed);
      const { errors } = await stack.preview();
      context.expect
        .soft(errors.join("\n"), what)
        .toEqual(refusal === undefined ? "" : expect.stringContaining(refusal));
    }
    expect(await server.everything()).toEqual(live);
    // The job is a content of the environment, and is deleted itself.
    stack.environment["INFRASYNC_MAX_DELETES"] = "1";
    expect((await stack.preview()).errors.join("\n")).toContain("2 resources would be deleted or replaced");
    stack.environment["INFRASYNC_MAX_DELETES"] = "2";
    expect(await stack.up("--refresh")).toMatchObject({ exitCode: 0, errors: [] });
    // The engine asks nobody about a resource that the user replaces, except for the refresh.
    const job = (await stack.export()).resources.find(({ urn }) => urn.endsWith("Job::job"));
    expect(await stack.up("--refresh", "--replace", `${job?.urn}`)).toMatchObject({
      exitCode: 0,
      errors: [],
    });
    expect(await server.idOf("shop/staging/JOB job")).not.toBe(job?.id);
    expect(await stack.up("--refresh")).toMatchObject(nothing);
  },
);

/** @param region of the cluster @param use of the domain and of the job */
const used = (region: string, domain = "one") =>
  program(`
    const shop = new Project("shop", { name: "shop" });
    const role = new CustomRole("role", { name: "deployers", clusterPermissions: [], projectPermissions: [] });
    new ApiToken("token", { name: "ci", role: role.name });
    const paris = new Cluster("paris", { name: "paris", region: "${region}", cloudProvider: "AWS" });
    const prod = new Environment("prod", { project: shop.id, name: "prod", cluster: paris.name });
    const staging = new Environment("staging", { project: shop.id, name: "staging", cluster: "eu-west" });
    for (const [name, environment] of [["job", prod], ["inside", staging]])
      new Job(name, {
        environment: environment.id, name, schedule: { onStart: {} },
        source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
      });
    new Application("${domain}", {
      environment: staging.id, name: "${domain}", customDomains: { "own.example.com": {} },
      gitRepository: { url: "https://github.com/acme/web" },
      ports: [{ internalPort: 80, publiclyAccessible: true }],
    });
  `).replace("import { ", "import { Cluster, CustomRole, ");

test.for(frontEnds)(
  "$name: a replaced resource that others use, a target without its dependants and a kept domain are refused with what to do",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, used("eu-west-3"), {}, frontEnd);
    stack.environment["INFRASYNC_ALLOW_INFRASTRUCTURE"] = "paris";
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const left = used("eu-west-1").replace("cluster: paris.name", 'cluster: "eu-west"');
    const before = await server.everything();
    await stack.rewrite(left);
    for (const run of [await stack.preview(), await stack.up("--skip-preview")])
      context.expect.soft(run.errors.join("\n")).toContain("this run replaces its cluster");
    expect(await server.everything()).toEqual(before);
    await stack.rewrite(used("eu-west-3"));
    await server.reconcile([
      { kind: "ApiToken", name: "foreign", role: "deployers" },
      { kind: "Project", name: "far" },
      { kind: "Environment", project: "far", name: "there", cluster: "paris" },
    ]);
    const live = await server.everything();
    const urns = (await stack.export()).resources.map(({ urn }) => urn);
    const urnOf = (end: string) => String(urns.find((urn) => urn.endsWith(end)));
    const refuse = async (refusal: string, ...flags: string[]) => {
      const preview = await stack.preview(...flags);
      context.expect.soft(preview.errors.join("\n"), "preview").toContain(refusal);
      const up = await stack.up("--skip-preview", ...flags);
      context.expect.soft(up.errors.join("\n"), "up").toContain(refusal);
      expect(await server.everything()).toEqual(live);
    };
    await refuse("apitoken:foreign refers to it", "--replace", urnOf("CustomRole::role"));
    await refuse("environment:far/there refers to it", "--replace", urnOf("Cluster::paris"));
    await stack.rewrite(used("eu-west-1"));
    await refuse("environment:far/there refers to it");
    await stack.rewrite(used("eu-west-3", "two"));
    const advice = "if the program no longer has the resource that has this value, run `pulumi up` without";
    expect((await stack.preview()).stdout).toContain(advice);
    expect((await stack.up()).errors.join("\n")).toContain(advice);
    await stack.rewrite(used("eu-west-3").replace('cluster: "eu-west"', 'cluster: "us-east"'));
    const target = ["--target", urnOf("Environment::staging")];
    const without = 'replaces its parent, the Environment "staging"';
    if (frontEnd === plugin) expect((await stack.preview(...target)).errors.join("\n")).toContain(without);
    expect((await stack.up(...target)).errors.join("\n")).toContain(without);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    await stack.rewrite(used("eu-west-3"));
    expect(await stack.up(...target, "--target-dependents")).toMatchObject({ exitCode: 0, errors: [] });
    expect([...(await server.everything()).keys()].toSorted()).toEqual([...live.keys()].toSorted());
  },
);

/** @param cluster of the environment one, and of two with it @param of the environment of the job b */
const following = (cluster: string, of: string) =>
  program(`
    const shop = new Project("shop", { name: "shop" });
    const one = new Environment("one", { project: shop.id, name: "one", cluster: "${cluster}" });
    const two = new Environment("two", { project: shop.id, name: "two", cluster: one.cluster });
    for (const [name, environment] of [["a", one.id], ["b", ${of}], ["c", two.id]])
      new Job(name, {
        environment, name, schedule: { onStart: {} },
        source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
      });
  `);

test.for(frontEnds)(
  "$name: an environment follows the cluster of a replaced one, and a job that leaves it for a new one is refused",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, following("eu-west", "one.id"), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const live = await server.everything();
    await stack.rewrite(following("us-east", 'new Environment("new", { project: shop.id, name: "new" }).id'));
    const refusal = "environment: this run replaces its environment";
    context.expect.soft((await stack.up("--skip-preview")).errors.join("\n")).toContain(refusal);
    expect([...(await server.everything()).keys()]).toEqual([...live.keys(), "shop/new"]);
    await stack.rewrite(following("us-east", "one.id"));
    expect((await stack.preview()).errors).toEqual([]);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect(await stack.up("--refresh")).toMatchObject(nothing);
    expect([...(await server.everything()).keys()].toSorted()).toEqual([...live.keys()].toSorted());
    // Both environments are replaced.
    await stack.rewrite(following("eu-west", "two.id"));
    expect((await stack.preview()).errors).toEqual([]);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect(await stack.up("--refresh")).toMatchObject(nothing);
    expect([...(await server.everything()).keys()]).toContain("shop/two/JOB b");
  },
);

/** @param above declarations of what a program gets from outside @param project of an environment @param staging of the job */
const given = (above: string, project: string, staging: string, role: string, cluster: string) =>
  program(`
    ${above}
    new Environment("theirs", { project: ${project}, name: "theirs", mode: "STAGING", cluster: ${cluster} });
    new ApiToken("token", { name: "ci", role: ${role} });
    new Job("job", {
      environment: ${staging}, name: "job", schedule: { onStart: {} },
      source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
    });
  `).replace("import { ", "import { Cluster, CustomRole, ");

test.for(frontEnds)(
  "$name: what a program adopts, and a new environment of the same name in a new project, replace nothing that is foreign",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, program(""), {}, frontEnd);
    const [, , , job = {}] = foreign;
    await server.reconcile([
      { kind: "Project", name: "far" },
      { kind: "Environment", project: "far", name: "staging", cluster: "eu-west" },
      { ...job, environment: "far/staging" },
      { kind: "CustomRole", name: "deployers", cluster_permissions: [], project_permissions: [] },
      { kind: "ApiToken", name: "foreign", role: "deployers" },
    ]);
    const [far, staging] = [await server.idOf("far"), await server.idOf("far/staging")];
    const literal = [`"${far}"`, `"${staging}"`, '"deployers"', '"eu-west"'] as const;
    await stack.rewrite(given("", ...literal));
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const live = await server.everything();
    const adopting = `
      const far = new Project("far", { name: "far", adopt: true });
      const staging = new Environment("staging", { project: "${far}", name: "staging", mode: "STAGING", cluster: "eu-west", adopt: true });
      const role = new CustomRole("role", { name: "deployers", clusterPermissions: [], projectPermissions: [], adopt: true });
      const cluster = new Cluster("cluster", { name: "eu-west", adopt: true });
    `;
    await stack.rewrite(given(adopting, "far.id", "staging.id", "role.id", "cluster.id"));
    expect((await stack.preview()).errors).toEqual([]);
    await stack.rewrite(
      given(
        'const own = new Project("own", { name: "own" }); const staging = new Environment("staging", { project: own.id, name: "staging" });',
        ...([literal[0], "staging.id", literal[2], literal[3]] as const),
      ),
    );
    expect((await stack.preview()).errors).toEqual([]);
    expect(await server.everything()).toEqual(live);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect([...(await server.everything()).keys()]).toContain("far/staging/JOB foreign");
    // An update makes the outputs of a dynamic resource unknown in a preview, and they may turn out to be the same.
    const named = (inputs: string) =>
      given(
        `const own = new Project("own", { name: "own" }); const staging = new Environment("staging", { project: own.id, name: "staging", ${inputs} });`,
        literal[0],
        "staging.id",
        literal[2],
        "staging.cluster",
      );
    await stack.rewrite(named(""));
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    await server.reconcile([{ ...job, environment: "far/theirs" }]);
    await stack.rewrite(named('variables: { A: "1" }'));
    expect((await stack.preview()).errors).toEqual([]);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect([...(await server.everything()).keys()]).toContain("far/theirs/JOB foreign");
  },
);
