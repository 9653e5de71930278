import { expect, test } from "vitest";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import type { Entry } from "./pass.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, nightly, api } = staging;

/** The preview of a run in which two resources get what the other one has. */
async function exchange(entries: [Entry, Entry], news: [Properties, Properties]): Promise<() => unknown> {
  const run = await pass();
  run.diff(entries[0], news[0], "one");
  return () => run.diff(entries[1], news[1], "two");
}

test("a preview refuses resources that exchange their places", async () => {
  const first = await pass();
  const other = await first.create("Environment", { ...staging.environment.inputs, name: "other" });
  const jobs: [Entry, Entry] = [
    await first.create("Job", nightly()),
    await first.create("Job", { ...nightly(), environment: other.id }),
  ];
  const second = await exchange(jobs, [{ ...nightly(), environment: other.id }, nightly()]);
  expect(second).toThrow(
    'the Job "nightly" cannot get a place in another Environment: resources of this program exchange a name, a place',
  );
});

test("a preview refuses services that exchange their domains, and lets one go to another service", async () => {
  const first = await pass();
  const inputs = (name: string, ...domains: string[]): Properties => ({
    ...api(),
    name,
    customDomains: Object.fromEntries(domains.map((domain) => [domain, {}])),
  });
  const services: [Entry, Entry] = [
    await first.create("Application", inputs("a", "a.example.com", "stays.example.com")),
    await first.create("Application", inputs("b", "b.example.com")),
  ];
  const second = await exchange(services, [
    inputs("a", "b.example.com", "stays.example.com"),
    inputs("b", "a.example.com"),
  ]);
  expect(second).toThrow(
    'the Application "b" cannot get the custom domain a.example.com: resources of this program exchange a name, a place or another value that only one can have',
  );
  const moved = await exchange(services, [
    inputs("a", "stays.example.com"),
    inputs("b", "b.example.com", "a.example.com"),
  ]);
  expect(moved).not.toThrow();
});

test("a replacement with another name may be created before the old one is deleted", async () => {
  const job = await (await pass()).create("Job", nightly());
  const news = { ...nightly(), name: "second", schedule: { onStart: {} } };
  const run = await pass();
  expect(run.diff(job, news, "job").replaces).toEqual(["schedule"]);
  const replacement = await run.create("Job", news, "job");
  await run.remove(job, "job");
  expect((await staging.services()).map(({ id }) => id)).toEqual([replacement.id]);
});
