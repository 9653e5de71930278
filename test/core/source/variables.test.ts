import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeVariables, fillIn, Variables } from "../../../core/source/variables.ts";
import { readLayers } from "../manifests/manifest/layers.ts";
import { tries } from "../../fixtures/random-cases.ts";

const variables = new Variables(
  new Map([
    ["TAG", "1.5.0"],
    ["CPU", "250"],
    ["EMPTY", ""],
    ["ON", "true"],
    ["TEXT", "a: b # c"],
  ]),
);

describe("variables in a text are replaced", () => {
  const cases: [text: string, filled: string][] = [
    ["${TAG}", "1.5.0"],
    ["v${TAG}-${CPU}m", "v1.5.0-250m"],
    ["${NONE:-2}", "2"],
    ["${TAG:-2}", "1.5.0"],
    ["${EMPTY}", ""],
    ["${EMPTY:-x}", "x"],
    ["${NONE:-}", ""],
    ["${NONE:-a:-b c}", "a:-b c"],
    ["$${TAG}", "${TAG}"],
    ["$$${TAG}", "$${TAG}"],
    ["$TAG $ {TAG} {}", "$TAG $ {TAG} {}"],
  ];
  test.each(cases)("%s", (text, filled) => {
    expect(fillIn(text, variables)).toEqual({ text: filled });
  });
});

describe("a text with a mistake in its variables", () => {
  const cases: [text: string, message: string][] = [
    ["${NONE}", "the variable NONE is not set"],
    ["${}", '"${}" is not a reference to a variable'],
    ["${a b}", '"${a b}" is not a reference to a variable'],
    ["${TAG", '"${TAG" is not a reference to a variable'],
    ["${TAG:?oh}", '"${TAG:?oh}" is not a reference to a variable'],
    ["${TAG%%.*}", '"${TAG%%.*}" is not a reference to a variable'],
  ];
  test.each(cases)("%s", (text, message) => {
    expect(fillIn(text, variables)).toEqual({ mistake: expect.objectContaining({ message }) });
  });
});

test("any escaped text stands for itself", () => {
  const texts = fc.array(fc.constantFrom("$", "{", "}", "TAG", ":-", "a")).map((parts) => parts.join(""));
  fc.assert(
    fc.property(texts, (text) => {
      expect(fillIn(escapeVariables(text), variables)).toEqual({ text });
    }),
    { numRuns: tries(500) },
  );
});

describe("a value with a variable is read like the value of the variable", () => {
  const job = (fields: string) => `kind: Job\nenvironment: shop/staging\nname: nightly\n${fields}\n`;
  const values = { TAG: "1.5.0", CPU: "250", ON: "true", TEXT: "a: b # c", NULL: "null", DECIMAL: "1.10" };
  const cases: [written: string, read: string][] = [
    ["cpu: ${CPU}", "cpu: 250"],
    ["auto_deploy: ${ON}", "auto_deploy: true"],
    ['description: "${CPU}"', 'description: "250"'],
    ["description: ${TEXT}", 'description: "a: b # c"'],
    ["description: ${NULL}", 'description: "null"'],
    ["description: ${DECIMAL}", 'description: "1.10"'],
    ["description: $${CPU}", "description: $${CPU}"],
    ['description: "echo $${HOME}"', "description: echo $${HOME}"],
  ];
  test.each(cases)("%s", async (written, read) => {
    const said = await readLayers([job(written)], values);
    expect(said.problems).toBe("");
    expect(said.text).toBe(job(read));
  });

  test.each([
    ["name: x-${PR}", "1/x.yaml:3:7 the variable PR is not set"],
    ["description: ${NONE}", "1/x.yaml:4:14 the variable NONE is not set"],
    ["arguments: [a, '${}']", '1/x.yaml:4:16 "${}" is not a reference to a variable'],
    ["cpu: ${TAG}", '1/x.yaml:4:6 cpu must be a whole number, not the text "${TAG}"'],
  ])("%s", async (line, problem) => {
    const text = line.startsWith("name") ? job("cpu: 1").replace("name: nightly", line) : job(line);
    expect((await readLayers([text], values)).problems).toContain(problem);
  });

  test.each<[name: string, text: string, problems: string[]]>([
    [
      "an unset variable, a malformed one and other mistakes",
      job("cpu: ${NONE}\nmemroy: 1\nmemory: none\ndescription: ${TAG").replace("nightly", "x-${PR}"),
      [
        "1/x.yaml:3:7 the variable PR is not set",
        "1/x.yaml:4:6 the variable NONE is not set",
        '1/x.yaml:5:1 a Job has no field "memroy"',
        '1/x.yaml:6:9 memory must be a whole number, not the text "none"',
        '1/x.yaml:7:14 "${TAG" is not a reference to a variable',
      ],
    ],
    [
      "a value of a member that has to be there",
      job("source: { image: { registry: '${NONE}', image_name: 1 } }"),
      [
        "1/x.yaml:4:30 the variable NONE is not set",
        "1/x.yaml:4:53 source.image.image_name must be a text, not the number 1",
      ],
    ],
    ["the kind", job("cpu: none").replace("Job", "${NONE}"), ["1/x.yaml:1:7 the variable NONE is not set"]],
    [
      "the keys of two elements of a list",
      job("annotations_groups: ['${NONE}', '${NONE}']\ncpu: none"),
      [
        "1/x.yaml:4:22 the variable NONE is not set",
        "1/x.yaml:4:33 the variable NONE is not set",
        '1/x.yaml:5:6 cpu must be a whole number, not the text "none"',
      ],
    ],
    ["a whole document", "${NONE}", ["1/x.yaml:1:1 the variable NONE is not set"]],
  ])("all mistakes are reported together: %s", async (_name, text, problems) => {
    const said = await readLayers([text], values);
    const heads = said.problems.split("\n").filter((line) => line.startsWith("1/"));
    expect(heads.map((line) => line.replace(/;.*/, ""))).toEqual(problems);
  });

  test("variables in a key are not replaced", async () => {
    expect((await readLayers([job("${CPU}: 1")], values)).problems).toContain('no field "${CPU}"');
  });
});
