import type { Json } from "../../values/json.ts";
import type { FieldSchema, Unit } from "./field-schema.ts";

/** The factors of other units of a field. Multiples of bytes are binary: `1G` is `1Gi`. */
const scales: Record<Unit | "seconds" | "minutes", Readonly<Record<string, number>>> = {
  millicores: { "": 1000, m: 1, millicores: 1, core: 1000, cores: 1000, vcpu: 1000, cpu: 1000 },
  MB: { k: 1 / 1024, m: 1, g: 1024, t: 1024 ** 2 },
  GB: { m: 1 / 1024, g: 1, t: 1024 },
  GiB: { m: 1 / 1024, g: 1, t: 1024 },
  seconds: { ms: 1 / 1000, s: 1, sec: 1, second: 1, seconds: 1, m: 60, min: 60, h: 3600, d: 86_400 },
  minutes: { s: 1 / 60, m: 1, min: 1, h: 60, d: 1440 },
};

const ofBytes: ReadonlySet<string> = new Set(["MB", "GB", "GiB"]);

/** The whole number of a value with a unit: `512Mi`, `"500m"`, `0.5` of a CPU, `30s`. Undefined for other values. */
export function numberMeant(
  { type, unit, minimum = 0 }: FieldSchema,
  value: Json,
  member: string | number | undefined,
): number | undefined {
  const own = unit ?? unitOf(String(member));
  if (type !== "integer" || !own || (typeof value !== "string" && typeof value !== "number"))
    return undefined;
  const [, amount = "", given = ""] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(String(value).trim()) ?? [];
  if (amount === "") return undefined;
  // Bytes have many spellings: Mi, MiB, MB, M, m.
  const spelled = ofBytes.has(own)
    ? given.toLowerCase().replace(/(?<=[kmgt])i?b?$/, "")
    : given.toLowerCase();
  const scale = Object.hasOwn(scales[own], spelled) ? scales[own][spelled] : undefined;
  if (scale === undefined) return undefined;
  return Math.max(minimum, Math.ceil(Number(amount) * scale));
}

/** The unit at the end of a field's name: `period_seconds`. */
function unitOf(member: string): keyof typeof scales | undefined {
  const [, unit] = /_(sec|seconds|minutes|gib)$/.exec(member) ?? [];
  if (unit === "sec" || unit === "seconds") return "seconds";
  return unit === "gib" ? "GiB" : unit === "minutes" ? "minutes" : undefined;
}
