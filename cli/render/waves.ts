import { formatReference, nameOf } from "../../core/address.ts";
import { isChange, placeKey, type Plan } from "../../core/plan/index.ts";

export const wavesHeading = "Waves, each after the one before";

/** Which services are changed in which wave, the first wave first: `wave 1 of 2 in shop/production: migrate`. */
export function wavesOfChanges({ actions, waveOf = () => undefined }: Plan): string[] {
  const changed = actions.filter((action) => isChange(action) && waveOf(action.address) !== undefined);
  return [...Map.groupBy(changed, ({ address }) => `${placeKey(address)} ${waveOf(address)?.number}`)]
    .map(([, inside]) => {
      const [first] = inside;
      const wave = first && waveOf(first.address);
      const names = [...new Set(inside.map(({ address }) => nameOf(address)))];
      return { where: first?.address.names.slice(0, -1) ?? [], wave, names };
    })
    .toSorted((one, other) => (one.wave?.number ?? 0) - (other.wave?.number ?? 0))
    .map(
      ({ where, wave, names }) =>
        `wave ${wave?.number} of ${wave?.of} in ${formatReference(where)}: ${names.join(", ")}`,
    );
}
