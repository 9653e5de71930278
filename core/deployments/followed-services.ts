import { describeAddress } from "../model/addresses/address.ts";
import type { FollowedService } from "../operations/index.ts";
import { escapeControl } from "../values/text.ts";

/** The services of deployments, by the changes of their states. */
export class FollowedServices {
  /** The last known states, by the ids of the services. */
  readonly #states = new Map<string, string>();

  /** The services whose state has changed since the last call. */
  changed(services: readonly FollowedService[]): FollowedService[] {
    return services.filter(({ service: { id }, state, result }) => {
      const now = state === "" && result !== "unfinished" ? result : state;
      if (now === "" || this.#states.get(id) === now) return false;
      this.#states.set(id, now);
      return true;
    });
  }
}

/** The line for a service whose state has changed: `BUILDING Application shop/staging/api`. */
export function changeText({ service: { address }, state, result }: FollowedService): string {
  return `${state === "" ? result : state} ${escapeControl(describeAddress(address))}`;
}
