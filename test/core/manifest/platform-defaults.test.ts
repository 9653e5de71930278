import { expect, test } from "vitest";
import { formatAddress } from "../../../core/address.ts";
import { leftToPlatform, parseManifest } from "../../../core/manifest/index.ts";

const environment = "environment: shop/staging";
const container = `kind: Container\n${environment}\nimage_name: a/web\ntag: "1"\nregistry: hub`;
const managed = `kind: Database\n${environment}\nname: orders\ntype: POSTGRESQL\nversion: "16"`;

test.each<[text: string, notes: [start: string, resources: string[]][]]>([
  [`${container}\nname: a\nauto_deploy: false`, []],
  [`${container}\nname: a\nclone: { from: shop/production/a }`, []],
  [
    `${container}\nname: a\n---\n${container.replace("Container", "Application").replace(/image_name.*/s, "git_repository: { url: https://github.com/acme/web }")}\nname: b`,
    [
      [
        "2 documents do not state auto_deploy: for a new resource, the platform sets true",
        ["container:shop/staging/a", "application:shop/staging/b"],
      ],
    ],
  ],
  [`${managed}\nmode: CONTAINER`, []],
  [
    `${managed}\nmode: MANAGED`,
    [
      [
        "1 document does not state instance_type: for a new resource, the platform refuses a managed database without one",
        ["database:shop/staging/orders"],
      ],
    ],
  ],
  [
    "kind: Cluster\nname: a\ncloud_provider: AWS\nregion: eu\nmin_running_nodes: 3\nmax_running_nodes: 9\ninstance_type: t3.large",
    [],
  ],
])("%s: %j", (text, expected) => {
  const { documents, problems } = parseManifest(text, "shop.yaml");
  expect(problems).toEqual([]);
  const notes = leftToPlatform(documents);
  expect(notes.map(({ resources }) => resources.map(formatAddress))).toEqual(
    expected.map(([, those]) => those),
  );
  for (const [index, { message }] of notes.entries()) expect(message).toContain(expected[index]?.[0]);
});
