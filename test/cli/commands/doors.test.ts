import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { application, cronJob, shop } from "../../fixtures/manifests.ts";
import { GitRepository } from "../../fixtures/git-repository.ts";
import type { VerbName } from "../../../reconciler/verbs.ts";
import { sourceFolders } from "../../../tools/source-folders.ts";
import { useFixture, writesOf } from "../fixture.ts";

const fixture = useFixture({ behaviour: { rate_limit: 0, deploy_delay_ms: 30 } });
const root = fileURLToPath(new URL("../../../", import.meta.url));
const job = "job:shop/staging/a";
const manifests = shop + cronJob("a") + application("api");
const previews = `previews:
  from: shop/staging
  services:
    application:api: { git_repository: { branch: "{branch}" } }
`;

const config = () => join(fixture.folder, "infrasync.config.yaml");
const live = ["--config", "CONFIG"];
const makesPreview = ["preview", "create", "42", "--policy", "FOLDER", "--from-branch", "login", "--yes"];

/** A way in which infrasync writes. */
interface Door {
  /** The command line; `CONFIG` is the settings file, and `FOLDER` the folder with the manifests. */
  line: string[];
  /** The files that are written before. */
  files?: Record<string, string>;
  /** Command lines that run before, without a rule. */
  before?: string[][];
  /** What policies call it. */
  action: string;
  /** A part of a message of the rule that protects staging, if the command loses anything there. */
  protected?: string;
  /** Whether it deletes, so that a run which may delete nothing is refused. */
  deletes?: true;
}

/** Settings that name where the manifests are: what these protect holds for doors that plan no manifests too. */
const namingSources = "environments: { staging: { sources: [shop.yaml] } }\n";

const changed = { "shop.yaml": manifests.replace("1.4.2", "1.5.0") };
const less = { "shop.yaml": shop + application("api") };

const doors: Record<string, Door> = {
  apply: { line: ["apply", "FOLDER", "--yes"], files: changed, action: "update" },
  "apply --prune": {
    line: ["apply", "FOLDER", "--yes", "--prune"],
    files: {
      "shop.yaml": less["shop.yaml"].replace("name: staging", "name: staging\nmanage: { prune: true }"),
    },
    action: "delete",
    deletes: true,
  },
  "a saved plan": {
    line: ["apply", "--plan", "FOLDER/plan.json", "--yes"],
    files: changed,
    before: [["plan", "FOLDER", "--out", "FOLDER/plan.json"]],
    action: "update",
  },
  clone: {
    line: ["clone", "environment", "shop/staging", "--to", "shop", "--name", "copy", "--yes", ...live],
    action: "clone",
  },
  destroy: {
    line: ["destroy", "FOLDER", "--yes"],
    action: "delete",
    protected: 'cannot be deleted: it is protected by the pattern "shop/staging/**"',
    deletes: true,
  },
  deploy: { line: ["deploy", job, ...live], action: "deploy" },
  "deploy --image-tag": {
    line: ["deploy", "job:shop/staging/*", "--image-tag", "latest", ...live],
    action: "update",
    protected: "cannot lose the former value of its image tag",
  },
  restart: { line: ["restart", "application:shop/staging/api", ...live], action: "restart" },
  stop: {
    line: ["stop", "shop/staging", "--yes", ...live],
    action: "stop",
    protected: "cannot be stopped: it is protected",
  },
  cancel: {
    line: ["cancel", "shop/staging", ...live],
    before: [["deploy", "shop/staging"]],
    action: "cancel",
  },
  rollback: {
    line: ["rollback", "job:shop/staging/*", "--yes", ...live],
    before: [
      ["deploy", job, "--wait"],
      ["deploy", job, "--image-tag", "2.0", "--wait"],
    ],
    action: "update",
    protected: "cannot lose the former value of its image tag",
  },
  "preview create": { line: makesPreview, action: "clone" },
  "the deployment of a preview": { line: makesPreview, before: [makesPreview], action: "deploy" },
  "preview delete": {
    line: ["preview", "delete", "42", "--policy", "FOLDER", "--yes"],
    before: [makesPreview],
    action: "delete",
    protected: 'cannot be deleted: it is protected by the pattern "shop/**"',
    deletes: true,
  },
};

/** Whether the next cycle writes because of what a person asks for. */
const requestedFor: Record<VerbName, boolean> = {
  refresh: false,
  sync: true,
  approve: true,
  rollback: true,
  follow: true,
  pause: false,
  resume: false,
};
const writing = Object.entries(requestedFor).filter(([, writes]) => writes);

/** Doors that other files test. */
const elsewhere: Record<string, string> = {
  ...Object.fromEntries(
    writing.map(([type]) => [`reconcile ${type}`, "test/reconciler/requests/user-actions.test.ts"]),
  ),
  "ci apply": "test/ci/scenarios.ts",
  reconcile: "test/reconciler/policy-cycle.test.ts",
  "reconcile --once": "test/cli/commands/reconcile.test.ts",
};

beforeEach(async () => {
  await fixture.write("shop.yaml", manifests);
  await fixture.write("infrasync.reconcile.yaml", previews);
  await run("apply", "FOLDER", "--yes");
});

const run = (...args: string[]) =>
  fixture.run(args.map((each) => each.replace("CONFIG", config()).replace("FOLDER", fixture.folder)));

/** Runs a door with settings, and returns how it ended and what it has written. */
async function through({ line }: Door, settings: string, files: Record<string, string> = {}) {
  await fixture.write("infrasync.config.yaml", settings);
  for (const [name, content] of Object.entries(files)) await fixture.write(name, content);
  await fixture.takeRequests();
  const { code, stdout, stderr } = await run(...line);
  return { code, says: stdout + stderr, writes: writesOf(await fixture.takeRequests()) };
}

async function open({ files = {}, before = [] }: Door): Promise<void> {
  for (const line of before.filter(([command]) => command !== "plan")) await run(...line);
  for (const [name, content] of Object.entries(files)) await fixture.write(name, content);
  for (const line of before.filter(([command]) => command === "plan")) await run(...line);
}

const named = (rest: string) => `policies: [{ name: none, message: not here, ${rest} }]\n`;

/** The rules, each with what a refusal says; undefined where a rule does not concern a door. */
const rules: Record<
  string,
  (door: Door) => [settings: string, says: string, files?: Record<string, string>] | undefined
> = {
  "a policy about its effect": ({ action }) => [named(`actions: [${action}]`), "policy none: not here"],
  "a policy with a condition about names": ({ action }) => [
    named(`actions: [${action}], when: 'names[0] == "shop" && size(names) > 1'`),
    "policy none: not here",
  ],
  "a policy about a field": ({ action }) =>
    action === "update" ? [named("fields: [source.image.tag]"), "policy none: not here"] : undefined,
  "a built-in policy": ({ deletes }) =>
    deletes ? ["policies: [{ built_in: approve-deletions }]\n", "policy approve-deletions"] : undefined,
  "a pattern that protects": ({ protected: says }) =>
    says === undefined
      ? undefined
      : [`protect: ["${says.includes("shop/**") ? "shop/**" : "shop/staging/**"}"]\n`, says],
  "manage.protect of a document": ({ protected: says, line }) => {
    if (says === undefined) return undefined;
    const [what, level] = says.includes("shop/**")
      ? ["project:shop", "name: shop"]
      : ["environment:shop/staging", "name: staging"];
    const files = { "shop.yaml": manifests.replace(level, `${level}\nmanage: { protect: true }`) };
    const settings = line.includes("CONFIG") ? namingSources : "";
    return [settings, says.replace(/by the pattern .*/, `by manage.protect of ${what}`), files];
  },
  "a cap on deletions": ({ deletes }) => (deletes ? ["max_deletes: 0\n", "the limit is 0"] : undefined),
};

test.for(Object.entries(doors))(
  "%s is refused by each rule that concerns it before anything is written, and not without them",
  async ([, door]) => {
    await open(door);
    const declared = { "shop.yaml": manifests, ...door.files };
    for (const [rule, of] of Object.entries(rules)) {
      const cell = of(door);
      if (!cell) continue;
      const [settings, says, files] = cell;
      const refused = await through(door, settings, { ...declared, ...files });
      expect(refused, rule).toMatchObject({ code: 3, says: expect.stringContaining(says), writes: [] });
    }
    const done = await through(door, "protect: []\n", declared);
    expect(done).toMatchObject({ code: 0 });
    // Of a deployment that has ended meanwhile there is nothing to cancel.
    if (door.action !== "cancel") expect(done.writes).not.toEqual([]);
  },
);

test("a commit that breaks a policy beside its manifests is not applied by reconcile --once", async () => {
  using repository = new GitRepository();
  const policies = named("fields: [source.image.tag]");
  repository.push({ "infra/shop.yaml": changed["shop.yaml"], "infra/infrasync.config.yaml": policies });
  await fixture.takeRequests();
  const line = [
    "reconcile",
    "--repo",
    repository.origin,
    "--path",
    "infra",
    "--allow-local-repo",
    "--once",
    "--yes",
  ];
  const ran = await fixture.run(line, { env: { PATH: process.env["PATH"] } });
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining("policy none: not here") });
  expect(writesOf(await fixture.requests())).toEqual([]);
});

test("deploy --image-tag asks pinned-image-tag about the tag that it writes", async () => {
  const line = ["deploy", job, "--image-tag", "LATEST", ...live];
  const pinned = "policies: [{ built_in: pinned-image-tag }]\n";
  expect(await through({ line, action: "update" }, pinned)).toMatchObject({ code: 3, writes: [] });
  const version = { line: line.with(3, "1.5.0"), action: "update" };
  expect(await through(version, pinned)).toMatchObject({ code: 0 });
});

test("the page about policies says for every command which rules it asks", () => {
  const page = readFileSync(join(root, "docs/guides/policies.md"), "utf8");
  const [, table = ""] = /## Which commands ask them\n(.*?)\n## /s.exec(page) ?? [];
  const rows = table
    .split("\n")
    .flatMap((row) => (/^\| .* \|$/.test(row) ? [row.slice(2, -2).split(" | ")] : []))
    .flatMap(([first = "", ...cells]) =>
      [...first.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => [name, cells] as const),
    );
  const said = new Map(rows);
  expect([...said.keys()].toSorted()).toEqual(Object.keys({ ...doors, ...elsewhere }).toSorted());
  for (const [name, { protected: isProtected, deletes }] of Object.entries(doors)) {
    const [policies, protection, caps] = said.get(name) ?? [];
    expect.soft(policies, name).toBe("yes");
    // A plan of documents keeps what is protected, and a test of its own shows how.
    if (!/apply|saved/.test(name)) {
      expect.soft(protection !== "–", `${name}: protection`).toBe(isProtected !== undefined);
      expect.soft(caps !== "–", `${name}: caps`).toBe(deletes === true);
    }
  }
  for (const name of Object.keys(elsewhere))
    expect.soft(said.get(name), name).toEqual(["yes", "yes", "yes", "yes"]);
});

test("these files ask for an approval, and each is behind a door of this table", () => {
  const calls = sourceFolders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter(
        (file) =>
          file.endsWith(".ts") && /\bawait approve\(/.test(readFileSync(join(root, folder, file), "utf8")),
      )
      .map((file) => `${folder}/${file}`),
  );
  expect(calls.filter((file) => !file.startsWith("provider/")).toSorted()).toEqual([
    "cli/change/make-change.ts",
    "cli/commands/operation/operate.ts",
    "reconciler/carry-out/carry-out.ts",
    "reconciler/previews/operations.ts",
    "reconciler/service/permitted-plan.ts",
  ]);
});
