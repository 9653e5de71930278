import { Type } from "typebox";
import { get, put, type Route } from "../http/routing.ts";
import { completed } from "../http/validation.ts";
import { clusterOf, markChanged } from "./lookup.ts";
import members from "./settings.json" with { type: "json" };

// The API description names few defaults; the emulator defines the others itself.
const properties: Readonly<Record<string, { type: string | string[] }>> = members;
const ClusterSettings = Type.Unsafe<Record<string, unknown>>({ type: "object", properties });

const path = "/organization/{organizationId}/cluster/{clusterId}/advancedSettings";

/** The advanced settings of clusters, complete with defaults in every response. */
export const clusterSettingsRoutes: Route[] = [
  get("/defaultClusterAdvancedSettings", () => completed(ClusterSettings)),
  get(path, (call) => completed(ClusterSettings, clusterOf(call).settings)),
  put(
    path,
    Type.Unsafe<Record<string, unknown>>({ type: "object" }),
    (call) => {
      const cluster = clusterOf(call);
      const settings = completed(ClusterSettings, withoutTexts(call.body));
      markChanged(cluster, { settings }, call.world);
      return settings;
    },
    201,
  ),
];

/** Some clients send every number and every switch as a text: `"90"`, `"true"`. */
function withoutTexts(settings: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      const types = [properties[name]?.type].flat();
      const isText = typeof value !== "string" || types.includes("string");
      return [name, isText ? value : (scalarIn(value, types) ?? value)];
    }),
  );
}

function scalarIn(text: string, types: readonly unknown[]): number | boolean | undefined {
  if (types.includes("integer") && /^-?\d+$/.test(text)) return Number(text);
  if (types.includes("boolean") && /^(?:true|false)$/.test(text)) return text === "true";
  return undefined;
}
