import { expect, test } from "vitest";
import { chosenFrontEnds } from "./front-ends.ts";
import { nothing, program, start } from "./shop.ts";

const text = (tag: string, wait = true) =>
  `import { Deployment } from "infrasync/provider";
  ${program(`
    const shop = new Project("shop", { name: "shop" });
    const staging = new Environment("staging", { project: shop.id, name: "staging", cluster: "eu-west" });
    const job = (name: string) => new Job(name, {
      environment: staging.id, name,
      source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "${tag}" } },
      schedule: { onStart: {} },
    });
    const [first, second] = [job("first"), job("second")];
    const deployment = new Deployment("deployment", {
      services: [first, second.id], triggers: ["${tag}"], wait: ${wait},
    });
    export const environments = deployment.environments;
  `)}`;

test.for(chosenFrontEnds)(
  "$name: a deployment runs after its services, and again after a change of its triggers",
  async (frontEnd, context) => {
    const { stack, server } = await start(
      context,
      text("1"),
      { behaviour: { deploy_delay_ms: 100 } },
      frontEnd,
    );
    const deployments = async () => {
      const seen = (await server.writes()).filter(({ path }) => path.endsWith("/service/deploy"));
      await server.forgetRequests();
      return seen.length;
    };
    const preview = await stack.preview();
    expect(preview).toMatchObject({ exitCode: 0, errors: [] });
    expect(preview.steps).toContain("create Deployment deployment");
    expect(await deployments()).toBe(0);

    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect(await deployments()).toBe(1);
    expect(await stack.preview()).toMatchObject(nothing);
    expect(await stack.refresh()).toMatchObject({ exitCode: 0, errors: [] });
    expect(await stack.up()).toMatchObject(nothing);

    await stack.rewrite(text("2"));
    const changed = await stack.up();
    expect(changed).toMatchObject({ exitCode: 0, errors: [] });
    expect(changed.steps.join("\n")).toMatch(/replace.* Deployment deployment/);
    expect(await deployments()).toBe(1);

    await stack.rewrite(text("3"));
    await server.api("POST", "/_emulator/faults", [
      { method: "POST", path: "/environment/*/service/deploy", fail_deployment: true, times: 1 },
    ]);
    const failed = await stack.up();
    expect(failed.exitCode).not.toBe(0);
    expect(failed.errors.join("\n")).toContain("the deployment has failed (DEPLOYMENT_ERROR)");
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect(await stack.preview()).toMatchObject(nothing);

    await server.forgetRequests();
    expect(await stack.destroy()).toMatchObject({ exitCode: 0, errors: [] });
    expect(await deployments()).toBe(0);
  },
);
