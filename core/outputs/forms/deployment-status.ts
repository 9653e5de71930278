import type { Static } from "typebox";
import type { EnvironmentDeploymentStatus, ServiceDeploymentStatus } from "../../deployments/index.ts";
import { formatAddress } from "../../model/addresses/address.ts";
import { addressText, form, list, optional, text, texts } from "./forms.ts";

const state = text("As the API has it: `DEPLOYED`.");
const deployedAt = optional(text("When its last deployment began, as ISO 8601."));

export const urlsForm = optional(
  texts(
    "The URLs of its public ports and its domains, its own domains first. Absent where they were not read: each service with public ports costs a request, unless cached.",
  ),
);

/** The members of the state of a service. */
export const serviceMembers = {
  address: addressText,
  id: text("Id of the live service."),
  state,
  deployment_status: optional(
    text(
      "`NEVER_DEPLOYED`, `OUT_OF_DATE` or `UP_TO_DATE`: whether the service runs its current configuration.",
    ),
  ),
  deployed_at: deployedAt,
  version: optional(
    text("The version that it runs, by its fields: an image tag, a chart version, or a commit."),
  ),
  urls: urlsForm,
  declared_version: optional(
    text(
      "The version in the manifests of the named environment of the settings file, or in those of the commit in force, if it differs from the live version.",
    ),
  ),
  changed_around: optional(
    texts(
      "Keys of the variables and secrets of its environment and project that have changed since its last deployment began: what runs has the earlier values. A variable that was removed is not among them.",
    ),
  ),
};

/** The state of an environment, and of services in it. */
export const deploymentStatusForm = form({
  address: addressText,
  id: text("Id of the live environment."),
  state,
  deployed_at: deployedAt,
  services: list(form(serviceMembers), "The services that were chosen."),
});

export const deployedForm = optional(
  list(deploymentStatusForm, "The deployed services at the end of the command, as `status` shows them."),
);

export function encodeDeploymentStatus({
  environment: { address, id, state: itsState, deployedAt: at },
  services,
}: EnvironmentDeploymentStatus): Static<typeof deploymentStatusForm> {
  return {
    address: formatAddress(address),
    id,
    state: itsState,
    ...(at !== undefined && { deployed_at: at }),
    services: services.map(encodeService),
  };
}

/** The state of a service in its JSON form. */
export function encodeService(
  service: ServiceDeploymentStatus,
): Static<typeof deploymentStatusForm>["services"][number] {
  return {
    address: formatAddress(service.address),
    id: service.id,
    state: service.status?.state ?? "",
    ...(service.status?.deploymentStatus && { deployment_status: service.status.deploymentStatus }),
    ...(service.status?.deployedAt !== undefined && { deployed_at: service.status.deployedAt }),
    ...(service.version !== undefined && { version: service.version }),
    ...(service.urls && { urls: [...service.urls] }),
    ...(service.declared !== undefined && { declared_version: service.declared }),
    ...(service.changes.length > 0 && { changed_around: service.changes }),
  };
}
