import { parseReference } from "../../core/address.ts";
import { type Fields, isFields, type Json, mapFields, own, textIn } from "../../core/json.ts";
import { findKind } from "../../core/kinds/index.ts";
import { validateManifest } from "../../core/manifest/index.ts";
import type { DocumentMistake } from "../../core/source/mistake.ts";

/** Environments for pull requests. */
export interface PreviewPolicy {
  /** The names of the environment that they are clones of, and of its project. */
  from: readonly [project: string, environment: string];
  label: string;
  /** The most that exist at the same time. */
  max: number;
  /** `3d`. */
  expiresAfter: string;
  cronJobs: boolean;
  autoPreview: boolean;
  services: readonly PreviewService[];
}

/** The fields in which a service of a preview differs from its source. */
export interface PreviewService {
  /** `application`. */
  slug: string;
  name: string;
  /** With `{sha}`, `{branch}` and `{number}` in texts. */
  fields: Fields;
}

/** The pull request that a preview is for. */
export interface PreviewOf {
  number: number;
  commit: string;
  branch: string;
}

/** The name of the environment for a pull request: `pr-42`. */
export function previewName(number: number): string {
  return `pr-${number}`;
}

/** The number of the pull request to which the preview environment of this name belongs; undefined if the name is not one of a preview. */
export function previewNumberOf(name: string): number | undefined {
  const [, number] = /^pr-([1-9]\d{0,9})$/i.exec(name) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** Fields with the values of the pull request for `{sha}`, `{branch}` and `{number}`. */
export function filledIn(fields: Fields, { number, commit, branch }: PreviewOf): Fields {
  const values: Record<string, string> = { sha: commit, branch, number: String(number) };
  const fill = (value: Json): Json => {
    if (typeof value === "string")
      return value.replaceAll(/\{(sha|branch|number)\}/g, (_all, name: string) => values[name] ?? "");
    if (Array.isArray(value)) return value.map(fill);
    return isFields(value) ? mapFields(value, fill) : value;
  };
  return mapFields(fields, fill);
}

/** The policy of previews in a value whose form is checked elsewhere, and what the fields of its services have wrong. */
export function previewsIn(value: Json): { previews?: PreviewPolicy; mistakes: DocumentMistake[] } {
  const given = isFields(value) ? own(value, "previews") : undefined;
  if (!isFields(given)) return { mistakes: [] };
  const mistakes: DocumentMistake[] = [];
  const [project, environment, ...others] = parseReference(textIn(given, "from") ?? "");
  if (project === undefined || environment === undefined || others.length > 0)
    mistakes.push({
      path: ["previews", "from"],
      at: "value",
      message: "from does not name an environment",
      advice: "write PROJECT/ENVIRONMENT, such as shop/staging",
    });
  const listed = own(given, "services");
  const services = Object.entries(isFields(listed) ? listed : {}).flatMap(([key, fields]) =>
    serviceIn(key, isFields(fields) ? fields : {}, mistakes),
  );
  const max = own(given, "max");
  const previews: PreviewPolicy = {
    from: [project ?? "", environment ?? ""],
    label: textIn(given, "label") ?? "preview",
    max: typeof max === "number" ? max : 5,
    expiresAfter: textIn(given, "expires_after") ?? "7d",
    cronJobs: own(given, "cron_jobs") === true,
    autoPreview: own(given, "auto_preview") === true,
    services,
  };
  return { previews, mistakes };
}

const example: PreviewOf = { number: 1, commit: "0".repeat(40), branch: "main" };

function serviceIn(key: string, fields: Fields, mistakes: DocumentMistake[]): PreviewService[] {
  const path = ["previews", "services", key];
  const [, slug = "", name = ""] = /^([a-z]+):(.+)$/.exec(key) ?? [];
  const kind = findKind(slug);
  if (!kind?.deployment || kind.slug !== slug) {
    mistakes.push({
      path,
      at: "key",
      message: `${slug} is not a kind of services`,
      advice: "write one such as application, container or job",
    });
    return [];
  }
  const document = { kind: kind.name, environment: "a/b", name, ...filledIn(fields, example) };
  const wrong = validateManifest({ ...document, clone: { from: "a/c/d" } });
  for (const mistake of wrong.mistakes) mistakes.push({ ...mistake, path: [...path, ...mistake.path] });
  return [{ slug, name, fields }];
}
