import { expect, test } from "vitest";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { ignoredProperty } from "../../../provider/lifecycle/internal.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, nightly, api } = staging;

const inReport = (tag: string) => ({ image: { registry: "docker-hub", imageName: "acme/report", tag } });

interface Case {
  inputs: () => Properties;
  /** What somebody else writes. */
  others: object;
  /** As the engine has them: what is ignored has its former value. */
  news: Properties;
  live: object;
}

const cases: Record<string, Case> = {
  "source.image.tag": {
    inputs: nightly,
    others: { source: { image: { tag: "9" } } },
    news: { cpu: 600 },
    live: { cpu: 600, source: { image: { tag: "9" } } },
  },
  source: {
    inputs: nightly,
    others: { source: { image: { tag: "9", image_name: "acme/other" } } },
    news: { cpu: 600 },
    live: { cpu: 600, source: { image: { tag: "9", image_name: "acme/other" } } },
  },
  "*": { inputs: nightly, others: { cpu: 900 }, news: {}, live: { cpu: 900 } },
  "ports[0].publiclyAccessible": {
    inputs: api,
    others: { ports: [{ internal_port: 8080, publicly_accessible: false, external_port: 443 }] },
    news: { cpu: 600 },
    live: { cpu: 600, ports: [{ internal_port: 8080, publicly_accessible: false }] },
  },
  "ports[*]": {
    inputs: api,
    others: { ports: [{ internal_port: 9090, publicly_accessible: false }] },
    news: { cpu: 600 },
    live: { cpu: 600, ports: [{ internal_port: 9090 }] },
  },
  "arguments[1]": {
    inputs: () => ({ ...api(), arguments: ["a", "b"] }),
    others: { arguments: ["a", "z"] },
    news: { cpu: 600, arguments: ["a", "b"] },
    live: { cpu: 600, arguments: ["a", "z"] },
  },
};

test.each(Object.entries(cases))(
  "a field that is ignored at %s keeps the value that somebody else has written, and then there is no change",
  async (path, { inputs, others, news, live }) => {
    const ignoring = { ...inputs(), [ignoredProperty]: [path] };
    const kind = "ports" in inputs() ? "Application" : "Job";
    const entry = await (await pass()).create(kind, ignoring);
    const name = String(inputs()["name"]);
    await staging.server.reconcile([{ kind, environment: "shop/staging", name, ...others }]);

    const { entry: after, step } = await (await pass()).up(entry, { ...ignoring, cpu: 550, ...news });

    expect(step).toBe(path === "*" ? "same" : "update");
    expect(await staging.live(entry)).toMatchObject(live);
    expect((await pass()).diff(after, { ...ignoring, cpu: 550, ...news })).toMatchObject({ changes: false });
  },
);

test("a name that is ignored is not given back", async () => {
  const ignoring = { ...nightly(), [ignoredProperty]: ["name"] };
  const entry = await (await pass()).create("Job", ignoring);
  await (await pass()).update(entry, { ...nightly(), name: "other" });
  const after = await (await pass()).update(entry, { ...ignoring, cpu: 600 });
  expect(after.outputs).toMatchObject({ name: "other", cpu: 600 });
  expect((await pass()).diff(after, { ...ignoring, cpu: 600 })).toMatchObject({ changes: false });
});

test("a creation that an earlier run has not finished gets the ignored fields too", async () => {
  const { id } = await (await pass()).create("Job", { ...nightly(), name: "source" });
  const ignoring = {
    ...nightly(),
    cloneFrom: id,
    source: inReport("2"),
    [ignoredProperty]: ["source.image.tag"],
  };
  await staging.server.api("POST", "/_emulator/faults", [
    { method: "PUT", path: "/job/*", status: 400, body: { detail: "no" }, times: 1 },
  ]);
  const half = await (await pass()).create("Job", ignoring);
  expect(half.initErrors).not.toEqual([]);
  await (await pass()).update(half, ignoring);
  expect(await staging.live(half)).toMatchObject({ source: { image: { tag: "2" } } });
});
