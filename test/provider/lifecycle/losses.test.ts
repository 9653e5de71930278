import { describe, expect, test } from "vitest";
import { kindOf } from "../../../core/model/kinds/index.ts";
import { difference } from "../../../provider/lifecycle/diff.ts";
import { type Properties, readInputs } from "../../../provider/lifecycle/inputs.ts";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";
import { problemInWords } from "../../../provider/lifecycle/words.ts";
import { pathsOf, secretPaths, secretPrograms, terraform } from "./secret-programs.ts";
import { useStaging } from "./staging.ts";

const volumes = (...storage: Properties[]) => ({
  storage: storage.map((each) => ({ type: "FAST_SSD", ...each })),
});

/** Changes of the inputs that take data, by the path of the field, and what they take. */
const dataLosses: [path: string, before: Properties, after: Properties, loses: string][] = [
  ...["Application", "Container"].flatMap((kind): typeof dataLosses => [
    [`${kind}.storage`, volumes({ mountPoint: "/data", size: 5 }), volumes(), "the volume /data (5 GiB)"],
    [
      `${kind}.storage[].size`,
      volumes({ mountPoint: "/data", size: 5 }),
      volumes({ mountPoint: "/data", size: 2 }),
      "part of the volume /data (5 GiB -> 2 GiB)",
    ],
  ]),
  ["Database.storage", { storage: 50 }, { storage: 20 }, "part of its data (50 GB -> 20 GB)"],
  ["Database.storage", { storage: 50 }, {}, "part of its data (50 GB -> 10 GB)"],
  [
    "Database.version",
    { version: "16" },
    { version: "15" },
    "its data, if the lower version cannot read it (16 -> 15)",
  ],
  [
    "Terraform.backend.kubernetes",
    terraform(),
    { ...terraform(), backend: { userProvided: {} } },
    "its Terraform state",
  ],
];

/** What the provider says that a change of inputs loses. */
function lost(kind: string, before: Properties, after: Properties): string[] {
  const named = (inputs: Properties) => ({ name: "a", ...inputs });
  const { shape } = readInputs(kindOf(kind), named(before));
  const { cluster } = before;
  const olds = {
    ...named(before),
    // A state has references with their ids.
    ...(cluster !== undefined && { cluster: { id: "3f0c5b0e-7a68-4c6e-9d3c-0d1f6a1f4a11", name: cluster } }),
    __stated: JSON.stringify(shape),
  };
  const { problems = [] } = difference(kindOf(kind), olds, named(after)).answer ?? {};
  return problems.flatMap((problem) => {
    const [, losses] =
      /would lose (.*?)(?:, which cannot|; undo)/.exec(problemInWords(problem, kindOf(kind))) ?? [];
    return losses?.split(/, (?=the |its |part )/) ?? [];
  });
}

describe("losses of a change of inputs", () => {
  test("the table has every field that says what it loses", () => {
    const paths = pathsOf(
      ({ loses }) => loses !== undefined,
      () => false,
    );
    expect([...new Set(dataLosses.map(([path]) => path))].toSorted()).toEqual(paths.toSorted());
  });

  test.each(dataLosses)("%s from %j to %j", (path, before, after, loses) => {
    const [kind = ""] = path.split(".");
    expect(lost(kind, before, after)).toEqual([loses]);
    expect(lost(kind, before, before)).toEqual([]);
  });

  test("every secret that a program leaves out, alone or with what is around it", async () => {
    const lines = secretPaths.map((path) => {
      const [kind = "", member = ""] = path.split(/[.[]/);
      const before = secretPrograms[path]?.("value") ?? {};
      const property = member.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
      const { [property]: _left, ...after } = before;
      return `${path}: ${lost(kind, before, after).join(", ") || "stays, or is refused"}`;
    });
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./lost-secrets.txt");
  });
});

describe("on a server", () => {
  const staging = useStaging();

  const start = async (setting: Record<string, string> = {}) => {
    const { url, tokens } = staging.server.emulator;
    const values: Record<string, string> = {
      "infrasync:baseUrl": url,
      "infrasync:token": tokens.admin,
      ...setting,
    };
    await staging.server.forgetRequests();
    return { lifecycle: new Lifecycle({}), config: { get: (key: string) => values[key] } };
  };
  const database = (storage: number, more: Properties = {}) => ({
    environment: staging.environment.id,
    name: "orders",
    type: "POSTGRESQL",
    version: "16",
    mode: "CONTAINER",
    storage,
    ...more,
  });
  const refusal =
    "database:shop/staging/orders would lose part of its data (50 GB -> 20 GB), which cannot be restored; undo the change, or allow it: add database:shop/staging/orders to infrasync:allowLosses (or INFRASYNC_ALLOW_LOSSES)";

  test("a loss is refused before a write, in a preview too, unless the setting names the resource", async () => {
    const { id, outputs } = await (await staging.pass()).create("Database", database(50));
    for (const allowLosses of ["", "database:shop/staging/*-copy", "shop/production/**"]) {
      const { lifecycle, config } = await start({ "infrasync:allowLosses": allowLosses });
      await expect(lifecycle.diff("Database", id, outputs, database(20), config)).rejects.toThrow(refusal);
      await expect(lifecycle.update("Database", id, outputs, database(20), config)).rejects.toThrow(refusal);
      expect(await staging.server.writes()).toEqual([]);
    }
    const { lifecycle, config } = await start({
      "infrasync:allowLosses": "job:shop/**, database:shop/staging/orders",
    });
    await lifecycle.diff("Database", id, outputs, database(20), config);
    await lifecycle.update("Database", id, outputs, database(20), config);
    expect(await staging.live({ kind: "Database", id, inputs: {}, outputs, initErrors: [] })).toMatchObject({
      storage: 20,
    });
  });

  test("a change without a loss asks nothing of the server before its update", async () => {
    const { id, outputs } = await (await staging.pass()).create("Database", database(50));
    const { lifecycle, config } = await start();
    await lifecycle.diff("Database", id, outputs, database(60), config);
    expect(await staging.server.seen()).toEqual([]);
  });

  test("an update and an adoption do not take what the live resource has and the state does not know", async () => {
    const entry = await (await staging.pass()).create("Database", database(10));
    await (await staging.pass()).update(entry, database(50));
    // The state still says 10 GB.
    const { lifecycle, config } = await start();
    await lifecycle.diff("Database", entry.id, entry.outputs, database(20), config);
    await expect(lifecycle.update("Database", entry.id, entry.outputs, database(20), config)).rejects.toThrow(
      refusal,
    );
    await expect(new Lifecycle({}).create("Database", database(20, { adopt: true }), config)).rejects.toThrow(
      refusal,
    );
    expect(await staging.server.writes()).toEqual([]);
  });

  test("a consent has to name a new name and the live one, of the resource and of what is above it", async () => {
    const { id, outputs } = await (await staging.pass()).create("Database", database(50));
    const renamed = database(20, { name: "scratch" });
    for (const [allowLosses] of [
      ["database:shop/staging/scratch"],
      ["database:shop/staging/orders"],
    ] as const) {
      const { lifecycle, config } = await start({ "infrasync:allowLosses": allowLosses });
      await expect(lifecycle.diff("Database", id, outputs, renamed, config)).rejects.toThrow(
        "allow it: add database:shop/staging/scratch and database:shop/staging/orders to",
      );
    }
    const { id: environment, inputs, outputs: olds } = staging.environment;
    const { lifecycle, config } = await start({ "infrasync:allowLosses": "database:shop/scratch/**" });
    await lifecycle.diff("Environment", environment, olds, { ...inputs, name: "scratch" }, config);
    await lifecycle.update("Environment", environment, olds, { ...inputs, name: "scratch" }, config);
    await expect(lifecycle.diff("Database", id, outputs, database(20), config)).rejects.toThrow(
      "allow it: add database:shop/staging/orders to",
    );
  });

  test("a removed variable does not take the aliases of others with it, unless the setting names its resource", async () => {
    const { id, inputs } = staging.environment;
    const variables = { REGION: "eu", SIZE: "1" };
    const entry = await (await staging.pass()).update(staging.environment, { ...inputs, variables });
    const job = { ...staging.nightly(), variables: { MY_REGION: { aliasOf: "REGION" } } };
    await (await staging.pass()).create("Job", job);
    const { lifecycle, config } = await start();
    await lifecycle.diff(
      "Environment",
      id,
      entry.outputs,
      { ...inputs, variables: { REGION: "eu" } },
      config,
    );
    const less = { ...inputs, variables: { SIZE: "1" } };
    await expect(lifecycle.diff("Environment", id, entry.outputs, less, config)).rejects.toThrow(
      "environment:shop/staging would lose the variable MY_REGION of nightly; undo the change, or change the target of its aliases in this run, and remove the entry in the next run, or allow it: add environment:shop/staging to infrasync:allowLosses",
    );
    const allowing = await start({ "infrasync:allowLosses": "environment:shop/staging" });
    await allowing.lifecycle.diff("Environment", id, entry.outputs, less, allowing.config);
  });

  test("a resource that the setting protects is neither deleted nor replaced, alone or with its environment, and loses nothing", async () => {
    const entry = await (await staging.pass()).create("Database", database(50));
    const { id, outputs } = entry;
    const { lifecycle, config } = await start({
      "infrasync:allowLosses": "**",
      "infrasync:protect": "database:shop/**",
    });
    const lifted = "take the pattern database:shop/** out of infrasync:protect (or INFRASYNC_PROTECT)";
    const protectedBy = 'it is protected by the pattern "database:shop/**"';
    await expect(lifecycle.diff("Database", id, outputs, database(20), config)).rejects.toThrow(
      `part of the data of database:shop/staging/orders (50 GB -> 20 GB) cannot be lost: database:shop/staging/orders is protected by the pattern "database:shop/**"; undo the change, or ${lifted}`,
    );
    const other = database(50, { type: "MYSQL", version: "8" });
    await expect(new Lifecycle({}).diff("Database", id, outputs, other, config)).rejects.toThrow(
      `database:shop/staging/orders cannot be deleted: ${protectedBy}; ${lifted}`,
    );
    await expect(new Lifecycle({}).remove("Database", id, outputs, config)).rejects.toThrow(
      `database:shop/staging/orders cannot be deleted: ${protectedBy}; ${lifted}`,
    );
    const { environment } = staging;
    const olds = { ...environment.outputs, deleteContents: true };
    await expect(new Lifecycle({}).remove("Environment", environment.id, olds, config)).rejects.toThrow(
      `database:shop/staging/orders cannot be deleted: ${protectedBy}, and would be deleted with environment:shop/staging`,
    );
    expect(await staging.server.writes()).toEqual([]);
  });

  test("a pattern that can name nothing is refused", async () => {
    const { lifecycle, config } = await start({ "infrasync:protect": "databse:shop/**" });
    await expect(lifecycle.create("Project", { name: "other" }, config)).rejects.toThrow(
      /infrasync:protect: "databse:shop\/\*\*" .*did you mean/,
    );
  });
});
