import { expect, test } from "vitest";
import { chosenFrontEnds } from "./front-ends.ts";
import type { Run } from "./pulumi-run.ts";
import { secretPrograms } from "../lifecycle/secret-programs.ts";
import { program, start } from "./shop.ts";

test.for(chosenFrontEnds)(
  "$name: no state, log, event or preview contains the token, an input that the program marks as secret, or a value of the input `secrets`, of a secret Terraform variable or of a new API token",
  async (frontEnd, context) => {
    const canaries = [
      "canary-of-the-job-1",
      "canary-of-the-job-2",
      "canary-of-terraform-3",
      "canary-of-terraform-4",
      "canary-of-the-arguments-5",
    ];
    const [first = "", second = "", third = "", fourth = ""] = canaries;
    // Those of services and of what contains them are in the program below.
    const others = Object.entries(secretPrograms).filter(([path]) => !/^Terraform|\.secrets$/.test(path));
    const kindsOfOthers = [...new Set(others.map(([path]) => path.split(".")[0] ?? ""))];
    const resource = (path: string, index: number) => `${path.split(".")[0]} of-${index}`;
    const othersWith = (value: string) =>
      others
        .map(([path, inputs], index) => {
          const [kind, name] = resource(path, index).split(" ");
          return `new ${kind}("${name}", ${JSON.stringify({ name, ...inputs(`${value}-of-${index}`) })});`;
        })
        .join("\n");
    const withSecrets = (
      value: string,
      variable: string,
    ) => `import { Terraform, ${kindsOfOthers.join(", ")} } from "infrasync/provider";
import * as pulumi from "@pulumi/pulumi";
${program(`
  const shop = new Project("shop", { name: "shop" });
  const staging = new Environment("staging", { project: shop.id, name: "staging" });
  new Job("nightly", {
    environment: staging.id, name: "nightly",
    source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
    schedule: { onStart: { arguments: pulumi.secret(["--password", "canary-of-the-arguments-5"]) } },
    secrets: { PASSWORD: "${value}" },
    variables: { MAIL_PASSWORD: { aliasOf: "PASSWORD" } },
  });
  export const token = new ApiToken("ci", { name: "ci", role: "Deploy" }).token;
  export const network = new Terraform("network", {
    environment: staging.id, name: "network",
    terraformFilesSource: { gitRepository: { url: "https://github.com/acme/network" } },
    backend: { kubernetes: {} }, engine: "TERRAFORM", providerVersion: { explicitVersion: "1.9" },
    jobResources: { cpuMilli: 500, ramMib: 512, storageGib: 1 },
    terraformVariablesSource: { tfVars: [
      { key: "password", value: "${variable}", secret: true }, { key: "size", value: "small" },
    ] },
  });
  ${othersWith(value)}
`)}`;
    // A process warns once of a token that is not secret.
    const { server, stack } = await start(context, withSecrets(first, third), {}, frontEnd, {
      usesLanguageHost: true,
    });
    const { INFRASYNC_TOKEN: ownToken = "" } = stack.environment;
    canaries.push(ownToken);
    delete stack.environment["INFRASYNC_TOKEN"];
    await stack.configure("infrasync:token", ownToken, { secret: true });
    const owners = others.map((_other, index) => `of-${index}`).join(",");
    await stack.configure("infrasync:allowInfrastructure", owners, { secret: false });
    const changes = [
      "update Job nightly",
      "update Terraform network",
      ...others.map(([path], index) => `update ${resource(path, index)}`),
    ].toSorted();
    const seen: string[] = [];
    const keep = (run: Run): void => {
      expect(run).toMatchObject({ exitCode: 0, errors: [] });
      const shown = run.events.filter(({ diagnosticEvent }) => diagnosticEvent?.prefix !== "debug: ");
      seen.push(run.stdout, run.stderr, JSON.stringify(shown));
    };
    keep(await stack.preview("--diff"));
    keep(await stack.up("--diff"));
    seen.push((await stack.export()).text);
    await stack.rewrite(withSecrets(second, fourth));
    // The server quotes what it has got.
    const quoted = others.map((_other, index) => `${second}-of-${index}`).join(" ");
    const fault = { method: "PUT", path: "/organization/**", status: 400, body: { message: quoted } };
    await server.api("POST", "/_emulator/faults", [fault]);
    const failed = await stack.up("--diff", "--continue-on-error");
    expect(failed.errors).not.toEqual([]);
    seen.push(failed.stdout, failed.stderr, (await stack.export()).text);
    await server.api("DELETE", "/_emulator/faults");
    await stack.rewrite(withSecrets(`${first}-again`, `${third}-again`));
    const preview = await stack.preview("--diff");
    expect(preview.steps.toSorted()).toEqual(changes);
    expect(JSON.stringify(preview.events)).toContain(
      String.raw`secrets.PASSWORD of the Job \"nightly\" changes`,
    );
    keep(preview);
    const changed = await stack.up("--diff");
    expect(changed.steps.toSorted()).toEqual(changes);
    keep(changed);
    keep(await stack.refresh("--diff"));
    const { text: state } = await stack.export();
    seen.push(state);
    const again = await stack.up("--diff");
    expect(again.steps).toEqual([]);
    keep(again);
    const { stdout } = await stack.shell("pulumi stack output token --show-secrets", "");
    const token = stdout.trim();
    const answer = await fetch(`${server.emulator.url}/organization`, {
      headers: { authorization: `Token ${token}` },
    });
    expect(answer.status).toBe(200);
    canaries.push(token);
    // Not with a matcher: its failure message would print the secrets.
    expect(canaries.filter((canary) => seen.some((part) => part.includes(canary)))).toHaveLength(0);
    expect(state.includes("ciphertext")).toBe(true);
    expect(seen.join("").includes("[secret]")).toBe(true);
    expect((await server.everything()).get("shop/staging/JOB nightly")).toMatchObject({
      schedule: { on_start: { arguments: ["--password", "canary-of-the-arguments-5"] } },
    });
    expect((await server.everything()).get("shop/staging/TERRAFORM network")).toMatchObject({
      terraform_variables_source: {
        tf_vars: [
          { key: "password", secret: true },
          { key: "size", value: "small" },
        ],
      },
    });

    // The state has an old token: the token in the environment has precedence.
    await stack.configure("infrasync:token", "an-old-token", { secret: false });
    const warned = await stack.preview();
    // The engine does not tell the plugin which values of the configuration are secret.
    expect(warned.stdout.includes("pulumi config set --secret infrasync:token")).toBe(
      frontEnd.name !== "plugin",
    );
    stack.environment["INFRASYNC_TOKEN"] = ownToken;
    expect(await stack.destroy()).toMatchObject({ exitCode: 0, errors: [] });
  },
);
