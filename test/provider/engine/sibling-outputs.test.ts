import { expect, test } from "vitest";
import { chosenFrontEnds } from "./front-ends.ts";
import { nothing, program, start } from "./shop.ts";

/** A job that uses an output of a database of some type, in no order that the engine knows. */
const users = (type: string, version: string, from = '"database:orders"') =>
  program(`
    const shop = new Project("shop", { name: "shop" });
    const staging = new Environment("staging", { project: shop.id, name: "staging" });
    const orders = new Database("orders", {
      environment: staging.id, name: "orders", type: "${type}", version: "${version}", mode: "CONTAINER",
    });
    new Job("job", {
      environment: staging.id, name: "job", schedule: { onStart: {} },
      source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
      variables: { HOST: { from: ${from}, output: "host_internal" } },
    }, { dependsOn: orders });
  `);

test.for(chosenFrontEnds)(
  "$name: a database whose outputs a job uses is replaced neither by a change nor by the user, and the job loses nothing",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, users("POSTGRESQL", "16"), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const before = await server.everything();
    const { resources } = await stack.export();
    const urn = String(resources.find((each) => each["urn"].endsWith("Database::orders"))?.["urn"]);
    await stack.rewrite(users("MYSQL", "8", "orders.name.apply((name) => `database:${name}`)"));
    const runs = [await stack.preview(), await stack.up("--skip-preview")];
    await stack.rewrite(users("POSTGRESQL", "16"));
    const preview = await stack.preview("--replace", urn);
    expect(JSON.stringify(preview.events)).toContain(
      "`pulumi up` refuses: database:shop/staging/orders would also delete",
    );
    runs.push(await stack.up("--replace", urn));
    for (const { exitCode, errors } of runs) {
      expect(exitCode).not.toBe(0);
      expect(errors.join("\n")).toContain("would also delete the variable HOST of job");
    }
    expect(await server.everything()).toEqual(before);
    expect(await stack.preview()).toMatchObject(nothing);
  },
);
