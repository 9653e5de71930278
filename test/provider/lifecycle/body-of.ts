import type { Properties } from "../../../provider/lifecycle/inputs.ts";

/** The body of a PUT that keeps a job with an image unchanged, without its parts. */
export function bodyOf(response: unknown): Properties {
  const { name, schedule, cpu, source } = response as Properties & {
    source: { image: { image_name: string; tag: string; registry: { id: string } } };
  };
  const { image_name, tag, registry } = source.image;
  return {
    name: name ?? "",
    cpu: cpu ?? 500,
    schedule: schedule ?? {},
    healthchecks: {},
    source: { image: { image_name, tag, registry_id: registry.id } },
  };
}
