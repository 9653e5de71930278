import type { AnyAddress } from "../../model/addresses/address.ts";

/** The place of a service among the waves of its environment. */
export interface Wave {
  number: number;
  of: number;
}

/** Undefined: the environment has no waves, or it is not a service. */
export type WaveOf = (address: AnyAddress) => Wave | undefined;
