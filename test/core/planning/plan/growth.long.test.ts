import { expect, test } from "vitest";
import { callsIn, grown } from "../../../fixtures/calls.ts";
import { readLayers } from "../../manifests/manifest/layers.ts";
import { World } from "./world.ts";

const range = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index));
const environment = (name: string) =>
  `kind: Environment\nproject: shop\nname: ${name}\nmanage: { prune: true }\n`;
const container = (name: string, place: string, more = "") =>
  `kind: Container\nenvironment: shop/${place}\nname: ${name}\nregistry: docker-hub\nimage_name: acme/a\ntag: "1"\n${more}`;
const documents = (count: number, more?: (index: number) => string) =>
  [
    "kind: Project\nname: shop\n",
    environment("one"),
    ...range(count, (index) => container(`service-${index}`, "one", more?.(index))),
  ].join("---\n");
const live = (count: number) =>
  [
    "project:shop: {}",
    "environment:shop/one: {}",
    ...range(
      count,
      (index) =>
        `container:shop/one/service-${index}: { registry: docker-hub, image_name: acme/a, tag: "1" }`,
    ),
  ].join("\n");
const nothing = "project:shop: {}\nenvironment:shop/one: {}";

const environments = (count: number) =>
  ["kind: Project\nname: shop\n", ...range(count, (index) => environment(`e${index}`))].join("---\n");
const liveEnvironments = (count: number) =>
  [
    "project:shop: {}",
    ...range(
      count,
      (index) =>
        `environment:shop/e${index}: {}\ncontainer:shop/e${index}/a: { registry: docker-hub, image_name: acme/a, tag: "1" }`,
    ),
  ].join("\n");

/** @param later the entries after the first one */
const variablesOf = (count: number, later = (index: number) => `v${index}`) =>
  `variables:\n${range(count, (index) => `  V${index}: ${index === 0 ? "first" : later(index)}\n`).join("")}`;

async function validLayers(layers: readonly string[]): Promise<void> {
  const { problems } = await readLayers(layers);
  if (problems !== "") throw new Error(problems);
}

/** Made before: the world looks for the parent of each resource among all. */
const manyEnvironments = new Map([4, 60, 120].map((size) => [size, World.of(liveEnvironments(size))]));

const runs: [what: string, plan: (size: number) => unknown][] = [
  ["new documents in one environment", (size) => World.of(nothing).plan(documents(size))],
  [
    "new documents with variables",
    (size) => World.of(nothing).plan(documents(size, () => "variables: { A: a, B: b }\n")),
  ],
  ["documents that match what is there", (size) => World.of(live(size)).plan(documents(size))],
  [
    "new documents beside as many resources",
    (size) => {
      const others = range(size, (index) => container(`other-${index}`, "one")).join("---\n");
      return World.of(live(size)).plan(`${documents(size)}---\n${others}`);
    },
  ],
  ["new environments", (size) => World.of("project:shop: {}").plan(environments(size))],
  [
    "a destruction of environments",
    (size) => manyEnvironments.get(size)?.plan(environments(size), {}, "destroy"),
  ],
  ["a destruction", (size) => World.of(live(size)).plan(documents(size), {}, "destroy")],
  [
    "deletions of what no document declares",
    (size) => World.of(live(size)).plan(documents(2), { prune: true }),
  ],
  ["variables of one service", (size) => World.of(nothing).plan(documents(1, () => variablesOf(size)))],
  [
    "a chain of aliases",
    (size) =>
      World.of(nothing).plan(documents(1, () => variablesOf(size, (index) => `{ alias_of: V${index - 1} }`))),
  ],
  [
    "a chain of clones",
    (size) =>
      World.of(live(1)).plan(
        `${documents(1)}---\n${range(size, (index) => container(`copy-${index}`, "one", `clone: { from: shop/one/${index === 0 ? "service-0" : `copy-${index - 1}`} }\n`)).join("---\n")}`,
      ),
  ],
  [
    "sources that overlay each other",
    (size) => validLayers([documents(size), documents(size, () => "cpu: 750\n")]),
  ],
  [
    "the uses of a template",
    (size) =>
      validLayers([
        `kind: Template\nname: web\nparameters: { n: { type: string } }\ndocuments:\n  - kind: Job\n    environment: shop/one\n    name: \${n}\n` +
          `    source: { image: { registry: docker-hub, image_name: acme/a, tag: "1" } }\n    schedule: { cronjob: { scheduled_at: "0 3 * * *" } }\n` +
          range(size, (index) => `---\nfrom: web\nwith: { n: j${index} }\n`).join(""),
      ]),
  ],
  ["replacements", (size) => World.of(live(size)).plan(documents(size).replaceAll("docker-hub", "ecr"), {})],
];

test.each(runs)("no function is called four times as often for twice as much: %s", async (_what, plan) => {
  await plan(4);
  const [few, many] = [await callsIn(() => plan(60)), await callsIn(() => plan(120))];
  expect(grown(few, many)).toEqual([]);
});
