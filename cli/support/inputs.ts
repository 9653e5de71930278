import type { ManifestDocument } from "../../core/manifest/index.ts";
import type { Problem } from "../../core/problem.ts";
import type { Console } from "../terminal/console.ts";
import type { PlanFlags } from "../flags.ts";
import { settingsOrThrow } from "./read-settings.ts";
import { readManifests } from "./manifests.ts";
import { policyOf, type Wanted } from "./wanted.ts";
import { type Settings, SettingsReader } from "../settings/index.ts";
import { type AnyAddress, encodeName, nameOf } from "../../core/address.ts";
import { nameKey } from "../../core/names.ts";
import type { Pattern } from "../../core/pattern.ts";
import { idleTargets } from "../../core/plan/index.ts";

/** The settings, resources and policy of a command that plans. */
interface Inputs extends Wanted {
  settings: Settings;
  documents: readonly ManifestDocument[];
  /** The files and folders that were read. */
  sources: readonly string[];
}

/**
 * Reads settings and manifests for a command that uses the server.
 *
 * @param unanswered problems of a missing confirmation, listed after all others
 * @throws InvalidInputError with the problems of settings, flags and manifests
 */
export async function readInputs(
  sources: readonly string[],
  flags: PlanFlags,
  console: Console,
  unanswered: readonly Problem[] = [],
): Promise<Inputs> {
  const orders = sources.length === 0 ? ["."] : sources;
  const reader = await SettingsReader.open(flags, { orders }, console);
  const stated = reader.stated();
  const settings = await reader.complete(stated);
  const policy = policyOf(flags, stated, reader.problems);
  const { resources, documents, set, problems } = await readManifests(sources, flags, console.io);
  // With --prune a pattern may match resources that no manifest describes, and one may match the live name of a resource that
  // is renamed; only planning can tell.
  const isRenaming = resources.some(({ manage }) => (manage.renamed_from ?? manage.id) !== undefined);
  const idle =
    problems.length > 0 || flags.prune || isRenaming
      ? []
      : targetProblems(
          policy.targets,
          resources.map(({ address }) => address),
        );
  const wrong = [...reader.problems, ...problems, ...idle];
  return {
    settings: settingsOrThrow(settings, wrong, unanswered, reader, console),
    resources,
    documents,
    sources: orders,
    policy,
    set,
  };
}

/** The problems of targets that choose none of these addresses. */
export function targetProblems(targets: readonly Pattern[], addresses: readonly AnyAddress[]): Problem[] {
  return targets.flatMap((target) => {
    const meant = patternOfName(target.text, addresses);
    const advice = `a target is a whole address, or a pattern: --target '${meant}'`;
    return idleTargets([target], addresses).map((problem) =>
      meant === undefined ? problem : { ...problem, advice },
    );
  });
}

/** The pattern that chooses the resources of a name, with `*` for the names of its parents; undefined where there is none. */
function patternOfName(name: string, addresses: readonly AnyAddress[]): string | undefined {
  const [first, ...others] = addresses.filter((address) => nameKey(nameOf(address)) === nameKey(name));
  if (!first) return undefined;
  const kind = others.every((other) => other.kind === first.kind) ? `${first.kind.slug}:` : "";
  return `${kind}${"*/".repeat(first.names.length - 1)}${encodeName(nameOf(first))}`;
}
