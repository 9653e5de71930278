/** Members whose default a server may have from the description of the API, and not from the platform. */
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

/**
 * The value of a member that a request leaves out: that of the platform, or that of the description where the behaviour says
 * so. The platform's own upgrade guides say what it sets.
 */
export function unstated<Value>(
  member: PlatformDefault,
  platform: Value,
  described: Value,
  { settings }: { settings: { behaviour: { described_defaults?: readonly PlatformDefault[] } } },
): Value {
  return settings.behaviour.described_defaults?.includes(member) ? described : platform;
}
