import fc from "fast-check";
import { expect, test } from "vitest";
import { dump } from "../../../../core/import/live/index.ts";
import { formatManifest } from "../../../../core/manifests/manifest/index.ts";
import type { Kind } from "../../../../core/model/kinds/index.ts";
import { unmanagedText } from "../../../../core/planning/plan/index.ts";
import {
  acceptInvitation,
  documentOf,
  holdersOf,
  inProjects,
  nameFor,
  sample,
} from "../../../fixtures/every-kind.ts";
import { type Harness, summary } from "../../../fixtures/harness.ts";
import { allow } from "../../../fixtures/policy.ts";
import { tries } from "../../../fixtures/random-cases.ts";
import { arbitraryFields } from "../../../fixtures/random-documents.ts";
import { rawState } from "../../../fixtures/raw-state.ts";

/** What a strict plan of a dump of the projects finds: actions, and what no document declares. */
async function foundBy(harness: Harness, text: string): Promise<string> {
  const plan = await harness.plan(text, { strict: true });
  const undeclared = (plan.unmanaged ?? []).map(
    (each) => `${unmanagedText(each)} ${JSON.stringify(each.value)}`,
  );
  return [...summary(plan), ...plan.problems.map(({ message }) => message), ...undeclared].join("\n");
}

/** Changes a resource of each kind by hand: a field, and what no document declares. */
export function testChangesByHand(harness: Harness, kinds: readonly Kind[]): void {
  test.each(kinds.map((kind) => [kind.name, kind] as const))(
    "any change of a %s manually is in the next strict plan of its dump: as a difference, or as what no document declares",
    async (_name, kind) => {
      await harness.api("POST", "/_emulator/reset");
      const name = nameFor(kind, "one");
      await harness.reconcile([...holdersOf(kind, 21), documentOf(kind, name, sample(kind, 21))]);
      await acceptInvitation(harness);
      const { documents } = await dump(harness.context(), harness.organization, undefined, {
        projectsOnly: inProjects.includes(kind),
      });
      const text = documents.map((each) => formatManifest(each)).join("---\n");
      let found = await foundBy(harness, text);
      let state = JSON.stringify([...(await rawState(harness))]);
      for (const fields of fc.sample(arbitraryFields(kind, "partial", "without", "with"), {
        numRuns: tries(2),
        seed: 21,
      })) {
        for (const [member, value] of Object.entries(fields).slice(0, 4)) {
          const byHand = await harness.plan([documentOf(kind, name, { [member]: value })], allow("**"));
          if (byHand.problems.length > 0) continue;
          await harness.apply(byHand);
          const former = state;
          state = JSON.stringify([...(await rawState(harness))]);
          if (state === former) continue;
          const before = found;
          found = await foundBy(harness, text);
          expect([member, value, found]).not.toEqual([member, value, before]);
        }
      }
    },
  );
}
