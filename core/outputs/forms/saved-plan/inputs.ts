import { addressKey, type AnyAddress } from "../../../model/addresses/address.ts";
import {
  manifestMembers,
  type DesiredResource,
  type ManifestDocument,
  manifestsOf,
  toDesired,
} from "../../../manifests/manifest/index.ts";
import { parsePattern } from "../../../model/addresses/pattern.ts";
import { type Plan, type Policy, type Action, isChange } from "../../../planning/plan/index.ts";
import type { Problem } from "../../../problems/problem.ts";
import { parseSecretChoice } from "../../../model/addresses/secret-choice.ts";
import { withoutHiddenValues } from "../../../secrets/index.ts";
import { savedPlaceholder } from "../../../source/stand-ins.ts";
import { inForm } from "../members.ts";
import type { SavedInputsForm } from "./form.ts";
import { formatPath } from "../../../model/fields/compare.ts";
import { nameKey } from "../../../model/addresses/names.ts";

/** The settings that are saved with a plan. The others are those at the time of its apply. */
export type SavedPolicy = Pick<
  Policy,
  | "targets"
  | "elsewhere"
  | "prune"
  | "allowReplace"
  | "infrastructure"
  | "rotate"
  | "strict"
  | "deploy"
  | "scope"
>;

/** The sources of a plan's settings. Paths are relative to its working directory. */
export interface PlanOrigin {
  /** That working directory, relative to the folder of the plan file. */
  folder?: string | undefined;
  sources?: readonly string[] | undefined;
  settingsFile?: string | undefined;
  /** The declared cap on deletions of this plan: `20,50%`. */
  maxDeletes?: string | undefined;
}

/** The inputs of a plan. */
export interface PlanInputs {
  documents: readonly ManifestDocument[];
  policy: SavedPolicy;
  origin?: PlanOrigin;
}

/** The inputs of a plan in their JSON form, without values of secrets, and the changed addresses. */
export function encodeInputs({ documents, policy, origin = {} }: PlanInputs, plan: Plan): SavedInputsForm {
  const { targets, elsewhere, prune, allowReplace, infrastructure, rotate, strict, deploy = false } = policy;
  const texts = (patterns: readonly { text: string }[]) => patterns.map(({ text }) => text);
  return inForm({
    documents: documents.map((document) => ({
      ...manifestMembers({
        ...document,
        fields: withoutHiddenValues(document.kind.fields, document.fields, savedPlaceholder),
      }),
    })),
    targets: texts(targets),
    elsewhere: elsewhere && texts(elsewhere),
    prune,
    allowReplace: texts(allowReplace),
    infrastructure: infrastructure && [...infrastructure],
    rotate: texts(rotate),
    strict,
    deploy,
    plannedAt: new Date(plan.at).toISOString(),
    scope: scopeOf(plan),
    ...origin,
    sources: origin.sources && [...origin.sources],
  });
}

/** The sources of a saved plan's settings; empty if it has none. */
export function originIn(form: SavedInputsForm): PlanOrigin {
  const { folder, sources, settings_file: settingsFile, max_deletes: maxDeletes } = form;
  return { folder, sources, settingsFile, maxDeletes };
}

/** The resources of a saved plan. @param name of the documents in problems @throws InvalidInputError */
export function decodeInputs(
  form: SavedInputsForm,
  name: string,
): { resources: DesiredResource[]; policy: SavedPolicy; problems: Problem[] } {
  const { targets, elsewhere, prune, allow_replace: allowReplace, infrastructure, ...others } = form;
  const { rotate, strict, deploy, scope } = others;
  const { documents, problems: ofValues } = manifestsOf(form.documents, name, "saved plan");
  const { resources, problems } = toDesired(documents);
  const planned = new Set(scope);
  const policy = {
    prune,
    infrastructure,
    strict,
    deploy,
    scope: (address: AnyAddress, place?: "inside") =>
      place
        ? scope.some((key) => namesIn(key).startsWith(`${namesIn(addressKey(address))}/`))
        : planned.has(addressKey(address)),
    targets: targets.map((text) => parsePattern(text)),
    ...(elsewhere && { elsewhere: elsewhere.map((text) => parsePattern(text)) }),
    allowReplace: allowReplace.map((text) => parsePattern(text)),
    rotate: rotate.map(parseSecretChoice),
  };
  return { resources, policy, problems: [...ofValues, ...problems] };
}

/** The keys of the changed addresses, with their planned and their live names. */
function scopeOf({ actions }: Pick<Plan, "actions">): string[] {
  const renamed = new Map(
    actions.flatMap((action) => {
      const live = liveNameOf(action);
      return live === undefined ? [] : [[namesKey(action.address.names), live]];
    }),
  );
  const addresses = actions.filter(isChange).flatMap(({ address }) => namedBoth(address, renamed));
  return [...new Set(addresses.map(addressKey))];
}

function liveNameOf(action: Action): string | undefined {
  if (action.liveAddress) return action.liveAddress.names.at(-1);
  const change = action.changes.find(({ path }) => formatPath(path) === "name");
  return typeof change?.before === "string" ? change.before : undefined;
}

/** The addresses with all mixtures of planned and live names. */
function namedBoth({ kind, names }: AnyAddress, renamed: ReadonlyMap<string, string>): AnyAddress[] {
  const mixes = names.reduce<string[][]>(
    (paths, name, level) => {
      const live = renamed.get(namesKey(names.slice(0, level + 1)));
      const both = live === undefined ? [name] : [name, live];
      return paths.flatMap((path) => both.map((each) => [...path, each]));
    },
    [[]],
  );
  return mixes.map((mix) => ({ kind, names: mix }));
}

function namesKey(names: readonly string[]): string {
  return JSON.stringify(names.map(nameKey));
}

/** `shop/staging/a` of `job:shop/staging/a`. */
function namesIn(key: string): string {
  return key.slice(key.indexOf(":") + 1);
}
