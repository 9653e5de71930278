import {
  type Address,
  describeAddress,
  formatReference,
  nameKey,
  parseAddress,
  parseReference,
} from "../../core/address.ts";
import type { Client } from "../../core/api/index.ts";
import { type Dump, dump as dumpOne, type DumpedDocument } from "../../core/dump.ts";
import { findKind, kinds } from "../../core/kinds/index.ts";
import { manifestMembers } from "../../core/manifest/index.ts";
import { nearest } from "../../core/schema/suggest.ts";
import type { Organization } from "../../core/organization.ts";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import { escapeControl } from "../../core/text.ts";
import type { Console } from "../console.ts";
import { exitCodes } from "../exit-codes.ts";
import type { SettingFlags } from "../flags.ts";
import { readSettings } from "../inputs.ts";
import { documentKey, manifestsText } from "../manifests-text.ts";
import { counted } from "../render/text.ts";
import { openSession } from "../session.ts";
import { withStatus } from "../status.ts";
import { ensureManifestsWritable, writeManifests } from "../write-manifests.ts";

interface Flags extends SettingFlags {
  out?: string;
}

/** `infrasync dump`: manifests of what is live. */
export async function dump(texts: string[], flags: Flags, console: Console): Promise<number> {
  if (flags.out !== undefined) await ensureManifestsWritable(flags.out);
  const readings = texts.length === 0 ? [everything] : texts.map(readAddress);
  const problems = readings.flatMap((reading) => ("problem" in reading ? [reading.problem] : []));
  const settings = await readSettings(flags, console, problems);
  const dumps = await withStatus(console, async (status) => {
    status.working("reading what is live");
    const { client, organization } = await openSession(settings, console, status);
    const found: Dump[] = [];
    for (const reading of readings)
      if (!("problem" in reading)) found.push(await reading.read(client, organization));
    return found;
  });
  const documents = [
    ...new Map(
      dumps.flatMap((part) => part.documents).map((document) => [documentKey(document), document]),
    ).values(),
  ];
  const leftOut = [
    ...new Map(
      dumps.flatMap((part) => part.leftOut).map((left) => [`${left.type} ${left.address} ${left.why}`, left]),
    ).values(),
  ];
  if (documents.length + leftOut.length === 0) throw new InvalidInputError([nothing]);
  const files = flags.out === undefined ? undefined : await writeManifests(flags.out, documents);

  for (const { address, type, why } of leftOut)
    console.note(`Left out: ${escapeControl(type)} ${escapeControl(address)}, as ${why}.`);
  if (console.json) {
    console.document({
      ok: true,
      ...(files ? { files } : { documents: documents.map(manifestMembers) }),
      left_out: leftOut.map(({ address, type, why }) => ({ address, type, why })),
    });
  } else if (files)
    console.note(
      `${counted(documents.length, "document")} written to ${counted(files.length, "file")} in ${escapeControl(flags.out ?? "")}.`,
    );
  else console.data(manifestsText(documents));
  return exitCodes.done;
}

type Reading = { problem: Problem } | { read(client: Client, organization: Organization): Promise<Dump> };

const everything: Reading = { read: (client, organization) => dumpOne(client, organization) };

const nothing: Problem = {
  message: "the organization holds nothing",
  advice: "is it the right one? --organization names it",
};

/** `shop`, `shop/staging`, `shop/staging/api` or `job:shop/staging/migrate`. */
function readAddress(text: string): Reading {
  const address = parseAddress(text);
  if (address) return { read: (client, organization) => dumpOne(client, organization, address) };
  const names = parseReference(text);
  const [kind, second] = kinds.filter(({ depth }) => depth === names.length - 1);
  if (!kind || names.includes("") || text.includes(":")) {
    return {
      problem: {
        message: `"${text}" names no resource`,
        advice: adviceFor(text),
      },
    };
  }
  if (!second) return { read: (client, organization) => dumpOne(client, organization, { kind, names }) };
  return { read: (client, organization) => dumpNamed(client, organization, names) };
}

function adviceFor(text: string): string {
  const colon = text.indexOf(":");
  const given = text.slice(0, Math.max(colon, 0));
  const slugs = kinds.map(({ slug }) => slug);
  const near = findKind(given) ? undefined : nearest(given, slugs);
  return near === undefined
    ? "write a reference such as shop, shop/staging or shop/staging/api, or an address such as job:shop/staging/migrate"
    : `did you mean ${near}${text.slice(colon)}?`;
}

/** What has that name, of whatever kind: found among all that its parent holds. */
async function dumpNamed(
  client: Client,
  organization: Organization,
  names: readonly string[],
): Promise<Dump> {
  const name = names.at(-1) ?? "";
  const parent: Address | undefined = parentOf(names);
  if (!parent) throw new TypeError("a reference of this length has a parent");
  const { documents, leftOut } = await dumpOne(client, organization, parent);
  const inside = documents.filter(({ kind }) => kind.depth === names.length - 1);
  const found = inside.filter((document: DumpedDocument) => nameKey(document.name) === nameKey(name));
  const unmanaged = leftOut.filter((left) => nameKey(left.name) === nameKey(name));
  if (found.length > 0) return { documents: found, leftOut: unmanaged };
  const [left] = unmanaged;
  if (left) {
    throw new InvalidInputError([
      {
        message: `there is no manifest for ${left.type} ${left.address}, as ${left.why}`,
        advice: `these kinds have manifests: ${kinds.map((kind) => kind.name).join(", ")}`,
      },
    ]);
  }
  const others = inside.map((document) => document.name).toSorted();
  throw new InvalidInputError([
    {
      message: `there is no ${formatReference(names)}`,
      advice:
        others.length === 0
          ? `${describeAddress(parent)} is empty`
          : `${describeAddress(parent)} holds: ${others.join(", ")}`,
    },
  ]);
}

function parentOf(names: readonly string[]): Address | undefined {
  const kind = kinds.find(({ depth }) => depth === names.length - 2);
  return kind && { kind, names: names.slice(0, -1) };
}
