import { expect, test } from "vitest";
import { importBlocks } from "../../../../core/import/terraform/import-blocks.ts";
import type { DumpedDocument } from "../../../../core/import/live/index.ts";
import type { Fields } from "../../../../core/values/json.ts";
import { kindOf } from "../../../../core/model/kinds/index.ts";

const document = (kind: string, name: string, parent?: string, fields: Fields = {}): DumpedDocument => ({
  kind: kindOf(kind),
  parent,
  name,
  fields,
  ids: { own: "own-id", parent: "parent-id" },
});

const block = (to: string, id: string) => `import {\n  to = ${to}\n  id = "${id}"\n}`;

test.each<[DumpedDocument, string, string]>([
  [document("Project", "shop"), "qovery_project.shop", "own-id"],
  [document("Environment", "staging", "shop"), "qovery_environment.shop_staging", "own-id"],
  [document("Job", "night ly/1", "shop/staging"), "qovery_job.shop_staging_night_ly_1", "own-id"],
  [document("Terraform", "net", "shop/staging"), "qovery_terraform_service.shop_staging_net", "own-id"],
  [
    document("DeploymentStage", "late", "shop/staging"),
    "qovery_deployment_stage.shop_staging_late",
    "parent-id,late",
  ],
  [document("Organization", "acme"), "qovery_organization.acme", "own-id"],
  [document("GitToken", "1bot"), "qovery_git_token._1bot", "acme-id,own-id"],
  [document("Cluster", "eu-west"), "qovery_cluster.eu-west", "acme-id,own-id"],
  [
    document("Member", "ada@acme.example"),
    "qovery_organization_member.ada_acme_example",
    "acme-id,ada@acme.example",
  ],
  [
    document("AwsCredentials", "aws", undefined, { type: "AWS_ROLE" }),
    "qovery_aws_credentials.aws",
    "acme-id,own-id",
  ],
  [
    document("AwsCredentials", "aws", undefined, { type: "EKS_ANYWHERE_VSPHERE_ROLE" }),
    "qovery_eks_anywhere_vsphere_credentials.aws",
    "acme-id,own-id",
  ],
  [
    document("DeploymentStage", '${a} %{b} "', "p/e"),
    "qovery_deployment_stage.p_e__a_b_",
    'parent-id,$${a} %%{b} \\"',
  ],
])("%o is imported", (one, to, id) => {
  expect(importBlocks([one], "acme-id")).toBe(block(to, id));
});

test.each(["LabelsGroup", "AnnotationsGroup"])(
  "an import of a %s has a comment: it may end with 404",
  (kind) => {
    const lines = importBlocks([document(kind, "team")], "acme-id").split("\n");
    expect(lines[0]).toMatch(
      /^# The import of a qovery_\w+_group has no place for the organization, so it may end with 404/,
    );
    expect(lines.slice(2).join("\n")).toBe(
      block(`qovery_${kind === "LabelsGroup" ? "labels" : "annotations"}_group.team`, "own-id"),
    );
  },
);

test("a kind that the provider lacks has a comment, and no type", () => {
  expect(importBlocks([document("AzureCredentials", "azure")], "acme-id")).toBe(
    '# AzureCredentials "azure": the provider has no such resource',
  );
});

test("a token, which Terraform replaces for any difference, has a warning above its block", () => {
  const [first, second, ...rest] = importBlocks([document("ApiToken", "ci")], "acme-id").split("\n");
  expect(first).toContain("# Terraform replaces a qovery_api_token for any difference");
  expect(second).toBe('# Apply only if its plan says "0 to destroy".');
  expect(rest.join("\n")).toBe(block("qovery_api_token.ci", "acme-id,own-id"));
});

test("names that would be one get numbers, and kinds that the provider lacks are comments", () => {
  const documents = [
    document("Job", "a.b", "shop/staging"),
    document("Job", "a b", "shop/staging"),
    document("Webhook", "deploys\n}"),
  ];
  expect(importBlocks(documents, "acme-id")).toBe(
    [
      block("qovery_job.shop_staging_a_b", "own-id"),
      block("qovery_job.shop_staging_a_b_2", "own-id"),
      '# Webhook "deploys\\n}": the provider has no such resource',
    ].join("\n\n"),
  );
});
