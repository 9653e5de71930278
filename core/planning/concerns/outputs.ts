import { formatAddress } from "../../model/addresses/address.ts";
import type { Fields } from "../../values/json.ts";
import {
  outputsUsed,
  type OutputSource,
  partsTakingOutputs,
  withoutOutputsOf,
  withOutputs,
  type Kind,
} from "../../model/kinds/index.ts";
import { type PartEntry, partsIn } from "../../model/parts/index.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import { nameKey } from "../../model/addresses/names.ts";
import type { Problem } from "../../problems/problem.ts";
import { open } from "../plan/answer.ts";
import { isReplacement } from "../plan/action-types.ts";
import type { ExpectedResource, ExpectedContents } from "../plan/expected-resources.ts";
import type { Concern, Whole } from "../plan/planning.ts";

/** Problems of deleting resources whose outputs documents use. Not of a destroy: the next apply creates them again. */
function usedOutputProblems({ planning: { resources }, lostResources }: Whole): Problem[] {
  const going = new Set(lostResources.map(({ names, identity }) => keyOf(identity.kind, names)));
  return lostResources.flatMap(({ own, names, identity }): Problem[] => {
    if (!own || isReplacement(own) || own.reason === "destroy" || !identity.kind?.outputs) return [];
    const users = resources.filter(
      ({ address, declared }) =>
        !going.has(keyOf(address.kind, address.names)) &&
        outputsUsed(address.kind, declared).some(
          ({ kind, name }) =>
            keyOf(kind, [...address.names.slice(0, -1), name]) === keyOf(identity.kind, names),
        ),
    );
    if (users.length === 0) return [];
    const address = formatAddress(own.address);
    return [
      {
        code: "in_use",
        message: `${address} cannot be deleted: ${users.map((user) => formatAddress(user.address)).join(", ")} use${users.length === 1 ? "s" : ""} its outputs`,
        advice: "keep it in the manifests, or change their references first",
        address,
      },
    ];
  });
}

function keyOf(kind: Kind | undefined, names: readonly string[]): string {
  return JSON.stringify([kind?.name, ...names.map(nameKey)]);
}

/** The fields with outputs in the document's spelling, for the comparison; `contents`: the expected siblings. */
function inWordsOf(
  desired: DesiredResource,
  contents: ExpectedContents,
  fields: Fields,
  entries: readonly PartEntry[],
): Fields {
  const { kind } = desired.address;
  const replaced = contents.all.flatMap((each) => each.replaced ?? []);
  const left = replaced.length === 0 ? fields : withoutOutputsOf(kind, fields, sourcesAmong(replaced));
  return withOutputs(kind, left, sourcesAmong(contents.all), entries, desired.declared);
}

/** The live resources, and the sources of copies in place of the copies. */
export function sourcesAmong(all: readonly ExpectedResource[]): OutputSource[] {
  return all.flatMap(({ kind, name, origin }) =>
    kind.outputs && origin ? [{ kind, name, id: origin.id }] : [],
  );
}

/** Values that the platform tells about siblings, such as the host of a database. */
export const outputs: Concern = {
  name: "outputs",
  programs: true,
  state: {
    on: { nothing: "there is nothing to compare with", source: true, existing: true },
    run({ expectations, live }, { on, base, desired, parent, fields }) {
      const { kind } = desired.address;
      if (!base || outputsUsed(kind, desired.declared).length === 0) return {};
      const seen = on === "existing" && base.live && partsIn(live.parts, base.live, partsTakingOutputs(kind));
      const contents = expectations.contentsOf(parent, kind);
      if (contents === open) return open;
      return { present: inWordsOf(desired, contents, fields, seen || []) };
    },
  },
  object: usedOutputProblems,
};
