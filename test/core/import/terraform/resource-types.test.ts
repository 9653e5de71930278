import { expect, test } from "vitest";
import { typesOfKind } from "../../../../core/import/terraform/resource-types.ts";
import { kindOf, kinds } from "../../../../core/model/kinds/index.ts";

test("a kind without a type is one that the provider does not have", () => {
  expect(kinds.filter((kind) => typesOfKind(kind).length === 0).map(({ name }) => name)).toEqual([
    "DeploymentRule",
    "Backup",
    "AzureCredentials",
    "OnPremiseCredentials",
    "Webhook",
  ]);
  expect(typesOfKind(kindOf("AwsCredentials")).map(({ name }) => name)).toEqual([
    "qovery_aws_credentials",
    "qovery_eks_anywhere_vsphere_credentials",
  ]);
});
