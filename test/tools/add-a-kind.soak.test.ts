// The recipe "Add a kind" of CONTRIBUTING, carried out in a copy of the checkout.
import { expect, test } from "vitest";
import { CheckoutCopy } from "../fixtures/checkout-copy.ts";

/** A kind that the emulator serves, whose creation says in its body where it is. */
const kind = `import { path } from "../../api/index.ts";
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
    description: text("Purpose.", { default: "" }),
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
if (actions.some(({ type }) => type !== "none")) throw new Error(JSON.stringify(actions));
process.exit();
`;

test("a kind by the recipe is generated, and converges", async () => {
  await using copy = await CheckoutCopy.make();
  await copy.edit([
    ["core/model/kinds/alert-receiver.ts", kind],
    ["core/model/kinds/registry.ts", 'import { alertReceiver } from "./alert-receiver.ts";\n', "import"],
    ["core/model/kinds/registry.ts", "  alertReceiver,\n", "  apiToken,"],
    ["apply.ts", apply],
  ]);
  for (const program of ["tools/checks.ts", "tools/generate.ts", "apply.ts"])
    expect(await copy.complaints(program)).toBe("");
  for (const page of ["manifests.md", "manifests/alertreceiver.md"])
    expect(await copy.read(`docs/reference/${page}`)).toContain("AlertReceiver");
});
