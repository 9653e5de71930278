import { expect, test } from "vitest";
import type { Behaviour } from "../../emulator/index.ts";
import { servers } from "../conformance/assumptions/servers.ts";
import { ShopOnServer } from "./shop-on-server.ts";

/** Lists that are cut without a word, and those that nobody can read. The other servers are those of `npm run test:long`. */
const paging = servers.filter(([behaviour]) => behaviour.silent_pages && Object.keys(behaviour).length > 1);

test.each(paging)(
  "on a server with %j, a shop is made, adopted and destroyed, or refused",
  async (behaviour, _about, refused) => {
    const { refusals } = await ShopOnServer.play(behaviour);
    if (refused) expect(refusals.join("\n")).toMatch(refused);
    else expect(refusals).toEqual([]);
  },
);

/** Each run comes while lists still lack what the run before has made. */
const lagging: Behaviour[] = [
  { list_delay_ms: 150_000 },
  { list_delay_ms: 150_000, duplicate_names: true },
  { list_delay_ms: 150_000, event_delay_ms: 100_000 },
  { list_delay_ms: 150_000, clone_delay_ms: 100_000, duplicate_names: true },
  { list_delay_ms: 150_000, page_cap: 20, silent_pages: true, duplicate_names: true },
  { clone_delay_ms: 100_000, duplicate_names: true },
  { cached_lists_ms: 150_000 },
  { cached_lists_ms: 150_000, duplicate_names: true },
];

test.each(lagging)(
  "on a server with %j, no run makes again what the run before has made",
  async (behaviour) => {
    expect((await ShopOnServer.play(behaviour)).refusals).toEqual([]);
  },
);
