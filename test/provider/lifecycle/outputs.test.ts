import { expect, test } from "vitest";
import { application } from "../../../core/model/kinds/application.ts";
import { environment } from "../../../core/model/kinds/environment.ts";
import type { Kind } from "../../../core/model/kinds/index.ts";
import { project } from "../../../core/model/kinds/project.ts";
import { toLive } from "../../../core/state/live/index.ts";
import { readInputs } from "../../../provider/lifecycle/inputs.ts";
import { memoryOf, outputsOf, recall } from "../../../provider/lifecycle/outputs.ts";

const memory = (kind: Kind) => memoryOf(readInputs(kind, { name: "x" }));
const outputs = (kind: Kind, response: object, known = {}) =>
  outputsOf(toLive(kind, { id: "an-id", name: "x", ...response }, "parent"), memory(kind), known);

test("a field that the server omits has its default", () => {
  expect(outputs(project, { created_at: "then" })).toEqual({
    name: "x",
    organization: "parent",
    description: "",
    variables: {},
    secrets: {},
    createdAt: "then",
    __stated: "{}",
  });
});

test("outputs contain no ids of elements and no values that change by themselves", () => {
  const port = { id: "of-the-port", internal_port: 8080, publicly_accessible: true };
  const reported = outputs(application, { updated_at: "now", ports: [port] });
  expect(reported).not.toHaveProperty("updatedAt");
  expect(reported["ports"]).toEqual([{ internalPort: 8080, publiclyAccessible: true }]);
});

test("a name that the server does not repeat is kept as long as the id is the same", () => {
  const known = { cluster: { id: "cluster-1", name: "eu-west" } };
  expect(outputs(environment, { cluster_id: "cluster-1" }, known)["cluster"]).toEqual(known.cluster);
  expect(outputs(environment, { cluster_id: "cluster-2" }, known)["cluster"]).toEqual({ id: "cluster-2" });
  const groups = { labels_groups: [{ id: "a", name: "team" }] };
  expect(outputs(application, { labels_groups: [{ id: "b" }, { id: "a" }] }, groups)["labelsGroups"]).toEqual(
    [{ id: "b" }, { id: "a", name: "team" }],
  );
});

test.each(["{", "null", '"cpu"'])(
  "a damaged state, with the shape %s, counts as one that declares nothing",
  (shape) => {
    expect(recall({ __stated: shape }).shape).toEqual({});
  },
);
