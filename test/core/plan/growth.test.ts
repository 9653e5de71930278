import { Session } from "node:inspector/promises";
import { expect, test } from "vitest";
import { World } from "./world.ts";

/** How often a piece of work calls each function of core: what it does, on any machine. */
async function callsIn(work: () => unknown): Promise<Map<string, number>> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    work();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const calls = result.flatMap(({ url, functions }) => {
      const file = /\/core\/(.*)$/.exec(url)?.[1];
      return file === undefined
        ? []
        : functions.map(
            ({ functionName, ranges: [{ startOffset, count } = { startOffset: 0, count: 0 }] }) => {
              return [`${file} ${functionName} at ${startOffset}`, count] as const;
            },
          );
    });
    return new Map(calls);
  } finally {
    await session.post("Profiler.stopPreciseCoverage");
    session.disconnect();
  }
}

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
  ["a destruction", (size) => World.of(live(size)).plan(documents(size), {}, "destroy")],
  [
    "deletions of what no document describes",
    (size) => World.of(live(size)).plan(documents(2), { prune: true }),
  ],
  ["replacements", (size) => World.of(live(size)).plan(documents(size).replaceAll("docker-hub", "ecr"), {})],
];

test.each(runs)("no function is called four times as often for twice as much: %s", async (_what, plan) => {
  plan(4);
  const [few, many] = [await callsIn(() => plan(60)), await callsIn(() => plan(120))];
  const grown = [...many].filter(([each, count]) => count > 3_000 && count > 3 * (few.get(each) ?? 0));
  expect(grown).toEqual([]);
});
