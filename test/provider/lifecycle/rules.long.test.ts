import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { unknownValue } from "../../../core/problems/unknown.ts";
import { Stack } from "./stack.ts";
import { useStaging } from "./staging.ts";

// The rules of the planner hold for programs: in a preview and in each write.

const staging = useStaging();

const policies = `
policies:
  - name: small-jobs
    kinds: [Job]
    environments: ["*/staging"]
    when: after.cpu > 600
    message: ask the data team
  - name: nightly-name
    kinds: [Job]
    effect: warn
    when: '!name.startsWith("night")'
    message: call it nightly
  - name: keep
    kinds: [Job]
    actions: [delete]
    environments: ["*/staging"]
    message: jobs stay
`;

function start(settings: Record<string, string>) {
  const { url, tokens } = staging.server.emulator;
  const values: Record<string, string> = {
    "infrasync:baseUrl": url,
    "infrasync:token": tokens.admin,
    ...settings,
  };
  const warnings: string[] = [];
  const lifecycle = new Lifecycle({}, (message) => warnings.push(message));
  return { lifecycle, warnings, config: { get: (key: string) => values[key] } };
}

function withPolicies(text = policies) {
  const file = join(mkdtempSync(join(tmpdir(), "policies-")), "policies.yaml");
  writeFileSync(file, text);
  return start({ "infrasync:policies": file });
}

const nightly = (more: Properties = {}): Properties => ({ ...staging.nightly(), ...more });

test("a policy forbids a creation, in the preview and in up", async () => {
  const { lifecycle, config } = withPolicies();
  const large = nightly({ cpu: 900 });
  const reason = "job:shop/staging/nightly: policy small-jobs: ask the data team";
  await expect(lifecycle.preview("Job", undefined, large, config)).rejects.toThrow(reason);
  await expect(lifecycle.create("Job", large, config)).rejects.toThrow(reason);
  expect(await staging.services()).toEqual([]);
});

test("a policy forbids an update and a deletion, and mentions what it only warns of", async () => {
  const { id, outputs } = await (await staging.pass()).create("Job", nightly({ name: "report" }));
  const { lifecycle, config, warnings } = withPolicies();
  const large = nightly({ name: "report", cpu: 900 });
  const reason = "job:shop/staging/report: policy small-jobs: ask the data team";
  await expect(lifecycle.diff("Job", id, outputs, large, config)).rejects.toThrow(reason);
  await expect(lifecycle.update("Job", id, outputs, large, config)).rejects.toThrow(reason);
  await lifecycle.diff("Job", id, outputs, nightly({ name: "report", cpu: 550 }), config);
  expect(warnings).toEqual([expect.stringContaining("policy nightly-name: call it nightly")]);
  const destroying = withPolicies();
  await expect(destroying.lifecycle.remove("Job", id, outputs, destroying.config)).rejects.toThrow(
    "policy keep: jobs stay",
  );
  expect(await staging.services()).toMatchObject([{ cpu: 500 }]);
});

test("a file of policies that cannot be read, or has a mistake, stops every change", async () => {
  const missing = start({ "infrasync:policies": "/nowhere/policies.yaml" });
  await expect(missing.lifecycle.create("Job", nightly(), missing.config)).rejects.toThrow(
    "infrasync:policies: /nowhere/policies.yaml cannot be read",
  );
  const wrong = withPolicies("policies: [{ built_in: no-such-policy }]");
  await expect(wrong.lifecycle.create("Job", nightly(), wrong.config)).rejects.toThrow(
    /policies.yaml:1:\d+: /,
  );
  expect(await staging.services()).toEqual([]);
});

test.each([
  ["- policies", "must be a mapping"],
  ["max_deletes: 3\n---\nprotect: ['**']", "more than one document"],
  ["polices: [{ built_in: pinned-image-tag }]", "unknown setting polices; did you mean policies?"],
])(
  "a settings file with a mistake that would lift its rules stops every change: %s",
  async (text, mistake) => {
    const wrong = withPolicies(text);
    await expect(wrong.lifecycle.create("Job", nightly(), wrong.config)).rejects.toThrow(mistake);
    expect(await staging.services()).toEqual([]);
  },
);

test("a cap counts what all changes of a run delete", async () => {
  const pass = await staging.pass();
  const jobs = await Promise.all(["a", "b"].map((name) => pass.create("Job", nightly({ name }))));
  const { lifecycle, config } = start({ "infrasync:maxDeletes": "1" });
  const [first, second] = jobs;
  await lifecycle.remove("Job", first?.id ?? "", first?.outputs ?? {}, config);
  await expect(lifecycle.remove("Job", second?.id ?? "", second?.outputs ?? {}, config)).rejects.toThrow(
    "2 resources would be deleted or replaced, and the limit is 1; make fewer changes at once, or raise infrasync:maxDeletes",
  );
  expect(await staging.services()).toMatchObject([{ name: "b" }]);
});

test("a preview of an update of infrastructure asks for the approval that up needs", async () => {
  const keys = { name: "keys", type: "AWS_STATIC", accessKeyId: "A", secretAccessKey: "s" };
  const allowing = await staging.pass({ "infrasync:allowInfrastructure": "keys" });
  const { id, outputs } = await allowing.create("AwsCredentials", keys);
  const { lifecycle, config } = start({});
  await expect(
    lifecycle.diff("AwsCredentials", id, outputs, { ...keys, accessKeyId: "B" }, config),
  ).rejects.toThrow("would be updated: that costs money");
});

test("a run without policies reads in a preview whether the name of a new resource is taken, and the lists to which it refers by name", async () => {
  const { id, outputs } = await (await staging.pass()).create("Job", nightly());
  await staging.server.forgetRequests();
  const { lifecycle, config } = start({});
  await lifecycle.preview("Job", undefined, nightly({ name: "other" }), config);
  await lifecycle.diff("Job", id, outputs, nightly({ cpu: 700 }), config);
  expect(await staging.server.seen()).toMatchObject([
    { method: "GET", path: `/environment/${staging.environment.id}/services` },
    { method: "GET", path: "/organization" },
    { method: "GET", path: expect.stringMatching(/\/containerRegistry$/) },
  ]);
});

test("a value that is not known yet is judged by the run: the preview warns of what may be refused, and refuses what is so whatever it is", async () => {
  const { lifecycle, config, warnings } = withPolicies();
  const unknown = nightly({ cpu: unknownValue });
  expect(await lifecycle.check("Job", {}, unknown, config)).toMatchObject({ failures: [] });
  await lifecycle.preview("Job", undefined, unknown, config);
  expect(warnings).toEqual([
    expect.stringMatching(/^unless unknown values change the result, `pulumi up` refuses: .*small-jobs/),
  ]);
  expect(
    (await lifecycle.check("Job", {}, nightly({ cpu: 900, name: unknownValue }), config)).failures,
  ).toEqual([]);

  const judging = start({});
  const storage: Properties[] = [{ type: "FAST_SSD", size: 4, mountPoint: "/data" }];
  const declared = { ...staging.api(), storage };
  const { id, outs } = await judging.lifecycle.create("Application", declared, judging.config, "urn::api");
  const diff = (more: Properties) =>
    judging.lifecycle.diff("Application", id, outs, { ...declared, ...more }, judging.config, "urn::api");
  expect(
    await diff({ storage: [{ type: "FAST_SSD", size: unknownValue, mountPoint: "/data" }] }),
  ).toMatchObject({ changes: true, replaces: [] });
  expect(judging.warnings).toEqual([
    expect.stringContaining("would lose part of the volume /data (4 GiB -> [unknown])"),
  ]);
  await expect(diff({ storage: [], cpu: unknownValue })).rejects.toThrow("would lose the volume /data");
});

test("the preview of a replacement of what is protected is refused, and names the line of the rule, or the setting", async () => {
  const { id, outputs } = await (await staging.pass()).create("Job", nightly());
  const replaced = nightly({ schedule: { onStart: {} } });
  const inFile = withPolicies("max_deletes: 9\nprotect:\n  - shop/staging\n");
  await expect(inFile.lifecycle.diff("Job", id, outputs, replaced, inFile.config, "urn")).rejects.toThrow(
    /protected by the pattern "shop\/staging".*take the pattern shop\/staging out of \S+policies.yaml:3$/,
  );
  const set = start({ "infrasync:protect": "shop/staging" });
  await expect(set.lifecycle.diff("Job", id, outputs, replaced, set.config, "urn")).rejects.toThrow(
    "take the pattern shop/staging out of infrasync:protect (or INFRASYNC_PROTECT)",
  );
});

test("the refusal of a policy names its line, and that of a cap the number alone that would lift it, where that can be set", async () => {
  const { id, outputs } = await (await staging.pass()).create("Job", nightly());
  const { lifecycle, config } = withPolicies();
  await expect(lifecycle.diff("Job", id, outputs, nightly({ cpu: 900 }), config)).rejects.toThrow(
    /policy small-jobs: ask the data team \(\S+policies.yaml:3\); /,
  );
  const inFile = withPolicies("max_deletes: 0\n");
  await expect(inFile.lifecycle.remove("Job", id, outputs, inFile.config)).rejects.toThrow(
    /raise max_deletes in \S+policies.yaml:1 to 1$/,
  );
  const set = start({ "infrasync:maxDeletes": "0" });
  await expect(set.lifecycle.remove("Job", id, outputs, set.config)).rejects.toThrow(
    /raise infrasync:maxDeletes \(or INFRASYNC_MAX_DELETES\) to 1$/,
  );
});

test("whatever forbids the deletion of an environment, its refusal says how resources with deletedWith come back, and a preview does not", async () => {
  const run = await staging.pass();
  const inputs = { ...staging.environment.inputs, name: "emptied", deleteContents: true };
  const { id, outputs } = await run.create("Environment", inputs);
  await run.create("Job", nightly({ environment: id }));
  const comesBack = "`INFRASYNC_ADOPT=true pulumi up` adds them again";
  const files = [
    "protect: [shop/emptied]",
    "max_deletes: 0",
    "policies: [{ name: stays, actions: [delete], message: no }]",
  ];
  for (const file of files) {
    const { lifecycle, config } = withPolicies(file);
    await expect(lifecycle.remove("Environment", id, outputs, config, "urn")).rejects.toThrow(comesBack);
    const replaced = { ...inputs, cluster: "us-east" };
    await expect(lifecycle.diff("Environment", id, outputs, replaced, config, "urn")).rejects.not.toThrow(
      comesBack,
    );
  }
});

test("previews of a Deployment ask the policies, in both front ends", async () => {
  const { id } = await (await staging.pass()).create("Job", nightly());
  const { lifecycle, config } = withPolicies(`
policies:
  - name: no-friday
    actions: [deploy]
    message: not on a Friday
`);
  const services = { services: [id] };
  const reason = "policy no-friday: not on a Friday";
  await expect(lifecycle.preview("Deployment", undefined, services, config)).rejects.toThrow(reason);
  const again = { ...services, triggers: ["2"] };
  await expect(lifecycle.diff("Deployment", "id", services, again, config)).rejects.toThrow(reason);
  await expect(lifecycle.create("Deployment", services, config)).rejects.toThrow(reason);
  expect(await staging.server.writes()).not.toContainEqual(
    expect.objectContaining({ path: expect.stringContaining("deploy") }),
  );
  const unknown = { services: [unknownValue] };
  expect(await lifecycle.check("Deployment", {}, unknown, config)).toMatchObject({ failures: [] });
  // What is forbidden whatever the unknown services are.
  const both = { services: [unknownValue, id] };
  await expect(lifecycle.preview("Deployment", undefined, both, config)).rejects.toThrow(reason);
});

test("a preview judges what is new in a new parent by the rules, with the name of that parent", async () => {
  const { lifecycle, config } = withPolicies();
  const { project = null } = staging.environment.inputs;
  await lifecycle.check("Environment", {}, { project, name: "second" }, config, "second");
  const job = nightly({ environment: unknownValue, cpu: 900 });
  // The policy holds in environments called staging only.
  await lifecycle.preview("Job", undefined, job, config);
  const both = withPolicies();
  await both.lifecycle.check("Project", {}, { name: "other" }, both.config, "other");
  const inNew = { project: unknownValue, name: "staging" };
  await both.lifecycle.check("Environment", {}, inNew, both.config, "staging");
  await expect(both.lifecycle.preview("Job", undefined, job, both.config)).rejects.toThrow(
    "job:other/staging/nightly: policy small-jobs: ask the data team",
  );
  // With two new environments, nobody knows which one it will be in.
  await both.lifecycle.check("Environment", {}, { ...inNew, name: "second" }, both.config, "second");
  await both.lifecycle.preview("Job", undefined, job, both.config);
  expect(both.warnings).toEqual([
    expect.stringContaining("unless unknown values change the result, `pulumi up` refuses: "),
  ]);
});

test("a preview refuses a reference to what the organization does not have, in a new parent and in an update too", async () => {
  const { project = null } = staging.environment.inputs;
  const before = await (await staging.pass()).create("Job", nightly());
  const image = (registry: string) => ({ source: { image: { registry, imageName: "a", tag: "1" } } });
  const { lifecycle, config } = start({});
  const wrong = /there is no (cluster|container registry|label group|git token) "nowhere"; /;
  const inUnknown = { environment: unknownValue };
  const creations: [string, Properties][] = [
    ["Environment", { project, name: "e", cluster: "nowhere" }],
    ["Environment", { project: unknownValue, name: "e", cluster: "nowhere" }],
    ["Job", nightly({ name: "j", ...image("nowhere") })],
    ["Job", nightly({ name: "j", ...inUnknown, ...image("nowhere") })],
    ["Job", nightly({ name: "j", ...inUnknown, labelsGroups: ["nowhere"] })],
    [
      "Application",
      {
        ...staging.api(),
        ...inUnknown,
        gitRepository: { url: "https://github.com/a/b", gitToken: "nowhere" },
      },
    ],
  ];
  for (const [kind, inputs] of creations)
    await expect(lifecycle.preview(kind, undefined, inputs, config)).rejects.toThrow(wrong);
  await expect(
    lifecycle.diff("Job", before.id, before.outputs, nightly(image("nowhere")), config),
  ).rejects.toThrow(wrong);
});

test("a settings file with a mistake is reported once in a run, also where nothing changes", async () => {
  const { inputs } = staging.environment;
  const wrong = withPolicies("polices: [{ built_in: pinned-image-tag }]");
  const { failures } = await wrong.lifecycle.check("Environment", inputs, inputs, wrong.config);
  expect(failures).toEqual([{ property: "", reason: expect.stringContaining("did you mean policies?") }]);
  const again = await wrong.lifecycle.check("Environment", inputs, inputs, wrong.config);
  expect(again.failures).toEqual([]);
});

test("a key with aliases is renamed without a loss in two runs: the new one beside the old one first", async () => {
  const { server, nightly: job } = staging;
  const { url, tokens } = server.emulator;
  const settings = { "infrasync:baseUrl": url, "infrasync:token": tokens.admin };
  const stack = new Stack(settings, { HOME: "" }, server.clock);
  const { environment } = staging;
  stack.state.set("environment", environment);
  const programOf = (variables: Properties, aliasOf: string) => ({
    environment: { kind: "Environment", inputs: { ...environment.inputs, variables } },
    job: { kind: "Job", inputs: { ...job(), variables: { ALIAS: { aliasOf } } } },
  });
  await stack.up(programOf({ OLD: "a" }, "OLD"));
  await expect(stack.preview(programOf({ NEW: "a" }, "NEW"))).rejects.toThrow(
    "would lose the variable ALIAS of nightly",
  );
  for (const program of [programOf({ OLD: "a", NEW: "a" }, "NEW"), programOf({ NEW: "a" }, "NEW")]) {
    await stack.preview(program);
    await stack.up(program);
  }
  expect(await stack.up(programOf({ NEW: "a" }, "NEW"))).toEqual([]);
});
