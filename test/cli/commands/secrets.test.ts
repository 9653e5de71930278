import { randomUUID } from "node:crypto";
import { chmod, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { useFixture, writesOf } from "../fixture.ts";

const dataFile = join(tmpdir(), `infrasync-secrets-${randomUUID()}.json`);
const fixture = useFixture({ dataFile });
afterAll(() => rm(dataFile, { force: true }));

const canary = "c4nary-s3cret-of-a-db";
const other = "an0ther-s3cret-value";

const parents = `kind: Project
name: shop
---
kind: Environment
project: shop
name: staging
cluster: eu-west
---
`;
const shop = (secrets: string, rest = "") => `${parents}kind: Job
environment: shop/staging
name: migrate
source: { image: { registry: docker-hub, image_name: acme/x, tag: "1" } }
schedule: { on_start: {} }
secrets: ${secrets}
${rest}`;

/** The variable with this key on the server, with the value that the API never shows. */
async function stored(key: string): Promise<Record<string, unknown> | undefined> {
  return findEntry(JSON.parse(await readFile(dataFile, "utf8")), key);
}

function findEntry(value: unknown, key: string): Record<string, unknown> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  if (fields["key"] === key && fields["is_secret"] === true) return fields;
  for (const inner of Object.values(fields)) {
    const found = findEntry(inner, key);
    if (found) return found;
  }
  return undefined;
}

test("apply writes a secret when it is missing, has another version or is rotated, and else leaves it alone", async () => {
  const file = await fixture.write(
    "shop.yaml",
    shop("{ DB_PASSWORD: { from_env: SHOP_DB } }", "variables: { PASSWORD: { alias_of: DB_PASSWORD } }"),
  );
  const apply = async (value: string | undefined, ...flags: string[]) => {
    await fixture.takeRequests();
    const { code, stdout, stderr } = await fixture.run(["apply", file, "--yes", ...flags], {
      env: value === undefined ? {} : { SHOP_DB: value },
    });
    expect(stdout + stderr).not.toContain(canary);
    return { code, text: stdout + stderr, writes: writesOf(await fixture.takeRequests()) };
  };
  const missing = await apply(undefined);
  expect(missing).toMatchObject({ code: 3, writes: [] });
  expect(missing.text).toContain("shop.yaml:14:12: error: job:");
  expect(missing.text).toContain(
    "job:shop/staging/migrate: secrets.DB_PASSWORD: the environment variable SHOP_DB is not set",
  );
  const first = await apply(canary);
  expect(first.code).toBe(0);
  expect(first.text).toContain("secrets.DB_PASSWORD.from_env  SHOP_DB");
  expect(await stored("DB_PASSWORD")).toMatchObject({ value: canary });
  const again = await apply(undefined);
  expect(again).toMatchObject({ code: 0, writes: [] });
  expect(again.text).toContain("the secret DB_PASSWORD exists; infrasync cannot compare its value");
  await fixture.write("shop.yaml", shop('{ DB_PASSWORD: { from_env: SHOP_DB, version: "2" } }'));
  const changed = await apply(other);
  expect(changed).toMatchObject({ code: 0, writes: ["PUT /variable/{id}"] });
  expect(changed.text).toContain('secrets.DB_PASSWORD.version  "" -> "2"');
  expect(changed.text).not.toContain("cannot compare");
  expect(await stored("DB_PASSWORD")).toMatchObject({ value: other, description: "version 2" });
  expect((await apply(undefined)).writes).toEqual([]);
  const rotated = await apply(canary, "--rotate-secrets", "job:shop/**");
  expect(rotated).toMatchObject({ code: 0, writes: ["PUT /variable/{id}"] });
  expect(await stored("DB_PASSWORD")).toMatchObject({ value: canary });
  await fixture.write("shop.yaml", shop("{ DB_PASSWORD: null }"));
  const removed = await apply(undefined);
  expect(removed.text).toContain("variables.PASSWORD   { alias_of: DB_PASSWORD } -> (none)");
  expect(removed.writes).toEqual(["DELETE /variable/{id}", "DELETE /variable/{id}"]);
});

test("a secret is mounted as a file, and its description stays beside its version", async () => {
  const declared = (members: string) => shop(`{ TLS_KEY: { from_env: TLS, ${members} } }`);
  const apply = async (members: string) => {
    const file = await fixture.write("shop.yaml", declared(members));
    await fixture.takeRequests();
    const { code, stdout } = await fixture.run(["apply", file, "--yes"], { env: { TLS: canary } });
    expect(stdout).not.toContain(canary);
    return { code, stdout, writes: writesOf(await fixture.takeRequests()) };
  };
  await apply("mount_path: /etc/tls.key, description: of the shop");
  expect(await stored("TLS_KEY")).toMatchObject({
    value: canary,
    mount_path: "/etc/tls.key",
    description: "of the shop",
  });
  expect((await apply("mount_path: /etc/tls.key")).writes).toEqual([]);
  expect((await apply('version: "2"')).writes).toEqual(["PUT /variable/{id}"]);
  expect(await stored("TLS_KEY")).toMatchObject({
    mount_path: "/etc/tls.key",
    description: "of the shop\nversion 2",
  });
  expect((await apply('version: "2", description: of the shop')).stdout).toContain("No changes");
  const moved = await apply("mount_path: /srv/tls.key");
  expect(moved.stdout).toContain("secrets.TLS_KEY.mount_path  /etc/tls.key -> /srv/tls.key");
  expect(await stored("TLS_KEY")).toMatchObject({
    value: canary,
    mount_path: "/srv/tls.key",
    description: "of the shop\nversion 2",
  });
  expect((await apply("mount_path: /srv/tls.key")).writes).toEqual([]);
});

test("--rotate-secrets writes one secret of a resource, and refuses a choice that chooses none", async () => {
  const file = await fixture.write(
    "shop.yaml",
    shop("{ DB_PASSWORD: { from_env: SHOP_DB }, PAYMENT_KEY: { from_env: SHOP_DB } }"),
  );
  const env = { SHOP_DB: canary };
  expect((await fixture.run(["apply", file, "--yes"], { env })).code).toBe(0);
  const one = ["plan", file, "--rotate-secrets", "job:shop/staging/migrate:PAYMENT_KEY"];
  const { code, stdout } = await fixture.run(one, { env });
  expect(code).toBe(0);
  expect(stdout).toContain("      secrets.PAYMENT_KEY  written again");
  expect(stdout).toContain("the secret DB_PASSWORD exists; infrasync cannot compare its value");
  const refused = async (...args: string[]) => {
    const ran = await fixture.run(["plan", file, "--rotate-secrets", ...args], { env });
    expect(ran).toMatchObject({ code: 3, stdout: "" });
    return ran.stderr;
  };
  expect(`\n${await refused("PAYMENT_KEY")}`).toMatchInlineSnapshot(`
    "
    error: "PAYMENT_KEY" chooses no secret that a document declares, so no secret would be written again
      did you mean job:shop/staging/migrate:PAYMENT_KEY? name a resource, such as job:shop/staging/*, or one of its secrets, such as job:shop/staging/api:PASSWORD
    "
  `);
  expect(await refused("job:shop/staging/migrate:PAYMENT_KEZ")).toContain("migrate:PAYMENT_KEY?");
  expect(await refused("environment:shop/staging")).toContain("chooses no secret that a document declares");
  expect(await refused("job:shop/**", "--target", "project:shop")).toContain("a targeted document declares");
});

test("--rotate-secrets wants the name on the server too of a resource that has another one in the documents", async () => {
  const secrets = "{ DB_PASSWORD: { from_env: SHOP_DB } }";
  const file = await fixture.write("shop.yaml", shop(secrets));
  await fixture.run(["apply", file, "--yes"], { env: { SHOP_DB: other } });
  await fixture.write(
    "shop.yaml",
    shop(secrets, "manage: { renamed_from: migrate }").replace("name: migrate", "name: preview-9"),
  );
  const apply = async (...choices: string[]) => {
    const flags = choices.flatMap((choice) => ["--rotate-secrets", `job:shop/staging/${choice}`]);
    return fixture.run(["apply", file, "--yes", ...flags], { env: { SHOP_DB: canary } });
  };
  for (const choice of ["preview-*", "preview-9:DB_PASSWORD", "migrate"]) {
    const { code, stderr } = await apply(choice);
    expect(code).toBe(3);
    expect(stderr).toContain(
      "DB_PASSWORD would be written again under one of two names only: the resource is job:shop/staging/preview-9 in the documents, and job:shop/staging/migrate on the server",
    );
    expect(await stored("DB_PASSWORD")).toMatchObject({ value: other });
  }
  expect((await apply("preview-*", "migrate:DB_PASSWORD")).code).toBe(0);
  expect(await stored("DB_PASSWORD")).toMatchObject({ value: canary });
});

test("a saved plan contains the reference to a secret, and its apply reads the value", async () => {
  const file = await fixture.write("shop.yaml", shop("{ DB_PASSWORD: { from_env: SHOP_DB } }"));
  const plan = `${fixture.folder}/plan.json`;
  await fixture.run(["plan", file, "--out", plan], { env: { SHOP_DB: canary } });
  const saved = await readFile(plan, "utf8");
  expect(saved).toContain("SHOP_DB");
  expect(saved).not.toContain(canary);
  expect(await fixture.run(["apply", "--plan", plan, "--yes"])).toMatchObject({ code: 3 });
  expect(await fixture.run(["apply", "--plan", plan, "--yes"], { env: { SHOP_DB: canary } })).toMatchObject({
    code: 0,
  });
  expect(await stored("DB_PASSWORD")).toMatchObject({ value: canary });
});

test("a secret comes from a file, a command or sops; commands must be allowed", async () => {
  await fixture.write("db.txt", `${canary}\n`);
  await fixture.write(
    "bin/sops",
    `#!/bin/sh\n[ "$1 $2 $3 $4" = 'decrypt --extract ["db"]["password"] ${fixture.folder}/secrets.yaml' ] && echo ${other}\n`,
  );
  await chmod(`${fixture.folder}/bin/sops`, 0o755);
  const file = await fixture.write(
    "shop.yaml",
    shop(`{ A: { from_file: "${fixture.folder}/db.txt" }, B: { from_command: "echo ${other}x" } }`),
  );
  const refused = await fixture.run(["apply", file, "--yes"]);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain("commands are not allowed");
  expect(refused.stderr).toContain("--allow-commands");
  expect((await fixture.run(["apply", file, "--yes", "--allow-commands"])).code).toBe(0);
  expect([await stored("A"), await stored("B")]).toMatchObject([{ value: canary }, { value: `${other}x` }]);
  const path = process.env["PATH"];
  await fixture.write("shop.yaml", shop("{ C: { from_sops: secrets.yaml#db.password } }"));
  try {
    expect((await fixture.run(["apply", file, "--yes"])).stderr).toContain("the program sops is not there");
    process.env["PATH"] = `${fixture.folder}/bin:${path}`;
    expect((await fixture.run(["apply", file, "--yes"])).code).toBe(0);
  } finally {
    process.env["PATH"] = path;
  }
  expect(await stored("C")).toMatchObject({ value: other });
});

test("a source that no secret can come from is a mistake that validate finds", async () => {
  const file = await fixture.write(
    "shop.yaml",
    shop(
      "{ A: { from_env: infrasync_TOKEN }, B: { from_file: /proc/self/environ }, C: { from_env: $SHOP_DB }, D: { from_env: INFRASYNC_VAR_DB } }",
    ),
  );
  const { code, stderr } = await fixture.run(["validate", file]);
  expect(code).toBe(3);
  expect(stderr).toContain(
    'secrets.A.from_env: "…" is infrasync\'s own environment variable, and no secret may come from it',
  );
  expect(stderr).toContain('secrets.B.from_file: "…" is in /proc, /dev, /sys');
  expect(stderr).toContain('secrets.C.from_env: "…" is not the name of an environment variable');
  expect(stderr).toContain("write SHOP_DB");
  expect(stderr).not.toContain("secrets.D");
});

test("a plan tells the secrets that an apply could not read here, and no others", async () => {
  await fixture.write("there.txt", canary);
  const file = await fixture.write(
    "shop.yaml",
    shop(
      "{ A: { from_env: GONE }, B: { from_file: gone.txt }, C: { from_file: there.txt }, D: { from_env: EMPTY }, E: { from_command: echo }, F: { from_env: THERE } }",
    ),
  );
  const env = { EMPTY: "", THERE: canary };
  const { stdout } = await fixture.run(["plan", file], { env });
  expect(stdout).toMatch(
    /An apply cannot read 3 secrets here: secrets\.A of job:shop\/staging\/migrate: the environment variable GONE is not set; secrets\.B of \S+ the file \S*gone\.txt cannot be read \(ENOENT\); secrets\.D of \S+ the environment variable EMPTY is empty\n/,
  );
});

test("no secret is the token of the run, whatever the manifest names as its source", async () => {
  const token = fixture.env["INFRASYNC_TOKEN"] ?? "";
  const file = await fixture.write("shop.yaml", shop("{ C: { from_env: COPY }, D: { from_env: GONE } }"));
  const { code, stderr } = await fixture.run(["apply", file, "--yes"], { env: { COPY: token } });
  expect(code).toBe(3);
  expect(stderr).toContain("secrets.C: its value contains a token that infrasync itself uses");
  expect(stderr).not.toContain(token);
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
});

test("an empty value does not overwrite a secret, unless the manifest says that it may be empty", async () => {
  await fixture.write("db.txt", canary);
  const file = await fixture.write("shop.yaml", shop("{ A: { from_file: db.txt } }"));
  expect((await fixture.run(["apply", file, "--yes"])).code).toBe(0);
  await fixture.write("db.txt", "\n");
  const rotate = ["apply", file, "--yes", "--rotate-secrets", "job:**"];
  const refused = await fixture.run(rotate);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain("db.txt is empty");
  expect(await stored("A")).toMatchObject({ value: canary });
  await fixture.write("shop.yaml", shop("{ A: { from_file: db.txt, allow_empty: true } }"));
  expect((await fixture.run(rotate)).code).toBe(0);
  expect(await stored("A")).toMatchObject({ value: "" });
  expect((await fixture.run(["plan", file])).stdout).toContain("No changes");
});

test("a file of sops lies beside the manifests, and its errors name the file and the key", async () => {
  const encrypted = "ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]";
  const sops = `db:\n  - password: ${encrypted}\nnote_unencrypted: "\${NO_VARIABLE}"\nsops:\n  mac: ${encrypted}\n  version: 3.9.0\n`;
  await fixture.write("shop/secrets.sops.yaml", sops);
  await fixture.write("shop/shop.yaml", shop('{ A: { from_sops: "secrets.sops.yaml#db[0].password" } }'));
  await fixture.write("bin/sops", "#!/bin/sh\nexit 100\n");
  await chmod(`${fixture.folder}/bin/sops`, 0o755);
  const validated = await fixture.run(["validate", `${fixture.folder}/shop`]);
  expect(validated).toMatchObject({ code: 0 });
  const path = process.env["PATH"];
  process.env["PATH"] = `${fixture.folder}/bin:${path}`;
  try {
    const { code, stderr } = await fixture.run(["apply", `${fixture.folder}/shop`, "--yes"]);
    expect(code).toBe(3);
    expect(stderr).toContain("sops, asked for shop/secrets.sops.yaml#db[0].password, has failed (100)");
    await fixture.write("bin/sops", "#!/bin/sh\nexit 0\n");
    const empty = await fixture.run(["apply", `${fixture.folder}/shop`, "--yes"]);
    expect(empty.stderr).toContain("secrets.sops.yaml#db[0].password, is empty");
  } finally {
    process.env["PATH"] = path;
  }
  await fixture.write("shop/shop.yaml", shop("{ A: { from_sops: secrets.sops.yaml#db#password } }"));
  const dropped = await fixture.run(["validate", `${fixture.folder}/shop`]);
  expect(dropped.code).toBe(3);
  expect(dropped.stderr).toContain("shop.yaml:14:28: error: secrets.A.from_sops");
  const encryptedManifest = `kind: Project\nname: other\ndescription: ${encrypted}\nsops:\n  mac: ${encrypted}\n`;
  await fixture.write("shop/shop.yaml", encryptedManifest);
  expect((await fixture.run(["validate", `${fixture.folder}/shop`])).stderr).toContain(
    "shop.yaml:1:1: error: the file is encrypted by SOPS",
  );
});

test("the paths of files count from the folder of the manifest, also in a saved plan and from another folder", async () => {
  await fixture.write("elsewhere/db.txt", "wrong");
  await fixture.write("shop/db.txt", canary);
  await fixture.write("shop/key/db.txt", other);
  await fixture.write("shop/shop.yaml", shop("{ A: { from_file: db.txt }, B: { from_file: ./key/db.txt } }"));
  const before = process.cwd();
  process.chdir(join(fixture.folder, "elsewhere"));
  try {
    const planned = await fixture.run(["plan", "../shop", "--out", "plan.json"]);
    expect(planned.stdout).toContain("secrets.A.from_file      ../shop/db.txt");
    expect(await fixture.run(["apply", "--plan", "plan.json", "--yes"])).toMatchObject({ code: 0 });
  } finally {
    process.chdir(before);
  }
  expect([await stored("A"), await stored("B")]).toMatchObject([{ value: canary }, { value: other }]);
});

test("a server that repeats a secret in a response brings it into no output", async () => {
  const file = await fixture.write("shop.yaml", shop("{ DB_PASSWORD: { from_env: SHOP_DB } }"));
  for (const status of [400, 403, 409, 500]) {
    await fixture.fault({
      method: "POST",
      path: "/variable",
      status,
      times: 1,
      body: { status, error: canary, message: `the value ${canary} (${encodeURIComponent(canary)})` },
    });
    for (const output of ["text", "json"]) {
      const { stdout, stderr } = await fixture.run(
        ["apply", file, "--yes", "--output", output, "--log-level", "debug"],
        { env: { SHOP_DB: canary } },
      );
      expect(stdout + stderr).not.toContain(canary);
    }
    await fixture.takeFaults();
  }
  expect(await stored("DB_PASSWORD")).toMatchObject({ value: canary });
});

test("mistakes are reported: a key that is variable and secret, a secret in plain text, a variable that is a secret on the server", async () => {
  const file = await fixture.write("shop.yaml", shop("{ A: { from_env: X } }", "variables: { A: one }"));
  expect((await fixture.run(["plan", file])).stderr).toContain(
    "A is declared twice: in secrets and in variables",
  );
  await fixture.write("shop.yaml", shop("{ A: hunter2 }"));
  const plain = await fixture.run(["plan", file]);
  expect(plain.stderr).toContain("name the source of the value, such as from_env");
  expect(plain.stdout + plain.stderr).not.toContain("hunter2");
  await fixture.write("shop.yaml", shop("{ A: { from_env: X } }"));
  await fixture.run(["apply", file, "--yes"], { env: { X: canary } });
  await fixture.write("shop.yaml", shop("{}", "variables: { A: one }"));
  const { code, stderr } = await fixture.run(["apply", file, "--yes"]);
  expect(code).toBe(3);
  expect(stderr).toContain("variables.A: A is a secret already, and writing the variable would overwrite it");
  expect(await stored("A")).toMatchObject({ value: canary });
});

test("a variable becomes a secret, and a secret a variable or an alias, in one document and one apply; the old value is a loss", async () => {
  const file = await fixture.write("shop.yaml", shop("{}", "variables: { A: open, B: two }"));
  await fixture.run(["apply", file, "--yes"]);
  await fixture.write("shop.yaml", shop("{ A: { from_env: X } }", "variables: { B: two }"));
  const { stderr } = await fixture.run(["plan", file], { env: { X: canary } });
  expect(stderr).toContain("set variables: { A: null } as well, to make the variable a secret");
  await fixture.write("shop.yaml", shop("{ A: { from_env: X } }", "variables: { A: null, B: two }"));
  const env = { X: canary };
  const unset = await fixture.run(["apply", file, "--yes"]);
  expect(unset.code).not.toBe(0);
  expect((await fixture.run(["get", "job:shop/staging/migrate"])).stdout).toContain("A: open");
  const json = JSON.parse((await fixture.run(["plan", file, "--output", "json"], { env })).stdout) as {
    actions: { losses?: unknown[] }[];
  };
  expect(json.actions.flatMap(({ losses = [] }) => losses)).toEqual([
    expect.objectContaining({ sort: "part", what: "variable", name: "A", restorable: true }),
  ]);
  await fixture.takeRequests();
  expect(await fixture.run(["apply", file, "--yes"], { env })).toMatchObject({ code: 0 });
  expect(writesOf(await fixture.takeRequests())).toEqual(["POST /variable"]);
  expect(await stored("A")).toMatchObject({ value: canary, is_secret: true });
  expect((await fixture.run(["plan", file], { env })).stdout).toContain("No changes");
  await fixture.write("shop.yaml", shop("{ A: null }", "variables: { A: open, B: two }"));
  await fixture.run(["apply", file, "--yes"]);
  await fixture.write("shop.yaml", shop("{ A: { from_env: X } }", "variables: { A: null, B: two }"));
  // A server that gives the key of a variable to no secret has the variable removed before.
  await fixture.fault({ method: "POST", path: "/variable", status: 409, times: 1 });
  await fixture.takeRequests();
  expect(await fixture.run(["apply", file, "--yes"], { env })).toMatchObject({ code: 0 });
  expect(writesOf(await fixture.takeRequests())).toEqual([
    "POST /variable",
    "DELETE /variable/{id}",
    "POST /variable",
  ]);
  expect(await stored("A")).toMatchObject({ value: canary, is_secret: true });
  for (const variable of ["{ alias_of: B }", "plain"]) {
    await fixture.write("shop.yaml", shop("{ A: { from_env: X } }", "variables: { A: null, B: two }"));
    await fixture.run(["apply", file, "--yes"], { env });
    await fixture.write("shop.yaml", shop("{ A: null }", `variables: { A: ${variable}, B: two }`));
    await fixture.fault({ method: "POST", path: "/variable", drop: "after", times: 1 });
    await fixture.takeRequests();
    expect(await fixture.run(["apply", file, "--yes"])).toMatchObject({ code: 0 });
    expect(writesOf(await fixture.takeRequests())).not.toContain("DELETE /variable/{id}");
    await fixture.takeFaults();
    expect((await fixture.run(["plan", file])).stdout).toContain("No changes");
    const { stdout } = await fixture.run(["get", "job:shop/staging/migrate"]);
    expect(stdout).toContain(variable === "plain" ? "A: plain" : "alias_of: B");
  }
});

test("a lost response leaves one secret, and a dump contains no secret", async () => {
  const file = await fixture.write("shop.yaml", shop("{ A: { from_env: X }, B: { from_env: X } }"));
  await fixture.fault({ method: "POST", path: "/variable", drop: "after", times: 1 });
  expect((await fixture.run(["apply", file, "--yes"], { env: { X: canary } })).code).toBe(0);
  expect(await fixture.takeFaults()).toBe(1);
  expect((await fixture.run(["plan", file])).stdout).toContain("No changes");
  expect((await fixture.run(["dump", "job:shop/staging/migrate"])).stdout).not.toContain("secrets");
});

test("a secret without a source is a mistake that names the sources of manifests", async () => {
  const file = await fixture.write("bot.yaml", "kind: GitToken\nname: bot\ntype: GITHUB\ntoken: {}\n");
  const { code, stderr } = await fixture.run(["plan", file]);
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringContaining(
      "declare from_env, from_file, from_sops or from_command, or leave token out\n",
    ),
  });
});
