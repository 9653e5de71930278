import type { AnyAddress } from "../../core/model/addresses/address.ts";
import type { Clock } from "../../core/api/index.ts";
import {
  type CommitPolicy,
  type Pause,
  readPauses,
  shareOf,
  suspendedAt,
  suspendedNow,
  suspensionText,
} from "../policy/index.ts";

/** What holds environments that no document describes, such as previews: pauses of people, and suspensions of the policy. */
export class Holds {
  readonly #folder: string | undefined;
  readonly #clock: Clock;
  readonly #policy: CommitPolicy;
  #pauses: readonly Pause[] = [];

  /** @param pauses the folder with the pauses; undefined: there are none */
  constructor({ pauses, clock }: { pauses?: string; clock: Clock }, policy: CommitPolicy) {
    this.#folder = pauses;
    this.#clock = clock;
    this.#policy = policy;
  }

  /** Reads the pauses as they are now. */
  async read(): Promise<void> {
    this.#pauses = this.#folder === undefined ? [] : await readPauses(this.#folder);
  }

  /** Why nothing is changed there now; undefined if nothing holds it. */
  on(address: AnyAddress): string | undefined {
    const now = this.#clock.now();
    const [pause] = suspendedNow(undefined, shareOf(address).names, this.#pauses, now).suspensions ?? [];
    return pause ? suspensionText(pause) : suspendedAt(address, this.#policy, now);
  }
}
