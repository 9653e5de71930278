/** Members whose default may be that of the API description instead of the platform's. */
export const platformDefaults = [
  "service.auto_deploy",
  "job.schedule.lifecycle_type",
  "database.instance_type",
  "custom_domain.use_cdn",
  "cluster.min_running_nodes",
  "cluster.max_running_nodes",
  "cluster.instance_type",
] as const;

export type PlatformDefault = (typeof platformDefaults)[number];

/** The value of an omitted member: the platform's, by its upgrade guides, or that of the description (`behaviour`). */
export function undeclared<Value>(
  member: PlatformDefault,
  platform: Value,
  schemaDefault: Value,
  { behaviour }: { behaviour: { schema_defaults?: readonly PlatformDefault[] } },
): Value {
  return behaviour.schema_defaults?.includes(member) ? schemaDefault : platform;
}
