import { describe, expect, test } from "vitest";
import { readLayers } from "./layers.ts";

const job = (fields: string) => `kind: Job\nenvironment: shop/staging\nname: nightly\n${fields}\n`;

describe("a document of a later source is merged over the one with the same address", () => {
  const cases: [name: string, base: string, overlay: string, result: string][] = [
    ["a field that both state", job("cpu: 500"), job("cpu: 250"), job("cpu: 250")],
    ["a field that one states", job("cpu: 500"), job("memory: 256"), job("cpu: 500\nmemory: 256")],
    [
      "members of an object",
      job("source:\n  image:\n    registry: hub\n    image_name: report\n    tag: '1'"),
      job("source:\n  image:\n    tag: '2'"),
      job('source:\n  image:\n    image_name: report\n    tag: "2"\n    registry: hub'),
    ],
    [
      "an alternative drops the other one",
      job("source:\n  image:\n    tag: '1'"),
      job("source:\n  docker:\n    dockerfile_path: Dockerfile"),
      job("source:\n  docker:\n    dockerfile_path: Dockerfile"),
    ],
    ["null stays: it resets what is live", job("cpu: 500"), job("cpu: null"), job("cpu: null")],
    ["a value over null", job("cpu: null"), job("cpu: 250"), job("cpu: 250")],
    [
      "names are the same in any case",
      job("cpu: 500"),
      job("cpu: 1").replace("nightly", "Nightly"),
      job("cpu: 1").replace("nightly", "Nightly"),
    ],
    [
      "members of manage",
      job("manage:\n  protect: true"),
      job("manage:\n  ignore: [cpu]"),
      job("manage:\n  protect: true\n  ignore:\n    - cpu").replace("name: nightly\n", "name: nightly\n"),
    ],
    [
      "the source of a clone",
      job("clone:\n  from: shop/production/a"),
      job("clone:\n  from: shop/production/b"),
      job("clone:\n  from: shop/production/b"),
    ],
  ];
  test.each(cases)("%s", async (_name, base, overlay, result) => {
    const said = await readLayers([base, overlay]);
    expect(said.problems).toBe("");
    expect(said.text).toBe(result);
  });
});

test("a set is as the overlay states it; an element keeps the undeclared members of the element with the same key", async () => {
  const application = (fields: string) =>
    `kind: Application\nenvironment: shop/staging\nname: web\n${fields}`;
  const said = await readLayers([
    application(
      "ports:\n  - { internal_port: 80, publicly_accessible: true, name: http }\n  - { internal_port: 90 }\n",
    ),
    application("ports:\n  - { internal_port: 80, publicly_accessible: false }\n"),
  ]);
  expect(said.text).toBe(
    application("ports:\n  - internal_port: 80\n    publicly_accessible: false\n    name: http\n"),
  );
});

test("three sources are merged in the given order", async () => {
  const said = await readLayers([job("cpu: 1\nmemory: 1\ngpu: 1"), job("cpu: 2\nmemory: 2"), job("cpu: 3")]);
  expect(said.text).toBe(job("cpu: 3\nmemory: 2\ngpu: 1"));
});

test("$remove removes a document of earlier sources, and a later source may declare it again", async () => {
  const remove = job("$remove: true");
  expect((await readLayers([job("cpu: 1"), remove])).documents).toEqual([]);
  expect((await readLayers([job("cpu: 1"), remove, job("memory: 2")])).text).toBe(job("memory: 2"));
});

test("the position of each member is in the last source that declares it", async () => {
  const { documents } = await readLayers([job("cpu: 1\nmemory: 2"), job("cpu: 3")]);
  const [document] = documents;
  const placeOf = (...path: string[]) => {
    const { file, line } = document?.position(path) ?? {};
    return `${file}:${line}`;
  };
  expect(placeOf("cpu")).toBe("2/x.yaml:4");
  expect(placeOf("memory")).toBe("1/x.yaml:5");
  expect(placeOf()).toBe("2/x.yaml:1");
});

describe("mistakes between sources", () => {
  const cases: [name: string, layers: string[], problem: string][] = [
    [
      "$remove of what no source declares",
      [job("cpu: 1"), job("$remove: true").replace("nightly", "nightli")],
      "2/x.yaml:4:10 Job shop/staging/nightli cannot be removed: no earlier source declares it; correct the name, remove the document, or name this source after the source that declares the resource",
    ],
    [
      "$remove in the first source",
      [job("$remove: true")],
      "1/x.yaml:4:10 Job shop/staging/nightly cannot be removed: no earlier source declares it; correct the name, remove the document, or name this source after the source that declares the resource",
    ],
    [
      "$remove beside fields",
      [job("cpu: 1"), job("$remove: true\ncpu: 2")],
      '2/x.yaml:5:1 "cpu" is not allowed together with $remove, which removes the resource; remove one of them',
    ],
    [
      "another kind",
      [job("cpu: 1"), job("cpu: 2").replace("Job", "Application")],
      "2/x.yaml:1:7 Application shop/staging/nightly is a Job at 1/x.yaml:1; an overlay cannot change the kind; write kind: Job, or remove the Job first with $remove: true",
    ],
  ];
  test.each(cases)("%s", async (_name, layers, problem) => {
    expect((await readLayers(layers)).problems).toBe(problem);
  });

  test("two documents with the same address in one source are not merged", async () => {
    expect((await readLayers([`${job("cpu: 1")}---\n${job("cpu: 2")}`])).documents).toHaveLength(2);
  });

  test("a document may have another kind after $remove of the first one", async () => {
    const overlay = `${job("$remove: true")}---\n${job("cpu: 2").replace("Job", "Application")}`;
    const said = await readLayers([job("cpu: 1"), overlay]);
    expect(said.problems).toBe("");
    expect(said.text).toBe(job("cpu: 2").replace("Job", "Application"));
  });
});
