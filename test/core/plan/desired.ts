import { stringify } from "yaml";
import { type Problem, toDesired } from "../../../core/index.ts";
import type { Fields } from "../../../core/json.ts";
import { parseManifest } from "../../../core/manifest/index.ts";

/** Manifests, as text or as objects, as the engine wants them. */
export function desiredOf(documents: readonly Fields[] | string): {
  resources: ReturnType<typeof toDesired>["resources"];
  problems: Problem[];
} {
  const text =
    typeof documents === "string"
      ? documents
      : documents.map((document) => stringify(document)).join("---\n");
  const parsed = parseManifest(text, "test.yaml");
  const { resources, problems } = toDesired(parsed.documents);
  return { resources, problems: [...parsed.problems, ...problems] };
}
