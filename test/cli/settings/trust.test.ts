import { describe, expect, test } from "vitest";
import { settingNames, variableOf } from "../../../cli/settings/names.ts";
import { settings } from "../../../cli/settings/table.ts";
import { defaultCaps } from "../../../core/planning/plan/policy.ts";
import { defaultLimits } from "../../../core/operations/index.ts";
import { serve } from "../../fixtures/http-server.ts";
import { useFixture } from "../fixture.ts";
import { cronJob, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture();

describe("the settings file of a repository cannot choose the server that gets the token", () => {
  /** Plans against a server that only the settings file names, and returns the requests that the server received. */
  const planAt = async (member: (url: string) => string, env: Record<string, string>, columns?: number) => {
    const seen: (string | undefined)[] = [];
    const thief = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end("{}");
    });
    await fixture.write("shop.yaml", shop);
    await fixture.write("infrasync.config.yaml", `${member(thief.url)}\n`);
    const ran = await fixture.run(["plan", fixture.folder], {
      env: { NO_COLOR: "1", ...env },
      ...(columns !== undefined && { columns }),
    });
    return { ...ran, seen };
  };
  const baseUrl = (url: string) => `base_url: ${url}`;
  const unset = { INFRASYNC_BASE_URL: "" };

  test.for([
    ["there is no terminal", {}, undefined],
    ["CI is set", { CI: "true" }, 200],
    ["CI is set", { CI: "woodpecker" }, 200],
  ] as [string, Record<string, string>, number | undefined][])(
    "base_url in the file is refused without a terminal, and no request is sent: %s",
    async ([why, env, columns]) => {
      const { code, stderr, seen } = await planAt(baseUrl, { ...unset, ...env }, columns);
      expect(seen).toEqual([]);
      expect({ code, stderr }).toEqual({
        code: 3,
        stderr: `infrasync.config.yaml:1:11: error: a settings file cannot set base_url when a run is unattended (${why})
  1 | base_url: …
    |           ^
  set INFRASYNC_BASE_URL or use --base-url, and remove base_url from the file: a repository must not choose where the token is sent
`,
      });
    },
  );

  test("base_url in the file is accepted on a terminal", async () => {
    const { seen } = await planAt(baseUrl, { ...unset, CI: "false" }, 80);
    expect(seen).not.toEqual([]);
  });

  test("base_url in the file is refused for a reconciler, also on a terminal", async () => {
    const file = await fixture.write("infrasync.config.yaml", "base_url: http://127.0.0.1:9\n");
    const args = ["reconcile", "--once", "--yes", "--allow-local-repo", "--repo", fixture.folder];
    const { code, stderr } = await fixture.run([...args, "--config", file], {
      env: { NO_COLOR: "1", CI: "", ...unset },
      columns: 200,
    });
    expect(code).toBe(3);
    expect(stderr).toContain(
      "a settings file cannot set base_url when a run is unattended (a reconciler runs unattended)",
    );
  });

  test("a base_url in the file that contradicts the environment is refused too, not ignored", async () => {
    const { code, stderr, seen } = await planAt(baseUrl, {});
    expect({ code, seen, requests: await fixture.takeRequests() }).toEqual({
      code: 3,
      seen: [],
      requests: [],
    });
    expect(stderr).toContain(
      "base_url in the settings file and INFRASYNC_BASE_URL differ, and a run is unattended (there is no terminal)",
    );
  });

  test("a base_url in the file that equals the environment is accepted", async () => {
    const { code } = await planAt(() => `base_url: ${fixture.emulator.url}/`, {});
    expect(code).toBe(0);
  });

  test.for(["token_scheme: Bearer", "insecure_http: true"])("%s in the file is refused", async (member) => {
    const { code, stderr } = await planAt(() => member, {});
    expect({ code, requests: await fixture.takeRequests() }).toEqual({ code: 3, requests: [] });
    expect(stderr).toContain(`a settings file cannot set ${member.split(":")[0]} when a run is unattended`);
  });

  test("the file cannot let manifests read variables of the environment, also where a person watches", async () => {
    const { code, stderr } = await planAt(() => "allow_env: '*'", {}, 200);
    expect({ code, requests: await fixture.takeRequests() }).toEqual({ code: 3, requests: [] });
    expect(stderr).toContain("infrasync.config.yaml:1:1: error:");
    expect(stderr).toContain("allow_env");
  });

  test("a setting in the file that equals the default is accepted", async () => {
    expect(await planAt(() => "insecure_http: false", {})).toMatchObject({ code: 0 });
  });

  test("a file that --config names has the same restrictions", async () => {
    await fixture.write("shop.yaml", shop);
    const config = await fixture.write("own.yaml", "base_url: https://api.example.com\n");
    const { code, stderr } = await fixture.run(["plan", fixture.folder, "--config", config], { env: unset });
    expect(code).toBe(3);
    expect(stderr).toContain("own.yaml:1:11: error: a settings file cannot set base_url");
  });

  test("validate accepts the file, because it sends no request", async () => {
    await fixture.write("shop.yaml", shop);
    await fixture.write("infrasync.config.yaml", "base_url: https://api.example.com\n");
    expect(await fixture.run(["validate", fixture.folder])).toMatchObject({ code: 0 });
  });
});

describe("the settings file can tighten flags and environment, and cannot loosen them", () => {
  const jobs = Array.from({ length: 4 }, (_, index) => cronJob(`job-${index}`)).join("");
  /** Destroys four jobs with a limit from the environment, the file and a flag. */
  const destroy = async (caps: { variable?: string; file?: string; flag?: string }) => {
    await fixture.write(
      "infrasync.config.yaml",
      caps.file === undefined ? "" : `max_deletes: ${caps.file}\n`,
    );
    const { code, stderr } = await fixture.run(
      [
        "destroy",
        fixture.folder,
        "--yes",
        "--target=job:shop/staging/*",
        ...(caps.flag === undefined ? [] : ["--max-deletes", caps.flag]),
      ],
      { env: { INFRASYNC_MAX_DELETES: caps.variable } },
    );
    return { code, stderr };
  };

  test.for([
    [{ variable: "3", file: "100" }, 3],
    [{ flag: "3", file: "100" }, 3],
    [{ variable: "100", file: "3" }, 3],
    [{ flag: "100", file: "3" }, 3],
    [{ flag: "50%", file: "3" }, 3],
    [{ variable: "3", flag: "100" }, undefined],
    [{ flag: "100", file: "4" }, undefined],
    [{ file: "100" }, undefined],
  ] as const)("max_deletes: %j", async ([caps, holds]) => {
    await fixture.write("shop.yaml", shop + jobs);
    expect(await fixture.run(["apply", fixture.folder, "--yes"])).toMatchObject({ code: 0 });
    const { code, stderr } = await destroy(caps);
    if (holds === undefined) expect({ code, stderr }).toMatchObject({ code: 0 });
    else {
      expect(code).toBe(3);
      expect(stderr).toContain(`4 resources would be deleted or replaced, and the limit is ${holds}`);
    }
  });

  test("the error names a flag that the file tightens, and the file", async () => {
    await fixture.write("shop.yaml", shop + jobs);
    const { stderr } = await destroy({ flag: "20", file: "3" });
    expect(stderr).toContain(
      "Note: max_deletes: 3 in infrasync.config.yaml is stricter than --max-deletes 20, so the file applies.\n",
    );
    expect((await destroy({ flag: "2", file: "3" })).stderr).not.toContain("Note:");
  });

  test.for([
    ["fail", "wait"],
    ["wait", "fail"],
  ])("on_quota: a flag %s, a file %s: the run does not wait", async ([flag = "", file = ""]) => {
    await fixture.write("shop.yaml", shop);
    await fixture.write("infrasync.config.yaml", `on_quota: ${file}\n`);
    await fixture.fault({
      method: "GET",
      path: "/organization",
      status: 429,
      headers: {
        "x-ratelimit-limit": "1000",
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": String(Math.ceil(Date.now() / 1000) + 3000),
      },
    });
    const { code } = await fixture.run(["plan", fixture.folder, "--on-quota", flag]);
    expect(code).toBe(4);
  });

  test.for([
    ["1", "100"],
    ["100", "1"],
  ])("max_requests: a flag %s, a file %s: the run sends one request", async ([flag = "", file = ""]) => {
    await fixture.write("shop.yaml", shop);
    await fixture.write("infrasync.config.yaml", `max_requests: ${file}\n`);
    await fixture.takeRequests();
    const { code } = await fixture.run(["plan", fixture.folder, "--max-requests", flag]);
    expect({ code, requests: (await fixture.takeRequests()).length }).toEqual({ code: 4, requests: 1 });
  });
});

describe("the table of settings", () => {
  test("every default is readable and equals the default of core", () => {
    const defaults = Object.fromEntries(
      settingNames.flatMap((name) => {
        const { default: given, read } = settings[name] as { default?: unknown; read(text: string): object };
        return typeof given === "string" ? [[name, read(given)]] : [];
      }),
    );
    expect(defaults).toEqual({
      max_deletes: { value: defaultCaps },
      strict: { value: false },
      fresh: { value: false },
      max_age: { value: 3_600_000 },
      parallelism: { value: 10 },
      clone_timeout: { value: defaultLimits.clone },
      deploy: { value: false },
      wait: { value: false },
      wait_timeout: { value: 1_800_000 },
      insecure_http: { value: false },
      quota_patience: { value: 30_000 },
      log_level: { value: "silent" },
    });
  });

  test("every setting that affects the destination of the token belongs to the operator", () => {
    expect(settingNames.filter((name) => settings[name].inFile === "watched").map(variableOf)).toEqual([
      "INFRASYNC_BASE_URL",
      "INFRASYNC_TOKEN_SCHEME",
      "INFRASYNC_INSECURE_HTTP",
    ]);
  });
});
