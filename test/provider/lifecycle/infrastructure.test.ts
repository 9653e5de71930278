import { expect, test } from "vitest";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const allowed = { "infrasync:allowInfrastructure": "keys, PARIS" };
const keys = { name: "keys", type: "AWS_STATIC", accessKeyId: "A", secretAccessKey: "first-canary" };
const access = (secretKey: string) => ({
  name: "secrets",
  endpoint: { mode: "AWS_SECRET_MANAGER", region: "eu-west-3" },
  authentication: { mode: "AWS_STATIC_CREDENTIALS", accessKey: "AKIA", secretKey },
});
const paris = {
  name: "paris",
  region: "eu-west-3",
  cloudProvider: "AWS",
  cloudProviderCredentials: { credentials: "keys" },
  dnsProvider: {
    provider: "CLOUDFLARE",
    domain: "acme.example",
    email: "ops@acme.example",
    apiToken: "second-canary",
  },
  secretManagerAccesses: [access("third-canary")],
  argoCd: { argocdUrl: "https://argo.acme.example", argocdToken: "fourth-canary" },
  argoCdMappings: { "https://kubernetes.default.svc": {} },
};

test("infrastructure is neither created, changed nor deleted without a setting that names it, and nothing is sent", async () => {
  const entry = await (await staging.pass(allowed)).create("AwsCredentials", keys);
  await staging.server.forgetRequests();
  for (const names of ["", "others"]) {
    const config = { "infrasync:allowInfrastructure": names };
    const refused = await staging.pass(config);
    await expect(refused.create("AwsCredentials", { ...keys, name: "more" })).rejects.toThrow(
      "awscredentials:more would be created: that costs money, or takes down what runs on it; allow it: name more in infrasync:allowInfrastructure (or INFRASYNC_ALLOW_INFRASTRUCTURE)",
    );
    await expect((await staging.pass(config)).update(entry, { ...keys, accessKeyId: "B" })).rejects.toThrow(
      "awscredentials:keys would be updated",
    );
    await expect((await staging.pass(config)).remove(entry)).rejects.toThrow("would be deleted");
  }
  expect(await staging.server.writes()).toEqual([]);
});

test("infrastructure that gets another name is changed only if the setting contains both names", async () => {
  const entry = await (await staging.pass(allowed)).create("AwsCredentials", keys);
  const renamed = { ...keys, name: "spare" };
  for (const names of ["keys", "spare"]) {
    const refused = await staging.pass({ "infrasync:allowInfrastructure": names });
    await expect(refused.update(entry, renamed)).rejects.toThrow("would be updated");
  }
  const both = await staging.pass({ "infrasync:allowInfrastructure": "keys, spare" });
  await expect(both.update(entry, renamed)).resolves.toBeDefined();
});

test("a cluster with credentials, DNS provider and Argo CD is created, stays as it is, changes, and goes", async () => {
  const pass = async () => staging.pass(allowed);
  const credentials = await (await pass()).create("AwsCredentials", keys);
  const cluster = await (await pass()).create("Cluster", paris);
  expect((await pass()).diff(cluster, paris)).toMatchObject({ changes: false });
  const refreshed = await (await pass()).refresh(cluster);
  expect(refreshed && (await pass()).diff(refreshed, paris)).toMatchObject({ changes: false });

  const changed = { ...paris, dnsProvider: { ...paris.dnsProvider, apiToken: "fifth-canary" } };
  expect((await pass()).diff(cluster, changed)).toMatchObject({ changes: true, replaces: [] });
  await staging.server.forgetRequests();
  const updated = await (await pass()).update(cluster, changed);
  expect(
    (await staging.server.writes()).map(({ method, path }) => `${method} ${path.split("/").at(-1)}`),
  ).toEqual(["PUT dnsProvider"]);
  expect((await pass()).diff(updated, changed)).toMatchObject({ changes: false });

  const other = { ...changed, secretManagerAccesses: [access("sixth-canary")] };
  expect((await pass()).diff(updated, other)).toMatchObject({ changes: true, replaces: [] });
  const last = await (await pass()).update(updated, other);
  expect((await pass()).diff(last, other)).toMatchObject({ changes: false });

  await (await pass()).remove(last);
  await (await pass()).remove(credentials);
});
