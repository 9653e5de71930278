import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { stringify } from "yaml";
import { type Fields, isFields } from "../../core/values/json.ts";
import { infrasync } from "../cli/captured.ts";
import { Harness } from "../fixtures/harness.ts";
import { type Belonging, belongingsOf, type Listed, lostBetween, unlisted } from "./belongings.ts";
import { addVariable, change } from "./by-hand.ts";
import { runSeeded, type Seeded } from "./seeded.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

// People work on a server while somebody plans, reviews and applies. Whatever they do: a run loses nothing that the plan which
// it carries out does not list by its live id, nothing that is protected, and nothing at all without a consent.

const environments = ["production", "staging"];

/** What the documents describe at first. */
const initial: Fields[] = [
  { kind: "Project", name: "shop", variables: { REGION: "eu" } },
  ...environments.flatMap((environment): Fields[] => {
    const inside = { environment: `shop/${environment}` };
    return [
      {
        kind: "Environment",
        project: "shop",
        name: environment,
        mode: "STAGING",
        cluster: "eu-west",
        variables: { LEVEL: "info" },
        manage: { prune: true },
      },
      {
        kind: "Database",
        ...inside,
        name: "orders",
        type: "POSTGRESQL",
        version: "16",
        mode: "CONTAINER",
        storage: 20,
      },
      {
        kind: "Application",
        ...inside,
        name: "web",
        git_repository: { url: "https://github.com/acme/web", branch: "main" },
        storage: [{ type: "FAST_SSD", size: 10, mount_point: "/data" }],
        variables: { COLOR: "red" },
        secrets: { PASSWORD: { from_env: "SHOP_FIRST" } },
      },
    ];
  }),
];

/** Changes of documents, by what they do. Each changes a copy. */
const edits: Record<string, (documents: Fields[]) => Fields[]> = {
  nothing: (documents) => documents,
  "the application is no longer declared": (documents) =>
    documents.filter((each) => !is(each, "Application")),
  "the database is no longer declared": (documents) => documents.filter((each) => !is(each, "Database")),
  "the database has a new name": (documents) =>
    changed(documents, "Database", { name: "ledger", manage: { renamed_from: "orders" } }),
  "the environment has a new name": (documents) =>
    documents.map((each) => ({
      ...each,
      ...(each["name"] === "staging" && {
        name: "preview-9",
        manage: { prune: true, renamed_from: "staging" },
      }),
      ...(each["environment"] === "shop/staging" && { environment: "shop/preview-9" }),
    })),
  "no volume": (documents) => changed(documents, "Application", { storage: [] }),
  "volumes are reset": (documents) => changed(documents, "Application", { storage: null }),
  "a smaller volume": (documents) =>
    changed(documents, "Application", { storage: [{ type: "FAST_SSD", size: 4, mount_point: "/data" }] }),
  "a smaller database": (documents) => changed(documents, "Database", { storage: 10 }),
  "a lower version": (documents) => changed(documents, "Database", { version: "15" }),
  "a managed database": (documents) => changed(documents, "Database", { mode: "MANAGED" }),
  "another cluster": (documents) => changed(documents, "Environment", { cluster: "us-east" }),
  "a variable is removed": (documents) => changed(documents, "Application", { variables: { COLOR: null } }),
  "a secret is removed": (documents) => changed(documents, "Application", { secrets: { PASSWORD: null } }),
  "a variable of the environment is removed": (documents) =>
    changed(documents, "Environment", { variables: { LEVEL: null } }),
};

/** What a person does to one environment, by hand. Those that find nothing to do it to do nothing. */
const cache: Record<string, (stage: Stage, environment: string) => Promise<unknown>> = {
  "renames the database": (stage, environment) =>
    stage.update(`${environment}/DATABASE orders`, {}, "orders-main"),
  "renames the application": (stage, environment) =>
    stage.update(`${environment}/APPLICATION web`, {}, "web-old"),
  "adds a volume": (stage, environment) =>
    stage.update(`${environment}/APPLICATION web`, {
      storage: [
        { type: "FAST_SSD", size: 10, mount_point: "/data" },
        { type: "FAST_SSD", size: 50, mount_point: "/more" },
      ],
    }),
  "enlarges the volume": (stage, environment) =>
    stage.update(`${environment}/APPLICATION web`, {
      storage: [{ type: "FAST_SSD", size: 30, mount_point: "/data" }],
    }),
  "shrinks the database": (stage, environment) =>
    stage.update(`${environment}/DATABASE orders`, { storage: 15 }),
  "enlarges the database": (stage, environment) =>
    stage.update(`${environment}/DATABASE orders`, { storage: 80 }),
  "adds a variable": (stage, environment) =>
    stage.variable(`${environment}/APPLICATION web`, "BY_HAND", false),
  "adds a secret": (stage, environment) =>
    stage.variable(`${environment}/APPLICATION web`, "HAND_SECRET", true),
  "adds a secret to the environment": (stage, environment) =>
    stage.variable(environment, "SHARED_SECRET", true),
  "writes the secret again": async (stage, environment) =>
    stage.variable(`${environment}/APPLICATION web`, "PASSWORD", true),
  "overrides a variable of the environment": (stage, environment) => stage.override(environment),
  "adds a service": (stage, environment) =>
    stage.post(environment, (id) => [
      `/environment/${id}/database`,
      { name: "by-hand", type: "REDIS", version: "7", mode: "CONTAINER" },
    ]),
  "makes a backup": (stage, environment) =>
    stage.post(`${environment}/DATABASE orders`, (id) => [
      `/database/${id}/backup`,
      { name: "by-hand", message: "before" },
    ]),
  "deletes the application": (stage, environment) =>
    stage.remove(`${environment}/APPLICATION web`, "application"),
};

const hand = fc.record({
  what: fc.constantFrom(...Object.keys(cache)),
  where: fc.constantFrom(...environments.map((name) => `shop/${name}`)),
});

/** One scenario: documents, people, consents. */
export interface Scenario {
  edits: string[];
  /** What people do before the plan, and between the plan and its apply. */
  before: { what: string; where: string }[];
  between: { what: string; where: string }[];
  flags: string[][];
  /** A pattern of the settings file beside the manifests. */
  protect?: string | undefined;
}

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  edits: fc.uniqueArray(fc.constantFrom(...Object.keys(edits)), { minLength: 1, maxLength: 2 }),
  before: fc.array(hand, { maxLength: 2 }),
  between: fc.array(hand, { maxLength: 2 }),
  protect: fc.constantFrom(undefined, undefined, ...environments.map((name) => `shop/${name}/**`)),
  flags: fc
    .record({
      prune: fc.boolean(),
      replace: fc.constantFrom<string[]>(
        [],
        ["--allow-replace", "**"],
        ["--allow-replace", "database:shop/staging/*"],
      ),
      isCapped: fc.constantFrom(true, false, false),
    })
    .map(({ prune, replace, isCapped }): string[][] => [
      ...(prune ? [["--prune"]] : []),
      ...(isCapped ? [] : [["--max-deletes", "50,100%"]]),
      ...[replace].filter(({ length }) => length > 0),
    ]),
});

/** What became of scenarios. */
export interface ManualChangeFigures {
  schedules: number;
  /** By the exit code of the apply. */
  ends: Record<string, number>;
  lost: number;
}

/**
 * Plays scenarios one after the other.
 *
 * @throws AssertionError when a run loses what its plan does not list, what is protected, or anything without a consent
 */
export async function playScenarios(seeded: Seeded): Promise<ManualChangeFigures> {
  const figures: ManualChangeFigures = { schedules: 0, ends: {}, lost: 0 };
  await using stage = await Stage.open();
  await runSeeded(scenarios, seeded, async (scenario) => {
    const { code, lost } = await stage.play(scenario);
    figures.schedules += 1;
    figures.ends[code] = (figures.ends[code] ?? 0) + 1;
    figures.lost += lost.length;
  });
  return figures;
}

/** A server on which scenarios are played, each from the same start. */
export class Stage {
  readonly #server: Harness;
  readonly #folder: string;

  private constructor(server: Harness, folder: string) {
    this.#server = server;
    this.#folder = folder;
  }

  static async open(): Promise<Stage> {
    return new Stage(await Harness.start(), await mkdtemp(join(tmpdir(), "infrasync-changes-")));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    await removeFolder(this.#folder);
  }

  /**
   * Plays one scenario.
   *
   * @returns the exit code of the apply, and what was lost
   * @throws AssertionError when the run loses what its plan does not list, what is protected, or anything without a consent
   */
  async play({
    edits: names,
    before,
    between,
    flags,
    protect,
  }: Scenario): Promise<{ code: number; lost: Belonging[] }> {
    await this.#server.api("POST", "/_emulator/reset");
    await this.#server.reconcile(initial);
    for (const { what, where } of before) await cache[what]?.(this, where);
    const documents = names.reduce((all, name) => edits[name]?.(all) ?? all, initial);
    const manifests = join(this.#folder, "shop.yaml");
    const file = join(this.#folder, "plan.json");
    await rm(file, { force: true });
    await writeFile(join(this.#folder, "infrasync.config.yaml"), protect ? `protect: [${protect}]\n` : "");
    await writeFile(manifests, documents.map((document) => stringify(document)).join("---\n"));
    const planned = await this.#run(["plan", manifests, "--out", file, "--output", "json", ...flags.flat()]);
    assert.doesNotMatch(planned.stdout, /unknown option/, "the command line is right");
    const plan = planned.code === 0 ? (JSON.parse(planned.stdout) as Fields) : {};
    for (const { what, where } of between) await cache[what]?.(this, where);

    const there = await belongingsOf(this.#server);
    const protectedIds = await this.#idsIn(protect?.replace("/**", ""));
    const applied = planned.code === 0 ? await this.#run(["apply", "--plan", file, "--yes"]) : planned;
    const lost = lostBetween(there, await belongingsOf(this.#server));
    const reported = `${applied.stdout}\n${applied.stderr}`;
    assert.deepEqual(unlisted(lost, lossesIn(plan)), [], `lost, and the plan does not list it: ${reported}`);
    if (planned.code !== 0) assert.deepEqual(lost, [], "a refused plan changes nothing");
    assert.deepEqual(
      lost.filter(({ id }) => protectedIds.has(id)),
      [],
      `protected, and lost: ${reported}`,
    );
    const consents = flags.filter(([flag]) => flag === "--prune" || flag === "--allow-replace");
    if (consents.length === 0)
      assert.deepEqual(
        lost.filter(({ what }) => what !== "variable" && what !== "secret"),
        [],
        `nobody has consented: ${reported}`,
      );
    return { code: applied.code, lost };
  }

  #run(args: string[]) {
    const { url, tokens } = this.#server.emulator;
    return infrasync(args, {
      env: {
        INFRASYNC_BASE_URL: url,
        INFRASYNC_TOKEN: tokens.admin,
        SHOP_FIRST: "c4nary-f1rst-secret-of-the-shop",
      },
    });
  }

  async #idsIn(environment: string | undefined): Promise<Set<string>> {
    if (environment === undefined) return new Set();
    const all = await this.#server.everything();
    return new Set([...all].flatMap(([path, { id }]) => (path.startsWith(environment) ? [String(id)] : [])));
  }

  async #find(path: string): Promise<Fields | undefined> {
    return (await this.#server.everything()).get(path);
  }

  async update(path: string, declared: Fields, name?: string): Promise<void> {
    const answer = await this.#find(path);
    if (answer) await change(this.#server, answer, declared, name);
  }

  async variable(path: string, key: string, isSecret: boolean): Promise<void> {
    const answer = await this.#find(path);
    if (answer) await addVariable(this.#server, answer, key, isSecret);
  }

  async override(environment: string): Promise<void> {
    const application = await this.#find(`${environment}/APPLICATION web`);
    if (!application) return;
    const id = String(application["id"]);
    const visible = await this.#server.results(`/variable?parent_id=${id}&scope=APPLICATION`);
    const variable = visible.find(({ key, scope }) => key === "LEVEL" && scope === "ENVIRONMENT");
    if (!variable || visible.some(({ key, scope }) => key === "LEVEL" && scope === "APPLICATION")) return;
    await this.#server.api("POST", `/variable/${String(variable["id"])}/override`, {
      value: "debug",
      override_scope: "APPLICATION",
      override_parent_id: id,
    });
  }

  async post(path: string, request: (id: string) => [path: string, body: Fields]): Promise<void> {
    const answer = await this.#find(path);
    if (!answer) return;
    try {
      await this.#server.api("POST", ...request(String(answer["id"])));
    } catch (error) {
      // Somebody has made it before.
      if (!String(error).includes(": 409 ")) throw error;
    }
  }

  async remove(path: string, type: string): Promise<void> {
    const answer = await this.#find(path);
    if (answer) await this.#server.api("DELETE", `/${type}/${String(answer["id"])}`);
  }
}

/** The losses that a plan lists, and the resources that it deletes or replaces. */
function lossesIn({ actions }: Fields): Listed[] {
  return (Array.isArray(actions) ? actions : []).flatMap((action): Listed[] => {
    if (!isFields(action)) return [];
    const { type, resource_id: id, losses } = action;
    const own =
      type === "delete" || type === "replace" ? [{ id: String(id), isResource: true, name: "" }] : [];
    const others = (Array.isArray(losses) ? losses : []).flatMap((loss): Listed[] => {
      if (!isFields(loss)) return [];
      const { owner } = loss;
      const of = isFields(owner) ? owner["id"] : loss["id"];
      return [{ id: String(of), isResource: !isFields(owner), name: String(loss["name"]) }];
    });
    return [...own, ...others];
  });
}

function is({ kind, environment }: Fields, name: string): boolean {
  return kind === name && environment === "shop/staging";
}

/** The documents, with other fields in the document of a kind in staging. */
function changed(documents: readonly Fields[], kind: string, fields: Fields): Fields[] {
  return documents.map((each) => {
    const isMeant =
      is(each, kind) || (kind === "Environment" && each["kind"] === kind && each["name"] === "staging");
    if (!isMeant) return each;
    const { manage } = fields;
    return {
      ...each,
      ...fields,
      ...(isFields(each["manage"]) && isFields(manage) && { manage: { ...each["manage"], ...manage } }),
    };
  });
}
