import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { useFixture, writesOf } from "../fixture.ts";

const dataFile = join(tmpdir(), `infrasync-terraform-${randomUUID()}.json`);
const fixture = useFixture({ dataFile });
afterAll(() => rm(dataFile, { force: true }));

const canary = "c4nary-0f-tf-vars";

const parents = `kind: Project
name: shop
---
kind: Environment
project: shop
name: staging
cluster: eu-west
---
`;
const network = (variables: string, rest = "") => `${parents}kind: Terraform
environment: shop/staging
name: network
terraform_files_source: { git_repository: { url: "https://github.com/acme/network" } }
backend: { kubernetes: {} }
engine: TERRAFORM
provider_version: { explicit_version: "1.9" }
job_resources: { cpu_milli: 500, ram_mib: 512, storage_gib: 1 }
terraform_variables_source:
  tf_vars: ${variables}
${rest}`;

const plain = `[{ key: password, value: ${canary}, secret: true }, { key: size, value: small }]`;

let file = "";
beforeEach(async () => {
  file = await fixture.write("shop.yaml", network(plain));
});

/** Runs a command line and returns everything it has written; nothing of it has the value. */
async function shown(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await fixture.run(args, { env });
  const text = stdout + stderr;
  expect(text.includes(canary)).toBe(false);
  return { code, text };
}

/** Whether the server has got the value. */
const isStored = async () => (await readFile(dataFile, "utf8")).includes(canary);

test("a secret Terraform variable is sent, and no plan, report or error shows its value", async () => {
  for (const output of ["text", "json", "markdown"]) {
    const { code, text } = await shown(["plan", file, "--output", output]);
    expect(code).toBe(0);
    expect(text).toContain("from_document");
  }
  for (const output of ["text", "json"]) {
    await fixture.fault({
      method: "POST",
      path: "/environment/*/terraform",
      status: 400,
      times: 1,
      body: { status: 400, error: "Bad Request", message: `${canary} is too weak` },
    });
    expect(await shown(["apply", file, "--yes", "--output", output])).toMatchObject({ code: 1 });
    await fixture.takeFaults();
  }
  expect(await isStored()).toBe(false);
  expect(await shown(["apply", file, "--yes", "--log-level", "debug"])).toMatchObject({ code: 0 });
  expect(await isStored()).toBe(true);
  expect((await shown(["plan", file])).text).toContain("No changes");
});

test("a change of another field sends the secret Terraform variable again", async () => {
  await shown(["apply", file, "--yes"]);
  await fixture.write("shop.yaml", network(plain, "timeout_sec: 900\n"));
  expect((await shown(["apply", file, "--yes", "--output", "json"])).code).toBe(0);
  expect(await isStored()).toBe(true);
  expect((await shown(["plan", file])).text).toContain("No changes");
});

test("--rotate-secrets writes a secret Terraform variable again, and the plan names it", async () => {
  const other = "0ther-v4lue-0f-tf";
  await fixture.write("shop.yaml", network("[{ key: password, from_env: TF_PASSWORD, secret: true }]"));
  await shown(["apply", file, "--yes"], { TF_PASSWORD: other });
  const choices = ["terraform:shop/**", "terraform:shop/staging/network:password"];
  for (const choice of choices) {
    const planned = await shown(["plan", file, "--rotate-secrets", choice], { TF_PASSWORD: canary });
    expect(planned.text).toContain("terraform_variables_source.tf_vars[password]  written again");
  }
  const applied = await shown(["apply", file, "--yes", "--rotate-secrets", "terraform:shop/**"], {
    TF_PASSWORD: canary,
  });
  expect(applied.text).toContain("Done: 1 updated.");
  expect(applied.text).not.toContain("rotate");
  expect(await isStored()).toBe(true);
  expect((await shown(["plan", file])).text).toContain("No changes");
});

test("a plan that would need a secret of the manifest is not saved; with a source it is, and the apply reads it", async () => {
  const plan = join(fixture.folder, "plan.json");
  const refused = await shown(["plan", file, "--out", plan]);
  expect(refused.code).toBe(3);
  expect(refused.text).toContain(
    "terraform:shop/staging/network: terraform_variables_source.tf_vars[password]: its value is in the manifest",
  );
  expect(existsSync(plan)).toBe(false);
  await fixture.write("shop.yaml", network("[{ key: password, from_env: TF_PASSWORD, secret: true }]"));
  expect((await shown(["plan", file, "--out", plan])).code).toBe(0);
  expect((await readFile(plan, "utf8")).includes("TF_PASSWORD")).toBe(true);
  const missing = await shown(["apply", "--plan", plan, "--yes"]);
  expect(missing.code).toBe(3);
  expect(missing.text).toContain("the environment variable TF_PASSWORD is not set");
  expect((await shown(["apply", "--plan", plan, "--yes"], { TF_PASSWORD: canary })).code).toBe(0);
  expect(await isStored()).toBe(true);
});

test("a plan that needs no secret of the manifest is saved without it, and applied", async () => {
  await fixture.run(["apply", fixture.folder, "--yes"]);
  const plan = join(fixture.folder, "plan.json");
  const more = "---\nkind: Environment\nproject: shop\nname: other\ncluster: eu-west\n";
  await fixture.write("shop.yaml", network(plain, more));
  expect((await shown(["plan", file, "--out", plan])).code).toBe(0);
  expect(await readFile(plan, "utf8")).not.toContain(canary);
  expect((await shown(["apply", "--plan", plan, "--yes"])).text).toContain("Done: 1 created.");
  expect(await isStored()).toBe(true);
});

test("a source of a Terraform variable that is not secret is refused, because the API would show the value", async () => {
  await fixture.write("shop.yaml", network("[{ key: password, from_env: TF_PASSWORD }]"));
  const { code, text } = await shown(["plan", file], { TF_PASSWORD: canary });
  expect(code).toBe(3);
  expect(text).toContain("add secret: true");
});

test("the first secret of a kind that changes from visible to secret shows only its old value", async () => {
  await fixture.write("shop.yaml", network("[{ key: password, value: visible }]"));
  await shown(["apply", file, "--yes"]);
  await fixture.write("shop.yaml", network(`[{ key: password, value: ${canary}, secret: true }]`));
  expect((await shown(["plan", file])).text).toMatch(/tf_vars\[password\].secret +false -> true/);
  expect((await shown(["apply", file, "--yes"])).code).toBe(0);
  expect(await isStored()).toBe(true);
});

test("a value that is declared openly is not written over a secret variable, with or without another change", async () => {
  await fixture.run(["apply", file, "--yes"]);
  await fixture.takeRequests();
  const open = "[{ key: password, value: another }, { key: size, value: small }]";
  for (const rest of ["", "description: changed\n"]) {
    await fixture.write("shop.yaml", network(open, rest));
    const { code, text } = await shown(["apply", file, "--yes"]);
    expect(code).toBe(3);
    expect(text).toContain(
      "terraform_variables_source.tf_vars[password].value: it is a secret already, and writing the value would overwrite it",
    );
  }
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
  expect(await isStored()).toBe(true);
});

test("a secret variable that is to be shown is a loss, which protection forbids", async () => {
  await fixture.run(["apply", file, "--yes"]);
  const bare = "[{ key: password, value: another, secret: false }, { key: size, value: small }]";
  await fixture.write("shop.yaml", network(bare, "manage: { protect: true }\n"));
  const { code, text } = await shown(["apply", file, "--yes"]);
  expect(code).toBe(3);
  expect(text).toContain("the former value of the secret terraform_variables_source.tf_vars[password]");
  expect(await isStored()).toBe(true);
  await fixture.write("shop.yaml", network(bare));
  expect(await shown(["apply", file, "--yes"])).toMatchObject({ code: 0 });
});

test.each([
  ["a number for a text", network(`[{ key: password, value: 48151623, secret: true }]`)],
  ["an unknown member beside it", network(`[{ key: password, value: ${canary}, secret: true, kind: x }]`)],
  ["a wrong flag", network(`[{ key: password, value: ${canary}, secret: "yes" }]`)],
  ["a mistake elsewhere in the one line of the document", oneLine({ cpu: 5 })],
  ["a mistake that live state shows", oneLine({ environment: "shop/nowhere" })],
])("a mistake shows no value of a secret Terraform variable: %s", async (_, text) => {
  await fixture.write("shop.yaml", text);
  for (const output of ["text", "json"]) {
    const ran = await shown(["plan", file, "--output", output]);
    expect(ran.code).toBe(3);
    expect(ran.text.includes("48151623")).toBe(false);
  }
});

/** The manifests as JSON, each document in one line. */
function oneLine(members: object): string {
  const document = {
    kind: "Terraform",
    environment: "shop/staging",
    name: "network",
    terraform_files_source: { git_repository: { url: "https://github.com/acme/network" } },
    backend: { kubernetes: {} },
    engine: "TERRAFORM",
    provider_version: { explicit_version: "1.9" },
    job_resources: { cpu_milli: 500, ram_mib: 512, storage_gib: 1 },
    terraform_variables_source: { tf_vars: [{ key: "password", value: canary, secret: true }] },
    ...members,
  };
  return `${parents}${JSON.stringify(document)}\n`;
}

test("render prints the manifests as they are, the values of secret Terraform variables included", async () => {
  expect((await fixture.run(["render", file])).stdout).toContain(canary);
});

test("a secret Terraform variable is written again when its version changes, and the description stays that of the document", async () => {
  const at = (version: string) =>
    network(
      `[{ key: "a]=b", from_env: PASSWORD, secret: true${version} }, { key: size, value: small }]`,
      "description: the network\n",
    );
  await fixture.write("shop.yaml", at(""));
  await shown(["apply", file, "--yes"], { PASSWORD: "first" });
  await fixture.write("shop.yaml", at(', version: "2 ]"'));
  const { text } = await shown(["apply", file, "--yes"], { PASSWORD: canary });
  expect(text).toContain('tf_vars[a]=b].version  "" -> 2 ]');
  expect(text).not.toContain("may not keep");
  expect(await isStored()).toBe(true);
  expect((await shown(["plan", file])).text).toContain("No changes");
  expect((await shown(["dump", "terraform:shop/staging/network"])).text).toMatch(
    /description: the network\n[^]*version: "?2 \]"?\n/,
  );
  await fixture.write("shop.yaml", at(', version: "3"'));
  expect((await shown(["plan", file])).text).toContain('2 ] -> "3"');
});
