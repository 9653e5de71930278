import type { AnyAddress } from "../../model/addresses/address.ts";

export interface Wave {
  number: number;
  of: number;
}

/** Undefined: the environment has no waves, or it is not a service. */
export type WaveOf = (address: AnyAddress) => Wave | undefined;
