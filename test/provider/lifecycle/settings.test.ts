import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { inspect } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { RunLedger } from "../../../provider/lifecycle/ledger.ts";
import { ProviderSession } from "../../../provider/lifecycle/session.ts";
import { rulesFor, sayRules } from "../../../provider/lifecycle/rules-file.ts";
import { readSettings } from "../../../provider/lifecycle/settings.ts";
import { temporaryFolder } from "../../fixtures/temporary-folder.ts";

const configured: Record<string, string> = {
  "infrasync:baseUrl": "https://api.example.com",
  "infrasync:token": "of-the-stack",
  "infrasync:organization": "acme",
};
const read = (values: Record<string, string> = configured, environment: Record<string, string> = {}) =>
  readSettings({ get: (key) => values[key] }, environment);

test("the stack's configuration is sufficient", async () => {
  expect(await read()).toEqual({
    baseUrl: "https://api.example.com",
    token: "of-the-stack",
    tokenSource: "infrasync:token in the configuration of the stack",
    organization: "acme",
    adopt: false,
    importAllFields: false,
    allowLosses: [],
    protect: [],
    policies: [],
    allowInfrastructure: [],
    insecureHttp: false,
    onQuota: "wait",
    sources: {},
    rules: sayRules(undefined),
  });
});

test("the environment is sufficient, and overrides the configuration", async () => {
  const environment = {
    INFRASYNC_BASE_URL: "https://other.example.com",
    INFRASYNC_TOKEN: "of-the-environment",
    INFRASYNC_ORGANIZATION: "other",
    INFRASYNC_TOKEN_SCHEME: "Bearer",
    INFRASYNC_ADOPT: "true",
    INFRASYNC_INSECURE_HTTP: "true",
    INFRASYNC_ON_QUOTA: "fail",
    INFRASYNC_CLONE_TIMEOUT: "2m",
  };
  const expected = {
    baseUrl: "https://other.example.com",
    token: "of-the-environment",
    tokenSource: "INFRASYNC_TOKEN",
    organization: "other",
    scheme: "Bearer",
    adopt: true,
    importAllFields: false,
    allowLosses: [],
    protect: [],
    policies: [],
    allowInfrastructure: [],
    insecureHttp: true,
    onQuota: "fail",
    cloneTimeout: 120_000,
    sources: {
      baseUrl: "INFRASYNC_BASE_URL",
      organization: "INFRASYNC_ORGANIZATION",
      tokenScheme: "INFRASYNC_TOKEN_SCHEME",
      adopt: "INFRASYNC_ADOPT",
      insecureHttp: "INFRASYNC_INSECURE_HTTP",
      onQuota: "INFRASYNC_ON_QUOTA",
      cloneTimeout: "INFRASYNC_CLONE_TIMEOUT",
    },
    rules: sayRules(undefined),
  };
  expect(await read(configured, environment)).toEqual(expected);
  expect(await readSettings(undefined, environment)).toEqual(expected);
});

test("a file contains the token; an error about it does not name the file, because the name may be the token", async () => {
  const folder = temporaryFolder("settings");
  const file = path.join(folder, "token");
  const error: unknown = await read(configured, { INFRASYNC_TOKEN_FILE: file }).catch(
    (reason: unknown) => reason,
  );
  expect(inspect(error, { showHidden: true })).toContain(
    "the file that INFRASYNC_TOKEN_FILE names cannot be read (ENOENT)",
  );
  expect(inspect(error, { showHidden: true })).not.toContain(file);
  await writeFile(file, "of-the-file\n");
  const settings = await read(configured, { INFRASYNC_TOKEN_FILE: file });
  expect(settings).toMatchObject({ token: "of-the-file", tokenSource: "INFRASYNC_TOKEN_FILE" });
});

test.each<[string, Record<string, string>, Record<string, string>, string]>([
  ["no base URL", {}, {}, "the URL of the API is not set; run `pulumi config set infrasync:baseUrl"],
  [
    "several mistakes at once",
    {},
    { INFRASYNC_ON_QUOTA: "maybe", INFRASYNC_MAX_DELETES: "few" },
    'contains the token\nINFRASYNC_MAX_DELETES cannot be "few"; write a whole number from 0 on\nINFRASYNC_ON_QUOTA cannot be',
  ],
  [
    "no token",
    { "infrasync:baseUrl": "https://api.example.com" },
    {},
    "there is no token; run `pulumi config set --secret infrasync:token`",
  ],
  [
    "a wrong word",
    configured,
    { INFRASYNC_ON_QUOTA: "maybe" },
    'INFRASYNC_ON_QUOTA cannot be "maybe"; write wait or fail',
  ],
  [
    "no time",
    { ...configured, "infrasync:cloneTimeout": "soon" },
    {},
    'infrasync:cloneTimeout cannot be "soon"; write a whole number and a unit (s, m, h, d or w), such as 90s, 12h or 3d',
  ],
])("%s is reported with the remedy", async (_, values, environment, message) => {
  await expect(read(values, environment)).rejects.toThrow(message);
});

describe("the settings file in the folder of the program", () => {
  const written = async (text: string, name = "infrasync.config.yaml") => {
    const folder = temporaryFolder("rules");
    await writeFile(path.join(folder, name), text);
    return folder;
  };

  test("forbids to programs what it forbids to manifests, without being named", async () => {
    const text = `
organization: acme
max_deletes: 3,50%
protect: [shop/production/**]
environments: { staging: { sources: [.], protect: [job:shop/staging/nightly] } }
policies:
  - built_in: pinned-image-tag
`;
    const folder = await written(text);
    const { policies, protect, maxDeletes } = await rulesFor(undefined, folder);
    expect(policies.map(({ name }) => name)).toEqual(["pinned-image-tag"]);
    expect(protect.map((pattern) => pattern.text)).toEqual([
      "shop/production/**",
      "job:shop/staging/nightly",
    ]);
    expect(maxDeletes).toEqual({ count: 3, file: `${path.join(folder, "infrasync.config.yaml")}:3` });
    const named = { "infrasync:policies": path.join(folder, "infrasync.config.yaml") };
    const stack = { ...configured, ...named, "infrasync:protect": "shop/live", "infrasync:maxDeletes": "9" };
    const settings = await read(stack);
    expect(settings.maxDeletes).toBe(3);
    expect(settings.protect.map((pattern) => pattern.text)).toEqual([
      "shop/live",
      "shop/production/**",
      "job:shop/staging/nightly",
    ]);
  });

  test("is sought up to the folder of Pulumi.yaml, and no further, and the run says which file it is, or that there is none", async () => {
    const folder = await written("protect: [shop]\n");
    const [above, source] = [path.join(folder, "stack"), path.join(folder, "stack", "src", "deep")];
    await mkdir(source, { recursive: true });
    expect(await rulesFor(undefined, source)).toMatchObject({ protect: [] });
    expect(sayRules(undefined, source)).toBe(
      `no rules of a team: there is no infrasync.config.yaml in ${source}`,
    );
    // Each folder is looked at once in a process.
    const other = path.join(above, "src", "other");
    await mkdir(other);
    await writeFile(path.join(folder, "Pulumi.yaml"), "name: shop\n");
    expect((await rulesFor(undefined, other)).protect).toMatchObject([{ text: "shop" }]);
    expect(sayRules(undefined, other)).toBe(
      `rules of the team: ${path.join(folder, "infrasync.config.yaml")}`,
    );
    await writeFile(path.join(above, "Pulumi.yaml"), "name: shop\n");
    const third = path.join(above, "src", "third");
    await mkdir(third);
    expect(sayRules(undefined, third)).toBe(
      `no rules of a team: there is no infrasync.config.yaml in ${third}, or above it up to ${above}`,
    );
    expect(sayRules({ value: "rules.yaml", source: "infrasync:policies" }, third)).toBe(
      `rules of the team: ${path.join(third, "rules.yaml")} (infrasync:policies)`,
    );
  });

  test("may forbid nothing", async () => {
    const rules = await rulesFor(undefined, await written("organization: acme\n"));
    expect(rules).toEqual({ policies: [], protect: [] });
  });

  test.each([
    ["protect: 5\n", "infrasync.config.yaml:1:10: protect must be a list of patterns"],
    ["max_deletes: few\n", 'infrasync.config.yaml:1:14: max_deletes cannot be "few"'],
    ["protect: [\n", "infrasync.config.yaml:"],
  ])("with a mistake ends the run: %j", async (text, message) => {
    await expect(rulesFor(undefined, await written(text))).rejects.toThrow(message);
  });

  test("with a wrong name ends the run", async () => {
    const folder = await written("protect: [a]\n", ".infrasync.yaml");
    await expect(rulesFor(undefined, folder)).rejects.toThrow("has the wrong name");
  });
});

test("a proxy from the environment is used, and an invalid proxy is an error", async () => {
  vi.stubEnv("HTTPS_PROXY", "socks5://127.0.0.1:1080");
  const settings = await read();
  expect(() => new ProviderSession(settings, new RunLedger(), process.env, () => {})).toThrow(
    "HTTPS_PROXY is not the URL of a proxy that speaks http or https",
  );
});
