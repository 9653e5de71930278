import { expect } from "vitest";
import type { Harness } from "../../fixtures/harness.ts";
import { program } from "./shop.ts";
import type { Stack } from "./stack.ts";

/** A program with ten resources, one of them a clone that has an override. */
export const tenResources = program(`
  const shop = new Project("shop", { name: "shop" });
  const staging = new Environment("staging", { project: shop.id, name: "staging" });
  const job = (name: string) => new Job(name, {
    environment: staging.id, name,
    source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
    schedule: { onStart: {} },
  });
  const [first] = ["a", "b", "c", "d", "e", "f", "g"].map(job);
  new Job("clone", { environment: staging.id, name: "clone", cloneFrom: first.id, cpu: 700 });
`);

/** What is in the state is what is live, each once. */
export async function expectWhole(server: Harness, stack: Stack): Promise<void> {
  const live = await server.everything();
  expect([...live.keys()].toSorted()).toEqual([
    "shop",
    "shop/staging",
    ...["a", "b", "c", "clone", "d", "e", "f", "g"].map((name) => `shop/staging/JOB ${name}`),
  ]);
  expect(live.get("shop/staging/JOB clone")).toMatchObject({ cpu: 700 });
  const environment = String(live.get("shop/staging")?.["id"]);
  expect((await server.results(`/environment/${environment}/services`)).length).toBe(8);
  const { resources } = await stack.export();
  expect(resources.flatMap(({ id }) => id ?? []).toSorted()).toEqual(
    [...live.values()].map(({ id }) => String(id)).toSorted(),
  );
  expect(resources.flatMap(({ initErrors = [] }) => initErrors)).toEqual([]);
}
