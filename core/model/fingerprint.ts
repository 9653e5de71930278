import { createHash } from "node:crypto";
import { toRequest } from "./fields/wire.ts";
import { type Fields, stableJson } from "../values/json.ts";
import type { Kind } from "./kinds/index.ts";
import { partFields } from "./parts/index.ts";

/** A hash of a resource in request form, which deployments do not change; of its parts, only those among the fields. */
export function fingerprint(kind: Kind, name: string, fields: Fields): string {
  const text = stableJson({
    kind: kind.name,
    name,
    fields: { ...toRequest(kind.fields, fields), ...partFields(kind, fields) },
  });
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
