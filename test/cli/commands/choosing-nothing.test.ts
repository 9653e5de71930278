import { expect, test } from "vitest";
import { application, cronJob, shop } from "../../fixtures/manifests.ts";
import { useFixture, writesOf } from "../fixture.ts";

// A choice that matches nothing fails: whoever mistypes a name learns that nothing was done.

const fixture = useFixture();

/** Command lines with an address or a pattern that matches nothing; `MANIFEST` is the file with the manifests. */
const lines = [
  "apply MANIFEST --yes --target job:shop/staging/nigthly",
  "apply MANIFEST --yes --prune --target job:shop/staging/nigthly",
  "plan MANIFEST --target job:shop/staging/nigthly",
  "plan MANIFEST --prune --target shop/stagign/**",
  "plan MANIFEST --destroy --target shop/stagign/**",
  "plan MANIFEST --allow-replace job:shop/staging/nigthly",
  "apply MANIFEST --yes --allow-replace job:shop/staging/nigthly",
  "plan MANIFEST --rotate-secrets job:shop/staging/nigthly",
  "apply MANIFEST --yes --rotate-secrets job:shop/staging/nightly:KYE",
  "plan MANIFEST --set job:shop/staging/nigthly:cpu=750",
  "render MANIFEST --set job:shop/staging/nigthly:cpu=750",
  "destroy MANIFEST --yes --target job:shop/staging/nigthly",
  "destroy shop/stagign --yes --without-manifests",
  "destroy job:shop/staging/nigthly --yes --without-manifests",
  "deploy job:shop/staging/nigthly",
  "deploy shop/stagign",
  "restart application:shop/staging/apy",
  "stop shop/stagign --yes",
  "cancel shop/stagign",
  "rollback job:shop/staging/nigthly --yes",
  "rollback job:shop/staging/nigthly --update MANIFEST --dry-run",
  "promote shop/stagign shop/staging --dry-run",
  "status shop/stagign",
  "list shop/stagign/**",
  "list job:shop/staging/nigthly",
  "list shop/staging job:shop/staging/nigthly",
  "status shop/staging job:shop/staging/nigthly",
  "get shop/stagign",
  "get job:shop/staging/nigthly",
  "history shop/stagign",
  "logs job:shop/staging/nigthly",
  "diff shop/staging shop/stagign",
  "diff shop/stagign shop/staging",
  "dump shop/stagign",
  "dump shop/staging job:shop/staging/nigthly",
  "clone environment shop/stagign --name copy --yes",
  "clone job shop/staging/nigthly --to shop/staging --name copy --yes",
  "get clusters pariss",
  "explain Job.cpuu",
  "schema Jbo",
];

test("each command ends with exit code 3, and writes nothing", async () => {
  const documents = shop + cronJob("nightly", "secrets: { KEY: { from_env: KEY } }\n") + application("api");
  const manifest = await fixture.write("shop.yaml", documents);
  const env = { KEY: "value" };
  expect(await fixture.run(["apply", manifest, "--yes"], { env })).toMatchObject({ code: 0 });
  await fixture.takeRequests();
  for (const line of lines) {
    const words = line.split(" ").map((word) => word.replace("MANIFEST", manifest));
    const { code, stdout, stderr } = await fixture.run(words, { env });
    expect.soft(code, `${words.join(" ")}\n${stdout}${stderr}`).toBe(3);
    expect.soft(writesOf(await fixture.takeRequests()), words.join(" ")).toEqual([]);
  }
});

test.each([
  [
    ["--allow-infrastructure", "--confirm", "shop"],
    "no infrastructure that is declared or live has that name",
  ],
  [["--confirm", "paris"], "--allow-infrastructure is missing"],
])("a name that confirms nothing is told, whatever changes: %s", async (flags, why) => {
  const manifest = await fixture.write("shop.yaml", shop);
  const { code, stdout } = await fixture.run(["apply", manifest, "--yes", ...flags]);
  expect(code).toBe(0);
  expect(stdout).toContain(`has no effect: ${why}`);
});
