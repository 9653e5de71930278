import fc from "fast-check";
import { expect, test } from "vitest";
import { kindOf } from "../../../../core/model/kinds/index.ts";
import { formatManifest, parseManifest } from "../../../../core/manifests/manifest/index.ts";
import { arbitraryManifest } from "./random-manifests.ts";
import { tries } from "../../../fixtures/random-cases.ts";

test("a formatted manifest parses to the same value", () => {
  fc.assert(
    fc.property(arbitraryManifest, (manifest) => {
      const { documents, problems } = parseManifest(formatManifest(manifest), "written.yaml");
      expect(problems).toEqual([]);
      expect(documents).toEqual([{ ...manifest, position: expect.any(Function) }]);
    }),
    { numRuns: tries(300) },
  );
});

test("a key that is long only because of escapes parses to the same key", () => {
  const key = `a${"\ufeff".repeat(500)}`;
  const autoscaling = {
    mode: "KEDA",
    scalers: [{ scaler_type: "cpu", role: "PRIMARY", config_json: { [key]: { [key]: 1 } } }],
  };
  const content = {
    kind: kindOf("Application"),
    name: "web",
    parent: "shop/staging",
    fields: { autoscaling },
  };
  const text = formatManifest(content);
  expect(text).not.toContain("\ufeff");
  const { documents, problems } = parseManifest(text, "written.yaml");
  expect(problems).toEqual([]);
  expect(documents).toMatchObject([content]);
});

test.each([" \n", "  \n\n", "\n \n", " \nx"])("the text %j keeps its blanks", (description) => {
  const content = {
    kind: kindOf("Project"),
    name: "shop",
    parent: undefined,
    manage: {},
    fields: { description },
  };
  expect(parseManifest(formatManifest(content), "written.yaml").documents).toMatchObject([content]);
});

test("members are in the order of the schema, long texts are blocks, and texts that YAML 1.1 would misread are quoted", () => {
  const text = formatManifest({
    kind: kindOf("Job"),
    name: "1.10",
    parent: "shop/staging",
    manage: { protect: true, ignore: ["auto_deploy"] },
    clone: { from: "shop/production/1.10" },
    fields: {
      memory: 512,
      cpu: 500,
      schedule: {
        cronjob: { arguments: ["yes", "12:30", "0x10", ""], timezone: "UTC", scheduled_at: "0 3 * * *" },
      },
      description: null,
      source: {
        docker: {
          dockerfile_raw: "FROM alpine\n\nRUN echo  hello \n",
          git_repository: { url: `https://github.com/${"a".repeat(100)}` },
        },
      },
    },
  });
  expect(text).toMatchInlineSnapshot(`
    "kind: Job
    environment: shop/staging
    name: "1.10"
    manage:
      protect: true
      ignore:
        - auto_deploy
    clone:
      from: shop/production/1.10
    description: null
    source:
      docker:
        git_repository:
          url: https://github.com/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        dockerfile_raw: |
          FROM alpine

          RUN echo  hello 
    schedule:
      cronjob:
        scheduled_at: 0 3 * * *
        timezone: UTC
        arguments:
          - "yes"
          - "12:30"
          - "0x10"
          - ""
    cpu: 500
    memory: 512
    "
  `);
});

test("a manifest without fields", () => {
  expect(
    formatManifest({ kind: kindOf("Project"), name: "shop", parent: undefined, manage: {}, fields: {} }),
  ).toBe("kind: Project\nname: shop\n");
});
