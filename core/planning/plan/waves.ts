import { formatAddress } from "../../model/addresses/address.ts";
import { type DesiredResource, namedDocuments } from "../../manifests/manifest/index.ts";
import type { Action } from "./action.ts";
import { isChange } from "./action-types.ts";
import { placeKey } from "./order.ts";
import type { Wave, WaveOf } from "./wave.ts";

/** The declared waves: of a service, or its stage, or 0. A needed service comes no later; a single wave is none. */
export function wavesOf(resources: readonly DesiredResource[]): WaveOf {
  if (resources.every(({ manage }) => manage.wave === undefined)) return () => undefined;
  const declared = new Map<DesiredResource, number>();
  // Documents follow those that they need, so the loop goes backwards.
  for (const desired of resources.toReversed()) {
    if (!desired.address.kind.deployment) continue;
    const wave = Math.min(declaredBy(desired), declared.get(desired) ?? Infinity);
    declared.set(desired, wave);
    for (const other of desired.after)
      if (other.address.kind.deployment && placeKey(other.address) === placeKey(desired.address))
        declared.set(other, Math.min(wave, declared.get(other) ?? Infinity));
  }
  const waves = new Map<string, Wave>();
  const places = Map.groupBy(declared.keys(), ({ address }) => placeKey(address));
  for (const inside of places.values()) {
    const numbers = [...new Set(inside.map((desired) => declared.get(desired) ?? 0))].toSorted(
      (a, b) => a - b,
    );
    if (numbers.length === 1) continue;
    for (const desired of inside)
      waves.set(formatAddress(desired.address), {
        number: numbers.indexOf(declared.get(desired) ?? 0) + 1,
        of: numbers.length,
      });
  }
  return (address) => waves.get(formatAddress(address));
}

function declaredBy(desired: DesiredResource): number {
  const { wave } = desired.manage;
  if (wave !== undefined) return wave;
  const stage = namedDocuments(desired).find(
    ({ address: { kind }, manage }) => !kind.deployment && manage.wave !== undefined,
  );
  return stage?.manage.wave ?? 0;
}

/** The actions; those of each wave wait for all changes of earlier waves in their environment. */
export function inWaves(actions: readonly Action[], waveOf: WaveOf): Action[] {
  const changes = actions.filter((action) => isChange(action) && waveOf(action.address) !== undefined);
  if (changes.length === 0) return [...actions];
  return actions.map((action) => {
    const wave = waveOf(action.address);
    if (!wave || !isChange(action)) return action;
    const place = placeKey(action.address);
    const earlier = changes.filter(
      ({ address }) => placeKey(address) === place && (waveOf(address)?.number ?? 0) < wave.number,
    );
    return { ...action, after: [...new Set([...action.after, ...earlier.map(({ id }) => id)])] };
  });
}
