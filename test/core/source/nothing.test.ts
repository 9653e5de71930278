import { describe, expect, test } from "vitest";
import { parseManifest } from "../../../core/manifests/manifest/index.ts";
import { readSettingsText } from "../../../core/manifests/settings/file.ts";
import { parseVariableFile } from "../../../core/source/variable-file.ts";

/** Forms of a member of a mapping in which nothing is written. */
const nothing = [
  "LOG:",
  "LOG: # ops",
  "LOG: !!str",
  "LOG: !!str # ops",
  "LOG: !!null",
  "LOG: !",
  "LOG: !<tag:yaml.org,2002:str>",
  "LOG: &anchor",
  "LOG: &anchor !!str",
  "LOG: &anchor\n  B: *anchor",
  "LOG: !!str &anchor\n  B: *anchor",
  "LOG: |",
  "LOG: >-",
  "? LOG",
  "? LOG\n  :",
  "? LOG\n  : !!str",
  "{ LOG: , B: x }",
  "{ LOG: !!str , B: x }",
  "{ LOG, B: x }",
  "{ LOG: }",
];

/** Forms of an empty text, of the text `null`, and of a null. */
const written: [text: string, value: unknown][] = [
  ['LOG: ""', { value: "" }],
  ["LOG: ''", { value: "" }],
  ['LOG: !!str ""', { value: "" }],
  ["LOG: !!str null", { value: "null" }],
  ["LOG: null", null],
  ["LOG: ~", null],
  ["LOG: !!null null", null],
];

const document = (member: string) =>
  parseManifest(`kind: Project\nname: shop\nvariables:\n  ${member}\n`, "x.yaml");

describe.each(nothing)("%j", (member) => {
  test("is an error in a document, an overlay, defaults, settings and a variable file", async () => {
    const found = [
      document(member),
      parseManifest(`kind: Defaults\nproject: shop\nfor: Job\nvariables:\n  ${member}\n`, "x.yaml"),
      await readSettingsText(`variables:\n  ${member}\n`, "x.yaml"),
    ];
    for (const { problems } of found)
      expect(problems.map(({ message }) => message)).toContain("variables.LOG has no value");
    const { problems, values } = parseVariableFile(member.replaceAll("\n  ", "\n"), "x.yaml");
    expect(problems[0]?.message).toContain("the value of the variable LOG must be");
    expect(values.has("LOG")).toBe(false);
  });
});

test.each(written)("%j is written", (member, value) => {
  expect(document(member)).toMatchObject({
    problems: [],
    documents: [{ fields: { variables: { LOG: value } } }],
  });
});
