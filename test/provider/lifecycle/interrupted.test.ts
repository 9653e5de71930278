import { beforeEach, expect, test } from "vitest";
import { kindOf } from "../../../core/model/kinds/index.ts";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";
import { Pass } from "./pass.ts";
import { useStaging } from "./staging.ts";
import { temporaryFolder } from "../../fixtures/temporary-folder.ts";

const staging = useStaging();
const { nightly } = staging;

let cache: string;
beforeEach(async () => {
  cache = temporaryFolder("begun");
});

const pass = () => Pass.start(staging.server.emulator, {}, staging.server.clock, cache);
const taken = "the name is taken";

test("a creation in which the engine was killed is continued by the next up", async () => {
  const news = { ...nightly(), variables: { A: { value: "1" } } };
  const lost = await (await pass()).create("Job", news, "nightly");
  await staging.server.forgetRequests();
  const again = await (await pass()).create("Job", news, "nightly");
  expect(again.id).toBe(lost.id);
  expect(again.outputs).toMatchObject({ variables: { A: { value: "1" } } });
  expect(await staging.server.writes()).toEqual([]);
});

test("a clone in which the engine was killed is continued by the next up", async () => {
  const source = await (await pass()).create("Job", { ...nightly(), name: "source" });
  const news = { ...nightly(), name: "copy", cloneFrom: source.id, cpu: 700 };
  const lost = await (await pass()).create("Job", news, "copy");
  expect((await (await pass()).create("Job", news, "copy")).id).toBe(lost.id);
});

test.each([
  ["another resource of the program", {}, "other"],
  ["a resource that is declared otherwise", { cpu: 900 }, "nightly"],
])("%s does not take over what was created", async (_, changes, resource) => {
  await (await pass()).create("Job", nightly(), "nightly");
  const next = (await pass()).create("Job", { ...nightly(), ...changes }, resource);
  await expect(next).rejects.toThrow(taken);
});

test("a resource that somebody else creates after a refused creation is not adopted", async () => {
  await staging.server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/environment/*/job", status: 400, body: { detail: "no" }, times: 1 },
  ]);
  await expect((await pass()).create("Job", nightly(), "nightly")).rejects.toThrow("400");
  await (await staging.pass()).create("Job", nightly());
  await expect((await pass()).create("Job", nightly(), "nightly")).rejects.toThrow(taken);
});

test("once the state has a resource, another creation of it is refused", async () => {
  const { id, outputs } = await (await pass()).create("Job", nightly(), "nightly");
  const next = new Lifecycle({ INFRASYNC_CACHE: cache });
  await next.diff("Job", id, outputs, nightly(), undefined, "nightly");
  await expect((await pass()).create("Job", nightly(), "nightly")).rejects.toThrow(taken);
});

test("a resource that is older than the interrupted creation is not taken over", async () => {
  await (await pass()).create("Job", nightly(), "nightly");
  const next = await pass();
  const place = { parentId: staging.environment.id, name: "nightly" };
  const kind = kindOf("Job");
  next.session.started.begin({ ...place, kind }, "nightly", Date.now() + 3_600_000);
  await expect(next.create("Job", nightly(), "nightly")).rejects.toThrow(taken);
});
