import { expect, test } from "vitest";
import { formatAddress, parseAddress } from "../../../../core/model/addresses/address.ts";
import { awaitingDeployment, type Outcome } from "../../../../core/execution/execute/index.ts";

function outcome(type: Outcome["type"], text: string, more: Partial<Outcome> = {}): Outcome {
  const address = parseAddress(text);
  if (!address) throw new Error(text);
  return { id: `${type} ${text}`, address, type, status: "done", ...more };
}

test.for([
  ["what was created", [outcome("create", "job:s/e/a")], ["job:s/e/a"]],
  [
    "a resource that was changed twice, once",
    [outcome("update", "job:s/e/a"), outcome("update", "job:s/e/a")],
    ["job:s/e/a"],
  ],
  [
    "not what is nothing to deploy",
    [outcome("create", "project:s"), outcome("update", "environment:s/e")],
    [],
  ],
  [
    "not what was deleted, unchanged, failed or done by another",
    [
      outcome("delete", "job:s/e/a"),
      outcome("none", "job:s/e/b"),
      outcome("update", "job:s/e/c", { status: "failed" }),
      outcome("update", "job:s/e/d", { already: true }),
    ],
    [],
  ],
  ["not what the run has deployed", [outcome("update", "job:s/e/a"), outcome("deploy", "job:s/e/a")], []],
  [
    "a cloned environment as a whole",
    [outcome("clone", "environment:s/e"), outcome("update", "job:s/e/a")],
    ["environment:s/e"],
  ],
  [
    "nothing of a cloned environment that was deployed",
    [
      outcome("clone", "environment:s/e"),
      outcome("update", "job:s/e/a"),
      outcome("deploy", "environment:s/e"),
    ],
    [],
  ],
] as const)("reports what awaits a deployment: %s", ([, outcomes, waiting]) => {
  expect(awaitingDeployment({ outcomes: [...outcomes] }).map(formatAddress)).toEqual(waiting);
});
