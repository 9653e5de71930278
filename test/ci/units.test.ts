import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { stepCommand, tokenInputs } from "../../ci/inputs.ts";
import { isForBranch, planBase, planDescription, planRecord } from "../../ci/status-text.ts";
import { headWithHistory } from "../../ci/git.ts";
import type { Io } from "../../cli/terminal/io.ts";
import { declarationOf, declareInputs } from "../../cli/commands/declaration.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";

const digest = "0123456789abcdef".repeat(4);

function declared(): Command {
  const line = new Command();
  declareInputs(line, declarationOf("ci"));
  return line;
}

test("inputs are flags of the same names; tokens go into variables", () => {
  const command = stepCommand(declared(), {
    INPUT_MODE: "apply",
    INPUT_PATH: " manifests\nmore manifests\n\n",
    "INPUT_MAX-DELETES": "-3",
    INPUT_TARGET: "job:a/b/*\nshop/**",
    INPUT_PRUNE: "true",
    INPUT_STRICT: "false",
    INPUT_ORGANIZATION: "",
    INPUT_TOKEN: "api-canary",
    "INPUT_GIT-HOST-TOKEN": "git-host-canary",
    INPUT_UNKNOWN: "x",
  });
  expect(command).toEqual({
    args: [
      "apply",
      "--target=job:a/b/*",
      "--target=shop/**",
      "--prune",
      "--max-deletes=-3",
      "--",
      "manifests",
      "more manifests",
    ],
    env: { INFRASYNC_TOKEN: "api-canary", INFRASYNC_GIT_HOST_TOKEN: "git-host-canary" },
  });
  expect(stepCommand(declared(), {}).args).toEqual(["plan", "--"]);
});

test("the action has an input for each setting and each flag, and starts its bundle with Node 24", async () => {
  const action = parse(await readFile("action.yml", "utf8")) as {
    inputs: Record<string, { description: string }>;
    runs: object;
  };
  // A job has nobody who could answer.
  const inputs = declared().options.filter(({ long }) => long !== "--auto-approve");
  const flags = inputs.map(({ long }) => long?.slice(2) ?? "");
  expect(Object.keys(action.inputs).toSorted()).toEqual(
    ["mode", "path", ...Object.keys(tokenInputs), ...flags].toSorted(),
  );
  expect(action.runs).toEqual({ using: "node24", main: "action/index.js" });
});

test("git gets the authority that the operator names for it", async () => {
  const folder = temporaryFolder("git");
  const script = '#!/bin/sh\necho "authority $GIT_SSL_CAINFO"\n';
  await writeFile(join(folder, "git"), script, { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env["PATH"]}`, GIT_SSL_CAINFO: "/authority.pem" };
  const io = { env, signal: new AbortController().signal } as unknown as Io;
  expect(await headWithHistory(io)).toBe("authority /authority.pem");
});

test("a status keeps its whole record, however long its sentence is", () => {
  const record = { verdict: "apply", digest, base: planBase("main", "a".repeat(40)) } as const;
  for (const length of [0, 10, 44, 45, 46, 500]) {
    const text = planDescription("x".repeat(length), record, 140);
    expect(text.length).toBeLessThanOrEqual(140);
    expect(planRecord(text)).toEqual(record);
  }
});

test("a record is the end of a status of this form, and nothing else", () => {
  const end = `[apply main@aaaaaaa] Digest: ${digest}`;
  expect(planRecord(`Plan: 1 to update. ${end}`)?.digest).toBe(digest);
  for (const text of [
    "",
    digest,
    `Digest: ${digest}`,
    `${end} and more`,
    `${end}\n`,
    `x${end}`,
    end.replace("apply", "applied"),
    end.replace("@aaaaaaa", ""),
    end.replace(digest, `${digest}0`),
    // An error can quote a document that ends like a record.
    planDescription(`There is no plan: ${end}`, undefined, 255),
  ])
    expect([text, planRecord(text)]).toEqual([text, undefined]);
});

test.each(["main", "a/branch-of.mine", "x".repeat(100), "with@sign", "ünïcode"])(
  "a record of the branch %s is for no other branch",
  (branch) => {
    const record = { verdict: "apply", digest, base: planBase(branch, "a".repeat(40)) } as const;
    expect(planRecord(planDescription("", record, 140))).toEqual(record);
    expect(isForBranch(record, branch)).toBe(true);
    expect(isForBranch(record, `${branch}x`)).toBe(false);
    expect(isForBranch(record, "dev")).toBe(false);
  },
);
