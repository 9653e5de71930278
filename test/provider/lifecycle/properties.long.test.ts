import fc from "fast-check";
import { expect, test } from "vitest";
import { isFields, type Fields } from "../../../core/values/json.ts";
import { application } from "../../../core/model/kinds/application.ts";
import type { Kind } from "../../../core/model/kinds/index.ts";
import { job } from "../../../core/model/kinds/job.ts";
import { compare } from "../../../core/model/fields/compare.ts";
import { toCamel } from "../../../provider/lifecycle/casing.ts";
import { fieldsAmong, type Properties } from "../../../provider/lifecycle/inputs.ts";
import { arbitraryFields } from "../../fixtures/random-documents.ts";
import { summary } from "../../fixtures/harness.ts";
import { allow } from "../../fixtures/policy.ts";
import { useStaging } from "./staging.ts";
import { tries } from "../../fixtures/random-cases.ts";

const staging = useStaging();
const { pass } = staging;

let number = 0;

/** Random inputs may take a volume away. */
const consent = { "infrasync:allowLosses": "shop/**" };

/** Inputs with the same content as the fields of a manifest, serialised as by another process. */
function inputsOf(kind: Kind, name: string, fields: Fields): Properties {
  const inputs = structuredClone(toCamel(kind.fields, fields));
  return { ...(isFields(inputs) && inputs), environment: staging.environment.id, name };
}

/** A domain leads to one service, so each has its own. */
function withOwnDomains({ custom_domains: domains, ...others }: Fields, name: string): Fields {
  if (!isFields(domains)) return others;
  const own = Object.entries(domains).map(([domain, content]) => [`${name}.${domain}`, content]);
  return { ...others, custom_domains: Object.fromEntries(own) as Fields };
}

test.for([application, job])(
  "$name: any inputs converge and keep nothing of earlier inputs, and drift is seen and reverted",
  async (kind) => {
    const pair = fc.tuple(arbitraryFields(kind, "complete"), arbitraryFields(kind, "complete"));
    await fc.assert(
      fc.asyncProperty(pair, async ([first, afterwards]) => {
        number += 1;
        const name = `resource-${number}`;
        const [before, after] = [withOwnDomains(first, name), withOwnDomains(afterwards, name)];
        const made = await (await pass()).create(kind.name, inputsOf(kind, name, before));
        expect(made.initErrors).toEqual([]);
        expect((await (await pass()).up(made, made.inputs)).step).toBe("same");
        const refreshed = await (await pass()).refresh(made);
        expect(refreshed).toEqual(made);

        const news = inputsOf(kind, name, after);
        const { entry } = await (await pass(consent)).up(made, news);
        expect((await (await pass()).up(entry, news)).step).toBe("same");
        const freshName = `${name}-fresh`;
        const ofFresh = inputsOf(kind, freshName, withOwnDomains(afterwards, freshName));
        const fresh = await (await pass()).create(kind.name, ofFresh);
        const [changed, plain] = [entry, fresh].map(({ outputs }) => fieldsAmong(kind, outputs));
        const differing = compare(kind.fields, changed ?? {}, plain ?? {});
        // What is fixed at the creation, and has no default, stays where it is no longer stated.
        const later = differing.filter(({ path, replaces }) => !replaces && path[0] !== "custom_domains");
        expect(later).toEqual([]);

        const manifest = { kind: kind.name, environment: "shop/staging", name };
        const isDrifted = async () =>
          summary(await staging.server.plan([{ ...manifest, ...after }])).length > 0;
        expect(await isDrifted()).toBe(false);

        const drift = await staging.server.plan([{ ...manifest, ...before }], allow("**"));
        // A replacement by another client is no drift: the resource is gone.
        if (drift.actions.some(({ type }) => type === "replace")) return;
        await staging.server.apply(drift);
        const drifted = await (await pass()).refresh(entry);
        expect(drifted && (await pass()).diff(drifted, news).changes).toBe(await isDrifted());
        if (drifted) await (await pass(consent)).up(drifted, news);
        expect(await isDrifted()).toBe(false);
      }),
      { numRuns: tries(2) },
    );
  },
);
