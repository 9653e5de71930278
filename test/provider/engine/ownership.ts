import { expect, type TestContext } from "vitest";
import { kindOf } from "../../../core/model/kinds/index.ts";
import { plugin } from "./front-ends.ts";
import { nothing, program, start } from "./shop.ts";

/** Where the resources of a program are after an edit: with the same names, and with inputs that differ or do not. */
interface Edited {
  /** The end of their names in the program. */
  names: string;
  /** Whether they are in a component. */
  isGrouped?: boolean;
  /** Their options: `provider: second()`. */
  options?: string;
  adopt?: boolean;
  cpu: number;
}

/** The program of a stack with resources of every sort: of the organization, what contains others, services, data. */
function resources({ names, isGrouped = false, options = "", adopt = false, cpu }: Edited): string {
  const adopts = adopt ? "adopt: true," : "";
  return program(`
    class Infrasync extends sdk.ProviderResource {}
    const second = () => new Infrasync("infrasync", "second", {});
    const group = ${isGrouped ? 'new sdk.ComponentResource("test:index:Group", "group")' : "undefined"};
    const options = { parent: group, ${options} };
    const shop = new Project("shop${names}", { name: "shop", description: "${cpu}", ${adopts} }, options);
    const staging = new Environment("staging${names}", { project: shop.id, name: "staging", ${adopts} }, options);
    new Job("nightly${names}", {
      environment: staging.id, name: "nightly", cpu: ${cpu}, ${adopts}
      source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
      schedule: { onStart: {} },
      secrets: { PASSWORD: "s3cret" },
    }, options);
    new Application("api${names}", {
      environment: staging.id, name: "api", cpu: ${cpu}, ${adopts}
      gitRepository: { url: "https://github.com/acme/api" },
      storage: [{ mountPoint: "/data", size: 5, type: "FAST_SSD" }],
      customDomains: { "shop.acme.example": {} },
      ports: [{ internalPort: 8080, publiclyAccessible: true }],
    }, options);
    new Database("orders${names}", {
      environment: staging.id, name: "orders", type: "POSTGRESQL", version: "16", mode: "CONTAINER", ${adopts}
    }, options);
    new LabelsGroup("team${names}", { name: "team", labels: [{ key: "team", value: "${cpu}" }], ${adopts} }, options);
  `).replace("Job, Project", "Job, LabelsGroup, Project");
}

/** What a program edits, by which its resources get other URNs, or other providers. */
export const edits = {
  rename: { names: "-renamed" },
  "a move into a component": { names: "", isGrouped: true },
  "a rename and a move": { names: "-renamed", isGrouped: true },
  "another provider for the same resource": { names: "", options: "deleteBeforeReplace: false," },
};

/** Which process of the provider sees the new resource, and which sees the old one. */
export const processes = {
  "the same process": { front: [plugin, plugin], options: "" },
  "another provider instance": { front: [plugin, plugin], options: "provider: second()," },
  "another version of the SDK": { front: [plugin, plugin], options: 'version: "0.0.9",' },
  "from the dynamic provider to the plugin": { front: ["dynamic", plugin], options: "" },
} as const;

/** Runs an edit with `adopt: true`, and expects that each live resource stays: none is made, and none is deleted. */
export async function expectKept(
  context: TestContext,
  edit: keyof typeof edits,
  process: keyof typeof processes,
  isChanged: boolean,
): Promise<void> {
  const { front, options } = processes[process];
  const texts = [
    resources({ names: "", cpu: 500 }),
    resources({
      ...edits[edit],
      options: `${options} ${"options" in edits[edit] ? edits[edit].options : ""}`,
      adopt: true,
      cpu: isChanged ? 600 : 500,
    }),
  ].map((text, index) =>
    front[index] === "dynamic" ? `import * as sdk from "@pulumi/pulumi";\n${text}` : plugin.of(text),
  );
  const { server, stack } = await start(context, "", {}, { ...plugin, of: (text) => text });
  await stack.rewrite(texts[0] ?? "");
  expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
  const ids = async () =>
    [...(await server.everything()).entries()].map(([path, { id }]) => `${path} ${String(id)}`).toSorted();
  const listing = kindOf("LabelsGroup").listing.path(server.organization.id);
  const groups = async () => (await server.results(listing)).map(({ id }) => id);
  const before = [await ids(), await groups()];
  await server.forgetRequests();
  await stack.rewrite(texts[1] ?? "");
  expect(await stack.up("--skip-preview=false")).toMatchObject({ exitCode: 0, errors: [] });
  expect([await ids(), await groups()]).toEqual(before);
  expect((await server.writes()).filter(({ method }) => method === "DELETE")).toEqual([]);
  expect(await stack.up("--refresh")).toMatchObject(nothing);
  expect([await ids(), await groups()]).toEqual(before);
}
