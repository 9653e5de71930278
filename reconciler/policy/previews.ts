import { parseReference } from "../../core/model/addresses/address.ts";
import { type Fields, isFields, type Json, mapFields, own } from "../../core/values/json.ts";
import { findKind, kindAdvice, kinds } from "../../core/model/kinds/index.ts";
import { validateManifest } from "../../core/manifests/manifest/index.ts";
import type { DocumentMistake } from "../../core/source/mistake.ts";
import type { DeclaredPolicy } from "./schema.ts";

export interface PreviewPolicy {
  /** The source environment, and its project. */
  from: readonly [project: string, environment: string];
  label: string;
  max: number;
  /** `3d`. */
  expiresAfter: string;
  cronJobs: boolean;
  autoPreview: boolean;
  /** The fields in which a service of a preview differs from its source. */
  services: readonly {
    /** `application`. */
    slug: string;
    name: string;
    /** With `{sha}`, `{branch}` and `{number}` in texts. */
    fields: Fields;
  }[];
}

export interface PreviewOf {
  number: number;
  commit: string;
  branch: string;
}

/** `pr-42`. */
export function previewName(number: number): string {
  return `pr-${number}`;
}

/** The number of a preview's pull request; undefined: the name is not that of a preview. */
export function previewNumberOf(name: string): number | undefined {
  const [, number] = /^pr-([1-9]\d{0,9})$/i.exec(name) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** Fills in `{sha}`, `{branch}` and `{number}`. */
export function filledIn(fields: Fields, { number, commit, branch }: PreviewOf): Fields {
  const values = { sha: commit, branch, number: String(number) };
  return mapFields(fields, (value) => withPlaceholders(value, values));
}

/** Fills in placeholders in all texts of a value: `{sha}`. */
export function withPlaceholders(value: Json, values: Readonly<Record<string, string>>): Json {
  if (typeof value === "string")
    return value.replaceAll(/\{([a-z]+)\}/g, (all, name: string) => own(values, name) ?? all);
  if (Array.isArray(value)) return value.map((each) => withPlaceholders(each, values));
  return isFields(value) ? mapFields(value, (each) => withPlaceholders(each, values)) : value;
}

type DeclaredPreviews = NonNullable<DeclaredPolicy["previews"]>;

export function previewsOf({ from, services = {}, ...declared }: DeclaredPreviews): PreviewPolicy {
  const [project = "", environment = ""] = parseReference(from);
  const { label = "preview", max = 5, expires_after: expiresAfter = "7d" } = declared;
  const { cron_jobs: cronJobs = false, auto_preview: autoPreview = false } = declared;
  return {
    from: [project, environment],
    label,
    max,
    expiresAfter,
    cronJobs,
    autoPreview,
    services: Object.entries(services).map(([key, fields]) => ({ ...serviceOf(key), fields })),
  };
}

const example: PreviewOf = { number: 1, commit: "0".repeat(40), branch: "main" };

/** The mistakes in fields of the services of previews. */
export function previewMistakes({ services = {} }: DeclaredPreviews): DocumentMistake[] {
  const ofServices = kinds.flatMap((kind) => (kind.deployment ? [kind.slug] : []));
  return Object.entries(services).flatMap(([key, fields]) => {
    const path = ["previews", "services", key];
    const { slug, name } = serviceOf(key);
    const kind = findKind(slug);
    if (!kind?.deployment || kind.slug !== slug)
      return [
        {
          path,
          at: "key" as const,
          message: `${slug} is not a kind of services`,
          advice: kindAdvice(slug, ofServices),
        },
      ];
    const document = { kind: kind.name, environment: "a/b", name, ...filledIn(fields, example) };
    const { mistakes } = validateManifest({ ...document, clone: { from: "a/c/d" } });
    return mistakes.map((mistake) => ({ ...mistake, path: [...path, ...mistake.path] }));
  });
}

function serviceOf(key: string): { slug: string; name: string } {
  const [, slug = "", name = ""] = /^([a-z]+):(.+)$/i.exec(key) ?? [];
  return { slug, name };
}
