import { formatAddress, parseAnyAddress } from "../../core/model/addresses/address.ts";
import { type Action, deletes, makes, type WaveOf } from "../../core/planning/plan/index.ts";
import { healthText, unreadHealth } from "./health.ts";
import type { EnvironmentView, View } from "./view.ts";

/** The changes that wait for earlier waves. */
export interface LaterWaves {
  left: ReadonlySet<string>;
  reason: string;
}

/** The waiting waves of an environment: a wave follows when the services of the earlier waves are unchanged and healthy; deletions come last. Undefined: none. */
export function laterWaves(
  { health, isHealthUnread }: EnvironmentView,
  actions: readonly Action[],
  { waveOf = () => undefined }: Pick<View, "waveOf">,
): LaterWaves | undefined {
  const inWaves = actions.flatMap((action) => {
    const wave = waveOf(action.address);
    return wave ? [{ action, wave }] : [];
  });
  const first = inWaves.toSorted((one, other) => one.wave.number - other.wave.number)[0]?.wave;
  if (!first) return undefined;
  const unready = health.find(
    (service) =>
      service.health !== "healthy" && (numberOf(service.address, waveOf) ?? Infinity) < first.number,
  );
  const hindrance = unready ? healthText(unready) : isHealthUnread && first.number > 1 && unreadHealth;
  const sent = hindrance ? first.number - 1 : first.number;
  const later = inWaves.filter(({ wave }) => wave.number > sent);
  if (later.length === 0) return undefined;
  const deletions = actions.filter((action) => deletes(action) && !makes(action));
  const next = Math.min(...later.map(({ wave }) => wave.number));
  return {
    left: new Set(
      [...later.map(({ action }) => action), ...deletions].map(({ address }) => formatAddress(address)),
    ),
    reason: hindrance
      ? `wave ${next} of ${first.of} is not sent: ${hindrance}`
      : `wave ${next} of ${first.of} follows when wave ${first.number} is healthy`,
  };
}

function numberOf(address: string, waveOf: WaveOf): number | undefined {
  return waveOf(parseAnyAddress(address))?.number;
}
