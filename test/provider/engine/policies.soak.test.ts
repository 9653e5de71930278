import { chmod, mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { chosenFrontEnds, frontEnds } from "./front-ends.ts";
import { shop, start } from "./shop.ts";

const checkout = path.join(import.meta.dirname, "..", "..", "..");

/** Policies as a team writes them: of a resource, of the whole stack, and one that corrects. */
const pack = `
  const { PolicyPack } = require("@pulumi/policy");
  const kindOf = (type) => type.split(":").at(-1);
  new PolicyPack("shop", {
    policies: [
      {
        name: "tagged-images",
        description: "An image has a tag that says what it is.",
        enforcementLevel: "mandatory",
        validateResource: ({ type, props }, report) => {
          if (kindOf(type) === "Job" && props.source.image.tag === "latest") report("it runs latest");
        },
      },
      {
        name: "small-jobs",
        description: "A job has at most 500 mCPU.",
        enforcementLevel: "remediate",
        remediateResource: ({ type, props }) =>
          kindOf(type) === "Job" && props.cpu > 500 ? { ...props, cpu: 500 } : undefined,
      },
      {
        name: "staging-first",
        description: "A stack has an environment for staging.",
        enforcementLevel: "mandatory",
        validateStack: ({ resources }, report) => {
          const isStaging = ({ type, props }) => kindOf(type) === "Environment" && props.mode === "STAGING";
          if (!resources.some(isStaging)) report("there is none");
        },
      },
    ],
  });
`;

/** Starts the analyzer of Pulumi with the pack, as the language host of Node does, if it is newer than the one of the tests. */
const analyzer = `#!/bin/sh
cd "$(dirname "$0")" && exec node node_modules/@pulumi/pulumi/cmd/run-policy-pack "$1" "$PWD"
`;

test.for(chosenFrontEnds)(
  "$name: policy packs read inputs and outputs, refuse, and correct",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, shop("cpu: 1000,"), {}, frontEnd);
    await mkdir(path.join(stack.folder, "policy", "node_modules"), { recursive: true });
    await symlink(
      path.join(checkout, "node_modules", "@pulumi"),
      path.join(stack.folder, "policy", "node_modules", "@pulumi"),
    );
    await stack.write(path.join("policy", "PulumiPolicy.yaml"), "runtime: nodejs\n");
    await stack.write(path.join("policy", "package.json"), '{ "main": "index.js", "version": "1.0.0" }');
    await stack.write(path.join("policy", "index.js"), pack);
    await stack.write(path.join("policy", "pack"), analyzer);
    await chmod(path.join(stack.folder, "policy", "pack"), 0o755);

    const up = await stack.up("--policy-pack", "policy/pack");
    expect(up, up.stdout + up.stderr).toMatchObject({ exitCode: 0, errors: [] });
    expect((await server.everything()).get("shop/staging/JOB nightly")).toMatchObject({ cpu: 500 });
    expect((await stack.preview("--policy-pack", "policy/pack")).steps).toEqual([]);

    await server.forgetRequests();
    await stack.rewrite(shop("cpu: 400,").replace('tag: "1.4.2"', 'tag: "latest"'));
    const latest = await stack.up("--policy-pack", "policy/pack");
    expect(latest.exitCode).not.toBe(0);
    expect(latest.stdout).toContain("tagged-images");
    expect(latest.stdout).toContain("it runs latest");
    await stack.rewrite(shop().replace('mode: "STAGING"', 'mode: "PRODUCTION"'));
    const production = await stack.preview("--policy-pack", "policy/pack");
    expect(production.exitCode).not.toBe(0);
    expect(production.stdout).toContain("staging-first");
    expect((await server.seen()).filter(({ method }) => method !== "GET")).toEqual([]);
  },
);

test.for(frontEnds)(
  "$name: the settings file in the folder of the program forbids to it what it forbids to manifests",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, shop("cpu: 900,"), {}, frontEnd);
    const rule = "{ name: small-jobs, kinds: [Job], when: after.cpu > 600, message: ask the data team }";
    await stack.write("infrasync.config.yaml", `policies: [${rule}]\n`);
    const { exitCode, errors } = await stack.up();
    expect(exitCode).not.toBe(0);
    expect(errors.join("\n")).toContain("policy small-jobs: ask the data team");
    await stack.rewrite(shop("cpu: 500,"));
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect((await server.everything()).size).toBeGreaterThan(2);
  },
);
