// The recipe "Add a kind" of CONTRIBUTING, carried out in a copy of the checkout.
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const checkout = path.join(import.meta.dirname, "..", "..");
const run = promisify(execFile);

/** A kind that the emulator serves, whose creation says in its body where it is. */
const kind = `import { path } from "../api/index.ts";
import { choice, flag, needed, object, text } from "../schema/field.ts";
import { defineKind } from "./kind.ts";
import { organizationKind } from "./organization-kind.ts";

/**
 * \`\`\`yaml
 * kind: AlertReceiver
 * name: on-call
 * type: SLACK
 * \`\`\`
 */
export const alertReceiver = defineKind({
  name: "AlertReceiver",
  description: "Who gets alerts.",
  ...organizationKind("alert-receivers"),
  requests: { create: () => "/alert-receivers", one: (id) => \`/alert-receivers\${path\`/\${id}\`}\` },
  fields: object({
    description: text("What it is for.", { default: "" }),
    type: needed(choice(["SLACK"], "Form of the messages.")),
    send_resolved: flag("Whether the end of an alert is told.", { default: true, alwaysSent: true }),
  }),
  form: {
    finishBody: ({ description = "", ...fields }, how, parentId) => ({
      ...fields,
      description,
      ...(how === "create" && { organization_id: parentId }),
    }),
  },
});
`;

const apply = `import { Harness } from "./test/fixtures/harness.ts";
const harness = await Harness.start();
const receiver = "kind: AlertReceiver\\nname: on-call\\ntype: SLACK\\n";
await harness.reconcile(receiver);
const { actions } = await harness.plan(receiver);
console.log(actions.map(({ type }) => type).join());
process.exit();
`;

test("a kind by the recipe is generated, and converges", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "infrasync-kind-"));
  try {
    const { stdout: files } = await run("git", ["ls-files"], { cwd: checkout, maxBuffer: 1e7 });
    for (const name of new Set(
      files
        .trim()
        .split("\n")
        .map((file) => file.split("/")[0] ?? ""),
    ))
      await cp(path.join(checkout, name), path.join(folder, name), { recursive: true });
    await symlink(path.join(checkout, "node_modules"), path.join(folder, "node_modules"));
    await writeFile(path.join(folder, "core/kinds/alert-receiver.ts"), kind);
    const registry = path.join(folder, "core/kinds/registry.ts");
    const before = await readFile(registry, "utf8");
    const imported = `import { alertReceiver } from "./alert-receiver.ts";\n${before}`;
    await writeFile(registry, imported.replace(/\n {2}apiToken,/, "\n  alertReceiver,\n  apiToken,"));
    await writeFile(path.join(folder, "apply.ts"), apply);
    for (const program of ["tools/checks.ts", "tools/generate.ts"])
      await run(process.execPath, [program], { cwd: folder });
    for (const page of ["manifests.md", "manifests/alertreceiver.md"])
      expect(await readFile(path.join(folder, "docs/reference", page), "utf8")).toContain("AlertReceiver");
    expect((await run(process.execPath, ["apply.ts"], { cwd: folder })).stdout.trim()).toBe("none");
  } finally {
    await rm(folder, { recursive: true });
  }
});
