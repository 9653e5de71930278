import { expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { chosenFrontEnds, frontEnds } from "./front-ends.ts";
import type { Harness } from "../../fixtures/harness.ts";
import { nothing, program, start } from "./shop.ts";

/** Two applications in two environments, by their names, their environments and their domains. */
const two = (one: [string, string, string], other: [string, string, string]) =>
  program(`
    const shop = new Project("shop", { name: "shop" });
    const [staging, production] = ["staging", "production"].map(
      (name) => new Environment(name, { project: shop.id, name }),
    );
    const application = (urn: string, environment: Environment, name: string, domain: string) =>
      new Application(urn, {
        environment: environment.id, name, customDomains: { [domain]: {} },
        gitRepository: { url: "https://github.com/acme/api" },
        ports: [{ internalPort: 80, publiclyAccessible: true }],
      });
    ${[one, other].map(([name, environment, domain], index) => `application("app${index}", ${environment}, "${name}", "${domain}");`).join("\n")}
  `);

const [a, b] = ["a.example.com", "b.example.com"];

const exchanges: [what: string, before: string, after: string, refusal: string][] = [
  [
    "their names",
    two(["api", "staging", a], ["web", "staging", b]),
    two(["web", "staging", a], ["api", "staging", b]),
    "exchange a name",
  ],
  [
    "their places",
    two(["api", "staging", a], ["api", "production", b]),
    two(["api", "production", a], ["api", "staging", b]),
    "exchange a name, a place",
  ],
  [
    "their domains",
    two(["api", "staging", a], ["web", "staging", b]),
    two(["api", "staging", b], ["web", "staging", a]),
    "exchange a name, a place or another value that only one can have",
  ],
];

/** All that is live, and the domains of each application. */
async function withDomains(server: Harness): Promise<[path: string, resource: Fields, domains: unknown[]][]> {
  const everything = [...(await server.everything()).entries()].toSorted();
  return Promise.all(
    everything.map(async ([path, resource]) => {
      const id = path.includes("APPLICATION ") ? String(resource["id"]) : undefined;
      const listed = id === undefined ? [] : await server.results(`/application/${id}/customDomain`);
      return [path, resource, listed.map(({ domain }) => domain)] as [string, Fields, unknown[]];
    }),
  );
}

const grid = exchanges.flatMap(([what, before, after, refusal]) =>
  frontEnds.map((frontEnd) => ({ front: frontEnd.name, frontEnd, what, before, after, refusal })),
);

test.for(grid)(
  "$front: resources that exchange $what are refused in preview and up, which change nothing",
  async ({ frontEnd, before, after, refusal }, context) => {
    const { server, stack } = await start(context, before, {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const live = await withDomains(server);
    await stack.rewrite(after);
    expect((await stack.preview()).errors.join("\n")).toContain(refusal);
    // Without a preview, the engine may ask about the second one when the first is to be changed already.
    const { exitCode, errors } = await stack.up();
    expect(exitCode).not.toBe(0);
    expect(errors.join("\n")).toMatch(/exchange|already exists|is taken|belongs to another/);
    expect(await withDomains(server)).toEqual(live);
    await stack.rewrite(before);
    // An update that has failed at its second step is done again.
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect(await withDomains(server)).toEqual(live);
    expect(await stack.up()).toMatchObject(nothing);
  },
);

test.for(chosenFrontEnds)(
  "$name: with --parallel 1, a resource that depends on another one gets the name and the domain that this gives up",
  async (frontEnd, context) => {
    const chain = (names: readonly [string, string], options = "") =>
      program(`
        const shop = new Project("shop", { name: "shop" });
        const staging = new Environment("staging", { project: shop.id, name: "staging" });
        const application = (urn: string, name: string, options: object) =>
          new Application(urn, {
            environment: staging.id, name, customDomains: { [\`\${name}.example.com\`]: {} },
            gitRepository: { url: "https://github.com/acme/api" },
            ports: [{ internalPort: 80, publiclyAccessible: true }],
          }, options);
        const second = application("second", "${names[1]}", {});
        application("first", "${names[0]}", { ${options} });
      `);
    const { server, stack } = await start(context, chain(["a", "b"]), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    await stack.rewrite(chain(["b", "c"], "dependsOn: [second]"));
    expect(await stack.up("--parallel", "1")).toMatchObject({ exitCode: 0, errors: [] });
    const applications = (await withDomains(server)).filter(([path]) => path.includes("APPLICATION "));
    expect(applications.map(([path, , domains]) => [path, domains])).toEqual([
      ["shop/staging/APPLICATION b", ["b.example.com"]],
      ["shop/staging/APPLICATION c", ["c.example.com"]],
    ]);
    expect(await stack.up("--parallel", "1")).toMatchObject(nothing);
  },
);

test.for(frontEnds)(
  "$name: a job that leaves an environment which is replaced in the same run is refused in preview and up",
  async (frontEnd, context) => {
    const text = (cluster: string, environment: string) =>
      program(`
        const shop = new Project("shop", { name: "shop" });
        const stays = new Environment("stays", { project: shop.id, name: "stays" });
        const left = new Environment("left", { project: shop.id, name: "left", cluster: "${cluster}" });
        new Job("job", {
          environment: ${environment}.id, name: "job", schedule: { onStart: {} },
          source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
        });
      `);
    const { server, stack } = await start(context, text("eu-west", "left"), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    await stack.rewrite(text("us-east", "stays"));
    expect((await stack.preview()).errors.join("\n")).toContain("run `pulumi up` with the move alone");
    expect((await stack.up()).exitCode).not.toBe(0);
    await stack.rewrite(text("eu-west", "stays"));
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    await stack.rewrite(text("us-east", "stays"));
    expect(await stack.up("--skip-preview=false")).toMatchObject({ exitCode: 0, errors: [] });
    expect([...(await server.everything()).keys()].filter((path) => path.endsWith("JOB job"))).toEqual([
      "shop/stays/JOB job",
    ]);
    expect(await stack.up("--refresh")).toMatchObject(nothing);
  },
);
