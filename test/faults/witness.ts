import assert from "node:assert/strict";
import { belongingsOf, type Listed, lostBetween, unlisted } from "./belongings.ts";
import type { FaultyServer } from "../fixtures/faulty-server.ts";
import { type Entry, Person } from "./meddling.ts";

/** Sees to it that what a person does between a plan and its apply is not lost, nor anything else that the plan does not list. */
export class Witness {
  readonly #stage: FaultyServer;
  readonly #listed: readonly Listed[];
  readonly #person: Person;
  #there: Awaited<ReturnType<typeof belongingsOf>> | undefined;

  /** @param listed what the plans of all attempts lose: what one has deleted may go during the next */
  constructor(stage: FaultyServer, listed: readonly Listed[]) {
    this.#stage = stage;
    this.#listed = listed;
    this.#person = new Person(stage);
  }

  /** Lets the person act. @returns how much was done */
  async sees(operations: readonly Entry[]): Promise<number> {
    let done = 0;
    if (operations.length === 0) return done;
    await this.#stage.undisturbed(async () => {
      done = await this.#person.act(operations);
      this.#there = await belongingsOf(this.#stage.harness);
    });
    return done;
  }

  /** Checks what has become of it, and takes the deeds back. */
  async checks(): Promise<void> {
    if (!this.#there) return;
    const lost = lostBetween(this.#there, await belongingsOf(this.#stage.harness));
    assert.deepEqual(unlisted(lost, this.#listed), [], "a run loses only what its plan lists");
    await this.#person.takeBack();
  }
}
