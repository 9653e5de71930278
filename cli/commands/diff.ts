import { KnownCredentials } from "../../core/redaction/known-credentials.ts";
import {
  type Address,
  type AnyAddress,
  formatAddress,
  parseReference,
  describeAddress,
  formatReference,
} from "../../core/model/addresses/address.ts";
import { formatPath } from "../../core/model/fields/compare.ts";
import { outputOf } from "../../core/outputs/forms/index.ts";
import { dump } from "../../core/import/live/index.ts";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import {
  type ComparedResource,
  type ResourceDifferences,
  differencesBetween,
  shownDifferences,
  nameBesideEnvironment,
  type ResourceDifference,
} from "../../core/outputs/show/index.ts";
import { escapeControl } from "../../core/values/text.ts";
import { exitCodes } from "../exit-codes.ts";
import type { SourceFlags } from "../flags.ts";
import { readEnvironments } from "../manifests/environment-documents.ts";
import { readSettings } from "../session/read-settings.ts";
import { readResourceArgument } from "../manifests/resource-argument.ts";
import { withSession } from "../session/session.ts";
import type { Console } from "../terminal/console.ts";
import type { Command } from "./command.ts";
import type { Colors } from "../terminal/colors.ts";
import { changedFields } from "../render/fields.ts";
import { detailText } from "../render/print.ts";
import { indent } from "../render/text.ts";

type Sides = readonly [first: string, second: string];

/** `infrasync diff`: compares two environments or services, live or as declared. */
export const diff: Command<[first: string, second: string | undefined], SourceFlags> = {
  async run({ args: [first, second], flags, console }) {
    if (second === undefined)
      throw refused(
        "diff compares two environments, and one is named",
        `name the other; infrasync plan ${escapeControl(first)} shows what apply would change`,
      );
    const sides: Sides = [first, second];
    const addresses = sides.map(addressIn);
    const [one, other] = addresses;
    const unlike = sides.filter((_, index) => !addresses[index]);
    if (unlike.length === 1)
      throw refused(
        `${escapeControl(unlike.join())} is not the address of a live resource`,
        "compare two live resources, such as shop/staging and shop/production, or two environments of the settings file",
        unlike.join(),
      );
    const found =
      one && other
        ? await compareLive([one, other], flags, console)
        : await compareDeclared(sides, flags, console);
    if (console.json) console.document(outputOf("difference", differencesJson(found, sides)));
    else console.data(renderDifferences(found, sides, console.dataColors));
    return exitCodes.done;
  },
};

/** Undefined: the text is a word, such as the name of an environment. */
function addressIn(text: string): Address | undefined {
  if (!/[/:]/.test(text)) return undefined;
  const meant = readResourceArgument(text);
  if ("address" in meant) return meant.address;
  throw new InvalidInputError([
    "problem" in meant
      ? meant.problem
      : wrong(
          `"${escapeControl(text)}" names no kind`,
          `write one, such as job:${escapeControl(text)}`,
          text,
        ),
  ]);
}

async function compareLive(
  [first, second]: readonly [Address, Address],
  flags: SourceFlags,
  console: Console,
): Promise<ResourceDifferences> {
  if (first.kind !== second.kind)
    throw refused(
      `${formatAddress(first)} and ${formatAddress(second)} are not of the same kind`,
      "compare two environments, or two services of a kind",
    );
  const settings = await readSettings(flags, console);
  return withSession({ settings, console }, async ({ run, organization }) => {
    const [left, right] = await Promise.all(
      [first, second].map(async (address) => {
        const { documents, credentials } = await dump(run, organization, address, { secretKeys: true });
        const resources = documents.map(({ kind, parent, name, fields }): ComparedResource => ({
          address: { kind, names: [...(parent === undefined ? [] : parseReference(parent)), name] },
          fields,
        }));
        return {
          credentials,
          resources,
          nameWithin: ({ names }: AnyAddress) => names.slice(address.names.length),
        };
      }),
    );
    if (!left || !right) return { differences: [], same: 0 };
    const known = [left, right].flatMap(({ credentials }) => credentials ?? []);
    return shownDifferences(differencesBetween(left, right), KnownCredentials.of(known));
  });
}

/** Compares two environments of the settings file, as declared. */
async function compareDeclared(
  sides: Sides,
  flags: SourceFlags,
  console: Console,
): Promise<ResourceDifferences> {
  const [left, right] = await readEnvironments(sides, flags, console.io);
  const compared = ({ resources }: typeof left) => ({
    resources: resources.map(({ address, declared }) => ({ address, fields: declared })),
    nameWithin: nameBesideEnvironment,
  });
  return shownDifferences(differencesBetween(compared(left), compared(right)));
}

function differencesJson({ differences, same }: ResourceDifferences, [first, second]: Sides) {
  return {
    first,
    second,
    same,
    differences: differences.map((each) => ({
      kind: each.kind.name,
      ...(each.first && { first: formatAddress(each.first) }),
      ...(each.second && { second: formatAddress(each.second) }),
      fields: each.changes.map(({ path, before, after }) => ({
        field: formatPath(path),
        ...(before !== undefined && { first: before }),
        ...(after !== undefined && { second: after }),
      })),
    })),
  };
}

function wrong(message: string, advice: string, unmatched?: string): Problem {
  return { code: "argument", message, advice, unmatched };
}

function refused(message: string, advice: string, unmatched?: string): InvalidInputError {
  return new InvalidInputError([wrong(message, advice, unmatched)]);
}

/** The differences of two environments or resources: `~` with the fields, `-` and `+` for resources on one side only. */
function renderDifferences(
  { differences, same }: ResourceDifferences,
  [first, second]: readonly [string, string],
  colors: Colors,
): string {
  const only = (side: string) => `only in ${escapeControl(side)}`;
  const blocks = differences.map((difference) => {
    if (!difference.second) return `${colors.red("-")} ${titleOf(difference)}  ${only(first)}`;
    if (!difference.first) return `${colors.green("+")} ${titleOf(difference)}  ${only(second)}`;
    const fields = changedFields(difference.kind.fields, difference.changes);
    const lines = fields.flatMap((detail) => detailText(detail, colors));
    return [`${colors.yellow("~")} ${titleOf(difference)}`, ...lines].join("\n");
  });
  const missing = (side: "first" | "second") => differences.filter((each) => !each[side]).length;
  const differing = differences.filter((each) => each.first && each.second).length;
  const counts = [
    `${differing} ${differing === 1 ? "differs" : "differ"}`,
    `${missing("second")} ${only(first)}`,
    `${missing("first")} ${only(second)}`,
    `${same} the same`,
  ].filter((text, index) => index === 0 || !text.startsWith("0 "));
  return [
    ...(blocks.length === 0
      ? []
      : [
          `${escapeControl(first)} -> ${escapeControl(second)}:`,
          blocks.map((block) => indent(block, 2)).join("\n"),
        ]),
    `${counts.join(", ")}.`,
  ].join("\n\n");
}

/** `Job report`, where both sides call it that; else the name on the one side that has it. */
function titleOf({ kind, name, first, second }: ResourceDifference): string {
  if (name !== "") return escapeControl(`${kind.name} ${name}`);
  const [one, other] = [first, second].map((address) => address && formatReference(address.names));
  if (one !== undefined && other !== undefined && one !== other)
    return escapeControl(`${kind.name} ${one} -> ${other}`);
  const address = first ?? second;
  return address ? escapeControl(describeAddress(address)) : kind.name;
}
