import assert from "node:assert/strict";
import type { Outcome, Report } from "../../core/index.ts";
import { formatReference } from "../../core/model/addresses/address.ts";
import type { Fields } from "../../core/values/json.ts";
import { type Kind, kinds } from "../../core/model/kinds/index.ts";
import { updateResource } from "../../core/operations/writes.ts";
import { originalName } from "./server-quirks.ts";
import { type Everything, nameOf } from "./server-state.ts";
import type { FaultyServer } from "../fixtures/faulty-server.ts";

/** Codes of creations that may have been carried out once, twice or not at all. */
const open = new Set(["unclear", "pending", "duplicated", "lost"]);

/**
 * Does what a person does who reads the report: deletes duplicates, and gives the wanted name to what is there under another
 * one. How often that was needed.
 *
 * @throws AssertionError for a duplicate that the report does not tell of, and for a third one
 */
export async function putRight(
  stage: FaultyServer,
  { outcomes }: Report,
  everything: Everything,
): Promise<number> {
  let count = 0;
  for (const [path, all] of Map.groupBy(everything, ([itsPath]) => itsPath)) {
    const [, ...duplicates] = all.map(([, answer]) => answer);
    if (duplicates.length === 0) continue;
    assert.equal(duplicates.length, 1, `${path} has been made more than twice`);
    checkIsReported(
      path,
      all.map(([, { id }]) => String(id)),
      outcomes,
    );
    for (const duplicate of duplicates) await stage.harness.api("DELETE", pathOf(duplicate));
    stage.madeTwice.add(nameOf(path).split("/").slice(1).join(" "));
    count += 1;
  }
  for (const [path, answer] of everything) {
    const name = originalName(String(answer["name"]));
    if (name === undefined) continue;
    const reported = outcomes.some(({ code = "" }) => code === "renamed" || open.has(code));
    assert(reported, `${path} is there under that name, and no outcome tells of it`);
    await rename(stage, answer, name);
    count += 1;
  }
  return count;
}

function checkIsReported(path: string, ids: readonly string[], outcomes: readonly Outcome[]): void {
  const name = nameOf(path);
  const names = new Set([name, originalName(name)].map((each) => each?.toLowerCase()));
  const about = outcomes.filter(({ address }) => names.has(formatReference(address.names).toLowerCase()));
  const isReported = about.some(
    ({ code = "", message = "" }) =>
      open.has(code) && (code !== "duplicated" || ids.every((id) => message.includes(id))),
  );
  assert(
    isReported,
    `${path} is there twice (${ids.join(", ")}), and no outcome tells of it: ${JSON.stringify(
      about.map(({ status, code, message }) => ({ status, code, message })),
    )}`,
  );
}

async function rename(stage: FaultyServer, answer: Fields, name: string): Promise<void> {
  const { kind, id } = whichKind(answer);
  const target = { kind, id, parentId: parentIdIn(kind, answer) };
  await updateResource(stage.harness.context(), target, { declared: {}, name });
}

function parentIdIn(kind: Kind, answer: Fields): string {
  const parent = answer[kind.parentMember ?? ""] as Fields;
  return String(parent["id"]);
}

function pathOf(answer: Fields): string {
  const { kind, id } = whichKind(answer);
  return kind.requests.one(id, parentIdIn(kind, answer));
}

function whichKind(answer: Fields) {
  const type = answer["service_type"] ?? "ENVIRONMENT";
  const kind = kinds.find(({ name }) => name.toUpperCase() === type);
  assert(kind, `no kind for ${String(type)}`);
  return { kind, id: String(answer["id"]) };
}
