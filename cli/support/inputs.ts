import type { ManifestDocument } from "../../core/manifest/document.ts";
import type { Problem } from "../../core/problem.ts";
import type { Console } from "../terminal/console.ts";
import type { PlanFlags } from "../flags.ts";
import { settingsOrThrow } from "./read-settings.ts";
import { readManifests } from "./manifests.ts";
import { targetProblems } from "./targets.ts";
import { policyOf, type Wanted } from "./wanted.ts";
import { type Settings, SettingsReader } from "../settings/index.ts";

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
