import { type Address, formatReference } from "../../core/model/addresses/address.ts";
import type { Fields } from "../../core/values/json.ts";
import { type DesiredResource, toDesired, validateManifest } from "../../core/manifests/manifest/index.ts";
import type { LiveResource } from "../../core/state/live/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import { labelVariable, type PreviewLabel } from "./label.ts";
import { filledIn, previewName, type PreviewOf, type PreviewPolicy } from "../policy/index.ts";

export function deletionDocument({ names: [project = "", name = ""] }: Address): Fields {
  return {
    kind: "Environment",
    project: formatReference([project]),
    name,
    mode: "PREVIEW",
    manage: { prune: true },
  };
}

function environmentDocument(policy: PreviewPolicy, number: number, label: PreviewLabel): Fields {
  return {
    kind: "Environment",
    project: formatReference([policy.from[0]]),
    name: previewName(number),
    mode: "PREVIEW",
    clone: { from: formatReference(policy.from) },
    manage: { prune: true },
    ...labelVariable(label),
  };
}

/** The environment of a pull request, and the services that differ from those it is cloned from. @throws InvalidInputError for a missing service */
export function previewDocuments(
  policy: PreviewPolicy,
  request: PreviewOf,
  label: PreviewLabel,
  services: readonly LiveResource[],
): DesiredResource[] {
  const missing = policy.services.filter(
    ({ slug, name }) => !services.some((service) => isCalled(service, slug, name)),
  );
  if (missing.length > 0)
    throw new InvalidInputError(missing.map(({ slug, name }) => noService(policy, slug, name)));
  const environment = formatReference([policy.from[0], previewName(request.number)]);
  const ofServices = services.flatMap((service) => {
    const declared = policy.services.find(({ slug, name }) => isCalled(service, slug, name));
    const isOff = !policy.autoPreview && service.fields["auto_preview"] === true;
    if (!declared && !isOff) return [];
    return {
      kind: service.kind.name,
      environment,
      name: service.name,
      ...(isOff && { auto_preview: false }),
      ...filledIn(declared?.fields ?? {}, request),
    };
  });
  return desiredOf([environmentDocument(policy, request.number, label), ...ofServices]);
}

/** The desired resources of documents that infrasync makes. @throws InvalidInputError on mistakes */
export function desiredOf(documents: readonly Fields[]): DesiredResource[] {
  const placed = documents.flatMap((document) => {
    const { manifest, mistakes } = validateManifest(document);
    if (!manifest)
      throw new InvalidInputError(
        mistakes.map(({ message, advice }) => ({
          code: "invalid",
          message: `the policy of previews: ${message}`,
          advice,
        })),
      );
    return [{ ...manifest, position: () => ({ file: "previews", line: 1, column: 1, text: "" }) }];
  });
  const { resources, problems } = toDesired(placed);
  if (problems.length > 0) throw new InvalidInputError(problems);
  return resources;
}

export function isCalled(service: Pick<LiveResource, "kind" | "name">, slug: string, name: string): boolean {
  return service.kind.slug === slug && nameKey(service.name) === nameKey(name);
}

function noService(policy: PreviewPolicy, slug: string, name: string): Problem {
  return {
    code: "not_found",
    message: `previews: ${formatReference(policy.from)} has no ${slug} ${name}`,
    advice: "correct the name in the policy",
  };
}
