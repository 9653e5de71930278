import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { commands } from "../../cli/commands/index.ts";
import { knownVariables, credentialIn } from "../../core/redaction/environment-variables.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { useFixture } from "./fixture.ts";

const fixture = useFixture();

/** A secret for a place where one is configured. */
const canaryFor = (place: string) =>
  `c4nary-${createHash("sha256").update(place).digest("hex").slice(0, 12)}`;

/** The variables that have something to hide. */
const configured = [...knownVariables, "INFRASYNC_SOURCE_TOKEN_SHOP", "INFRASYNC_SOURCE_TOKEN_SHOP_FILE"]
  .concat("HTTPS_PROXY", "http_proxy")
  .filter((variable) => credentialIn(variable) !== undefined);

/** An environment with a canary in each place. The files with URLs and the others have theirs too. */
async function everywhere(): Promise<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const variable of configured) {
    const canary = canaryFor(variable);
    const content = /NOTIFY_URL/.test(variable)
      ? `https://hooks.example.com/services/${canary}`
      : /DATABASE|LEDGER/.test(variable)
        ? `postgres://infrasync:${canary}@db.example.com/infrasync`
        : credentialIn(variable) === "address"
          ? `https://somebody:${canary}@127.0.0.1:9`
          : canary;
    env[variable] = variable.endsWith("_FILE") ? await fixture.write(variable, `${content}\n`) : content;
  }
  return env;
}

const canaries = configured.map(canaryFor);

function expectNone(output: string, what: string): void {
  for (const variable of configured)
    expect(output, `${what}: ${variable}`).not.toContain(canaryFor(variable));
}

test("every variable whose name tells of a credential is known as one", () => {
  const plain = new Set(["INFRASYNC_TOKEN_NAME", "INFRASYNC_TOKEN_SCHEME", "INFRASYNC_SECRETS_DIR"]);
  const telling = knownVariables.filter((name) =>
    /TOKEN|SECRET|KEY|URL|API$|DATABASE|LEDGER|REPO$/.test(name),
  );
  expect(telling.filter((name) => credentialIn(name) === undefined && !plain.has(name))).toEqual([]);
});

test.each(commands.map(({ name }) => name))(
  "%s shows no credential that is configured, whatever it is asked",
  async (name) => {
    const env = await everywhere();
    const file = await fixture.write("tok.yaml", canaries.map((canary) => `${canary}: 1\n`).join("---\n"));
    for (const args of [[file], canaries, [`--${canaries.join("")}`], ["--config", file, file]]) {
      const { stdout, stderr } = await fixture.run([name, ...args], {
        env: { ...env, CI: "true" },
        signal: AbortSignal.timeout(5_000),
      });
      expectNone(stdout + stderr, args.join(" "));
    }
  },
);

test.each(["validate", "render", "plan", "dump --update", "apply --yes", "reconcile --dry-run"])(
  "%s shows no secret that a document names, and no password of the settings file",
  async (line) => {
    const secret = await fixture.write("secret", "c4nary-of-a-file\n");
    await fixture.write(
      "infrasync.config.yaml",
      "base_url: https://somebody:c4nary-of-settings@127.0.0.1:9\nc4nary-of-a-file: 1\n",
    );
    const file = await fixture.write(
      "shop.yaml",
      shop +
        job("a", `secrets: { A: { from_env: SHOP_A }, B: { from_file: ${secret} } }`) +
        job("b", "c4nary-of-a-variable: c4nary-of-a-file"),
    );
    const { stdout, stderr } = await fixture.run([...line.split(" "), file], {
      env: { SHOP_A: "c4nary-of-a-variable", INFRASYNC_BASE_URL: undefined },
    });
    expect(stdout + stderr).not.toMatch(/c4nary/);
  },
);

test("a value that documents declare in plain text too stays visible: names of environments are no secrets", async () => {
  const file = await fixture.write("shop.yaml", shop + job("a", "secrets: { A: { from_env: SHOP_A } }"));
  const { stdout } = await fixture.run(["render", file], { env: { SHOP_A: "staging-database" } });
  expect(stdout).toContain("staging");
});
