import { expect, test } from "vitest";
import type { Fields } from "../../../core/json.ts";
import { frontEndsOf } from "./front-ends.ts";
import { nothing, program, start } from "./shop.ts";

const documents: Fields[] = [
  { kind: "Project", name: "shop" },
  { kind: "Environment", project: "shop", name: "staging", mode: "STAGING" },
];
const adopting = (text: string) =>
  program(`
    const shop = new Project("shop", { name: "shop", adopt: true });
    ${text}
  `);
const first = (options = "") =>
  `const first = new Environment("first", { project: shop.id, name: "staging", adopt: true }, { ${options} });`;
const second = (id: string, options = "") => `
  const second = new Environment("second", { project: shop.id, name: "staging", adoptId: "${id}", mode: "DEVELOPMENT" }, { ${options} });`;

test.for(frontEndsOf(import.meta.filename))(
  "$name: two resources of a program cannot adopt the same resource, in either order",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, adopting(first()), {}, frontEnd);
    await server.reconcile(documents);
    const before = await server.everything();
    const id = String(before.get("shop/staging")?.["id"]);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    await server.forgetRequests();

    await stack.rewrite(adopting(first() + second(id, "dependsOn: first")));
    const after = await stack.up();
    expect(after.errors.join("\n")).toContain(
      `another resource of this program manages the Environment ${id} already`,
    );
    expect(await server.writes()).toEqual([]);

    await stack.rewrite(adopting(second(id) + first("dependsOn: second")));
    const earlier = await stack.up();
    expect(earlier.errors.join("\n")).toContain(`manages the Environment ${id} already`);
    const { resources } = await stack.export();
    const urn = resources.find(({ urn: name }) => name.endsWith("::second"))?.urn ?? "";
    expect(urn).not.toBe("");
    expect(await stack.shell(`pulumi state delete --yes '${urn}'`, "")).toMatchObject({ exitCode: 0 });
    await stack.rewrite(adopting(first()));
    expect(await stack.up("--refresh")).toMatchObject({ exitCode: 0, errors: [] });
    expect([...(await server.everything()).keys()]).toEqual([...before.keys()]);
    expect((await server.everything()).get("shop/staging")?.["id"]).toBe(id);
  },
);

test.for(frontEndsOf(import.meta.filename))(
  "$name: two stacks that adopt the same resource see each other's changes",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, adopting(first()), {}, frontEnd);
    await server.reconcile(documents);
    const before = await server.everything();
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect(await stack.shell("pulumi stack init other", "")).toMatchObject({ exitCode: 0 });
    expect(await stack.up("--stack", "other")).toMatchObject({ exitCode: 0, errors: [] });
    expect(await server.everything()).toEqual(before);

    expect(await stack.destroy("--stack", "other")).toMatchObject({ exitCode: 0, errors: [] });
    expect(await stack.up("--stack", "dev", "--refresh")).toMatchObject({
      exitCode: 0,
      errors: [],
      steps: ["create Project shop", "create Environment first"],
    });
    expect([...(await server.everything()).keys()]).toEqual([...before.keys()]);
  },
);

test.for(frontEndsOf(import.meta.filename))(
  "$name: without adopt a taken name is an error with its remedy, and INFRASYNC_ADOPT adopts every resource",
  async (frontEnd, context) => {
    const text = program(`
    const shop = new Project("shop", { name: "Shop" });
    new Environment("staging", { project: shop.id, name: "staging" });
  `);
    const { server, stack } = await start(context, text, {}, frontEnd);
    await server.reconcile(documents);
    await server.forgetRequests();
    const { exitCode, errors } = await stack.up();
    expect(exitCode).not.toBe(0);
    expect(errors.join("\n")).toMatch(
      /the name is taken: there is a Project "shop" \(.*\) already; set `adopt: true`/,
    );
    expect(await server.writes()).toEqual([]);
    stack.environment["INFRASYNC_ADOPT"] = "true";
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    delete stack.environment["INFRASYNC_ADOPT"];
    expect(await server.writes()).toEqual([]);
    expect(await stack.up("--refresh")).toMatchObject(nothing);
  },
);
