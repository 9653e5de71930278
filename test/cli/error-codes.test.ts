import { join } from "node:path";
import { expect, test } from "vitest";
import { documentOf, type RunOptions } from "./captured.ts";
import { useFixture } from "./fixture.ts";
import { cronJob, lifecycleJob, shop } from "../fixtures/manifests.ts";

const fixture = useFixture();

const apply = (manifest: string) => async () => {
  await fixture.write("shop.yaml", manifest);
  await fixture.run(["apply", fixture.folder, "--yes"]);
};
const fails = (method: string, path: string, status: number) => () =>
  fixture.fault({ method, path, status, body: { status, error: "no", message: "no" } });
const stalePlan = async () => {
  await fixture.write("shop.yaml", shop);
  await fixture.run(["plan", fixture.folder, "--out", join(fixture.folder, "plan.json")]);
  await apply(shop)();
};

interface Case {
  /** The files in the folder when the command runs. */
  manifest?: string;
  before?(): Promise<void>;
  args?: string[];
  options?: RunOptions;
}

const yes = ["apply", "FOLDER", "--yes"];

test.for<[code: string, exit: number, what: string, given: Case]>([
  ["usage", 3, "an unknown flag", { args: ["plan", "--nope"] }],
  ["invalid_input", 3, "a mistake in a manifest", { manifest: "kind: Nope\n" }],
  [
    "stale_plan",
    3,
    "a saved plan",
    { before: stalePlan, args: ["apply", "--plan", "FOLDER/plan.json", "--yes"] },
  ],
  ["not_approved", 3, "nobody to be asked", { args: ["apply", "FOLDER"] }],
  [
    "not_approved",
    3,
    "a replacement",
    { before: apply(shop + lifecycleJob("a")), manifest: shop + cronJob("a") },
  ],
  [
    "not_approved",
    3,
    "more deletions than agreed to",
    { before: apply(shop), args: ["destroy", "FOLDER", "--yes", "--max-deletes", "1"] },
  ],
  [
    "not_approved",
    3,
    "what is protected",
    {
      before: apply(shop),
      manifest: `${shop}manage: { protect: true }\n`,
      args: ["destroy", "FOLDER", "--yes"],
    },
  ],
  ["client_settings", 3, "plain http", { options: { env: { INFRASYNC_BASE_URL: "http://example.com" } } }],
  [
    "unauthorized",
    1,
    "a token that is not known",
    { options: { env: { INFRASYNC_TOKEN: "unknown-token" } } },
  ],
  ["forbidden", 1, "a read that is refused", { before: fails("GET", "/organization", 403) }],
  ["forbidden", 1, "a write that is refused", { before: fails("POST", "/organization/*/project", 403) }],
  ["quota", 4, "more requests than allowed", { args: [...yes, "--max-requests", "1"] }],
  ["quota", 4, "more requests than allowed, by the plan", { args: [...yes, "--max-requests", "4"] }],
  ["interrupted", 130, "a signal", { options: { signal: AbortSignal.abort("SIGINT") } }],
  ["incomplete", 1, "a change that fails", { before: fails("POST", "/project/*/environment", 422) }],
])("%s, exit %i: %s", async ([code, exit, , given]) => {
  const { manifest = shop, before, args = yes, options = {} } = given;
  await before?.();
  await fixture.write("shop.yaml", manifest);
  const line = args.map((arg) => arg.replace("FOLDER", fixture.folder));
  const ran = await fixture.run([...line, "--output", "json"], options);
  expect(documentOf(ran)).toMatchObject({ ok: false, error: { code, message: expect.stringMatching(/\S/) } });
  expect(ran.code).toBe(exit);
});
