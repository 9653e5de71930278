import { addressKey, formatAddress, parentAddress } from "../../core/address.ts";
import { versionIn } from "../../core/kinds/index.ts";
import type { Problem } from "../../core/problem.ts";
import type { SourceFlags } from "../flags.ts";
import { environmentsIn } from "../settings/environments.ts";
import { readSettingsFile } from "../settings/file.ts";
import type { Io } from "../terminal/io.ts";
import { readSources } from "./manifests.ts";

/** The environments and services that the arguments of a command choose, and the versions that manifests describe. */
interface DescribedVersions {
  /** Patterns of live resources; those of the settings file replace the names of its environments. */
  patterns: string[];
  /** The image tags and chart versions of those environments, by the keys of the addresses of services. */
  versions: ReadonlyMap<string, string>;
}

/** Reads the environments of the settings file that arguments name; mistakes are added to `problems`. */
export async function readDescribedVersions(
  texts: readonly string[],
  flags: SourceFlags,
  io: Io,
  problems: Problem[],
): Promise<DescribedVersions> {
  const versions = new Map<string, string>();
  // Only a single word can be the name of an environment; otherwise no file has to be read.
  if (!texts.some((text) => /^[\w.-]+$/.test(text))) return { patterns: [...texts], versions };
  const { environments, problems: wrong } = environmentsIn(
    await readSettingsFile(flags.config, { orders: [] }, io),
  );
  problems.push(...wrong);
  const patterns = new Set<string>();
  for (const text of texts) {
    const environment = environments.find(({ name }) => name === text);
    if (!environment) {
      patterns.add(text);
      continue;
    }
    const set = { sources: environment.sources, environment };
    const { resources, problems: mistakes } = await readSources(set, flags, io);
    problems.push(...mistakes);
    for (const { address, stated } of resources) {
      const around = address.kind.deployment ? parentAddress(address) : address;
      if (around?.kind.jointDeployment) patterns.add(formatAddress(around));
      const version = versionIn(address.kind, stated);
      if (version !== undefined) versions.set(addressKey(address), version);
    }
  }
  return { patterns: [...patterns], versions };
}
