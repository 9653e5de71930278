import { createHash } from "node:crypto";
import { addressKey } from "../../core/model/addresses/address.ts";
import type { Run } from "../../core/execution/session/index.ts";
import type { Report } from "../../core/execution/execute/index.ts";
import { formatPath } from "../../core/model/fields/compare.ts";
import { type Fields, isFields, type Json, own, stableJson, textIn } from "../../core/values/json.ts";
import type { LiveValues } from "../../core/state/live/index.ts";
import type { DesiredResource } from "../../core/manifests/manifest/index.ts";
import { entriesIn, partsIn, secretSources, declaredParts } from "../../core/model/parts/index.ts";
import { type Action, type Plan, type Policy, secretsWritten } from "../../core/planning/plan/index.ts";
import { secretsInFields } from "../../core/secrets/index.ts";
import type { SeenSecret, SecretRecord } from "../memory/index.ts";

type WithReference<Secret> = Secret & { reference: Fields };
type ManagedResource = Pick<DesiredResource, "address" | "declared" | "manage" | "secretValues">;

/** The declared existing secrets that are not ignored, each with its source and a revision that changes with each write. */
export function secretsSeen(
  { actions }: Pick<Plan, "actions">,
  resources: readonly ManagedResource[],
  { parts }: Pick<LiveValues, "parts">,
): WithReference<SeenSecret>[] {
  const documents = new Map(resources.map((desired) => [addressKey(desired.address), desired]));
  return actions.flatMap((action) => {
    const { address, liveAddress, resourceId: id } = action;
    const owner = addressKey(address);
    const document = documents.get(owner);
    // A manual rename is another difference, which comes first.
    if (!document || liveAddress || id === undefined) return [];
    const { declared, manage, secretValues } = document;
    const ignored = new Set(manage.ignore);
    const members = new Set(declaredParts(address.kind).map(({ member }) => member));
    const inFields = secretsInFields(address.kind.fields, declared).flatMap(
      ({ path, reference }): WithReference<SeenSecret>[] => {
        const text = formatPath(path);
        if (members.has(path[0] ?? "") || ignored.has(path[0] ?? "") || ignored.has(text)) return [];
        return [{ owner, path: text, key: text, reference, source: sourceOf(reference, secretValues) }];
      },
    );
    return [...inFields, ...inParts(action, id, document, parts)];
  });
}

function inParts(
  { address, parent }: Action,
  id: string,
  { declared, manage }: ManagedResource,
  parts: LiveValues["parts"],
): WithReference<SeenSecret>[] {
  const owner = addressKey(address);
  const parentId = "id" in parent ? parent.id : "";
  const ignored = new Set(manage.ignore);
  return declaredParts(address.kind)
    .filter(({ form, member }) => form.isWriteOnly && !ignored.has(member))
    .flatMap((part) => {
      const { member } = part;
      const entriesDeclared = entriesIn(declared, member);
      return (partsIn(parts, { id, parentId }, [part]) ?? [])
        .filter(({ key, isOwn }) => isOwn && !ignored.has(`${member}.${key}`))
        .flatMap(({ key, response }): WithReference<SeenSecret>[] => {
          const reference = own(entriesDeclared, key);
          if (!isFields(reference)) return [];
          const at = part.changedAt?.(response);
          const written = at !== undefined && {
            revision: `${textIn(response, "id")} ${at}`,
            at: Date.parse(at),
          };
          return [
            {
              owner,
              path: `${member}.${key}`,
              key,
              reference,
              source: sourceOf(reference),
              ...(written && { written }),
            },
          ];
        });
    });
}

/** The secrets that a run has written, from the answers. @param over a time after all writes */
export function secretsWrittenBy(
  { actions }: Pick<Plan, "actions">,
  { outcomes }: Pick<Report, "outcomes">,
  resources: readonly ManagedResource[],
  known: Pick<LiveValues, "parts">,
  over: number,
): WithReference<SecretRecord>[] {
  const done = new Map(
    outcomes.flatMap((each) => (each.status === "done" ? [[each.id, each] as const] : [])),
  );
  const there = actions.flatMap((action) => {
    const { resourceId = action.resourceId } = done.get(action.id) ?? {};
    return done.has(action.id) ? [{ ...action, ...(resourceId !== undefined && { resourceId }) }] : [];
  });
  const documents = new Map(resources.map((desired) => [addressKey(desired.address), desired]));
  const seen = new Map(
    secretsSeen({ actions: there }, resources, known).map((each) => [`${each.owner} ${each.path}`, each]),
  );
  return there.flatMap((action) => {
    const owner = addressKey(action.address);
    const { secretValues } = documents.get(owner) ?? {};
    return secretsWritten(action).map(({ path, reference }) => {
      const { written = { at: over } } = seen.get(`${owner} ${path}`) ?? {};
      return { owner, path, reference, source: sourceOf(reference, secretValues), written };
    });
  });
}

/** Secrets with digests of the values that a run has read for them, or reads now. */
export function withValues<Secret extends Pick<SeenSecret, "owner" | "path">>(
  secrets: readonly WithReference<Secret>[],
  reader: Run["secrets"],
): Promise<(Secret & Pick<SeenSecret, "value">)[]> {
  const withValue = async (secret: WithReference<Secret>) => ({
    ...secret,
    ...(await reader.digestOf(secret.reference, `${secret.owner} ${secret.path}`)),
  });
  return Promise.all(secrets.map(withValue));
}

/** A digest of the source of a value; for a plain value in the document, a digest of the value. */
function sourceOf(reference: Fields, declared: ManagedResource["secretValues"] = new Map()): string {
  const sources = Object.keys(secretSources).map((name): Json => own(reference, name) ?? null);
  const value = declared.get(textIn(reference, "from_document") ?? "");
  if (value !== undefined) sources.push(value);
  return createHash("sha256").update(stableJson(sources)).digest("base64url").slice(0, 22);
}

/** Patterns that make a plan write these secrets again. */
export function chosen(secrets: readonly SeenSecret[]): Policy["rotate"] {
  return secrets.map(({ owner, path, key }) => ({
    text: `${owner}:${path}`,
    matches: (address, its) => its === key && addressKey(address) === owner,
  }));
}
