import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { expect, test } from "vitest";
import { frontEndsOf } from "./front-ends.ts";
import { nothing, program, start } from "./shop.ts";

test.for(frontEndsOf(import.meta.filename))(
  "$name: replaceOnChanges replaces, or a warning says that it has no effect",
  async (frontEnd, context) => {
    const text = (cpu: number) =>
      program(`
        const shop = new Project("shop", { name: "shop" });
        const staging = new Environment("staging", { project: shop.id, name: "staging" });
        new Job("nightly", {
          environment: staging.id, name: "nightly", cpu: ${cpu},
          source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
          schedule: { onStart: {} },
        }, { replaceOnChanges: ["cpu"] });
      `);
    const { stack } = await start(context, text(500), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    await stack.rewrite(text(600));
    const { steps, errors, stdout } = await stack.up();
    expect(errors).toEqual([]);
    if (frontEnd.name === "plugin") {
      expect(steps).toEqual(["delete-replaced Job nightly", "create-replacement Job nightly"]);
    } else {
      expect(steps).toEqual(["update Job nightly"]);
      expect(stdout).toContain(
        "replaceOnChanges has no effect, because Pulumi does not tell it to dynamic providers",
      );
    }
    expect(await stack.preview()).toMatchObject(nothing);
  },
);

test.for(frontEndsOf(import.meta.filename))(
  "$name: the Automation API runs the program in its folder",
  async (frontEnd, context) => {
    const text = program(`export const shop = new Project("shop", { name: "shop" }).id;`);
    const { server, stack } = await start(context, text, {}, frontEnd);
    const envVars = Object.fromEntries(
      Object.entries(stack.processEnvironment()).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    );
    const saved = process.env["PATH"];
    process.env["PATH"] = stack.path;
    try {
      const automated = await LocalWorkspace.selectStack(
        { stackName: "dev", workDir: stack.folder },
        { envVars },
      );
      const { summary, outputs } = await automated.up();
      expect(summary.result).toBe("succeeded");
      expect(outputs["shop"]?.value).toBe(await server.idOf("shop"));
    } finally {
      process.env["PATH"] = saved;
    }
  },
);

test.for(frontEndsOf(import.meta.filename))(
  "$name: after an adoption by an up of the new name alone, the deletion of the old name leaves the resource",
  async (frontEnd, context) => {
    const text = (name: string) =>
      program(`
        const shop = new Project("shop", { name: "shop" });
        new Environment("${name}", { project: shop.id, name: "staging", adopt: true });
      `);
    const { server, stack } = await start(context, text("old"), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const before = await server.everything();
    await stack.rewrite(text("new"));
    const { resources } = await stack.export();
    const urn = resources.find((each) => each.urn.endsWith("::old"))?.urn.replace(/::old$/, "::new") ?? "";
    expect(await stack.up("--target", urn)).toMatchObject({ exitCode: 0, errors: [] });
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [], steps: ["delete Environment old"] });
    expect(await server.everything()).toEqual(before);
    expect(await stack.up("--refresh")).toMatchObject({ exitCode: 0, errors: [], steps: [] });
  },
);
