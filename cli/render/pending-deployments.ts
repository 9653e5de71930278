import { awaitingDeployment, type Report } from "../../core/execution/execute/index.ts";
import {
  type Address,
  addressKey,
  formatAddress,
  formatReference,
  parentAddress,
} from "../../core/model/addresses/address.ts";
import { escapeControl } from "../../core/values/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { advised } from "./command-advice.ts";
import { counted, title } from "./text.ts";

/** The most addresses in a suggested command. */
const mostNamed = 3;

/** The words of commands that can follow a run. */
export interface NextCommands {
  /** The command line of the run itself; absent: it cannot be repeated, because it has read standard input. */
  again?: readonly string[];
  /** The flags that lead to the same server. */
  connection: readonly string[];
}

/** The services that now need a deployment, the reason if the run has not changed them itself, and the command that deploys them. */
export function renderAwaiting(
  report: Pick<Report, "outcomes">,
  colors: Colors,
  next?: NextCommands,
): string[] {
  const addresses = awaitingDeployment(report);
  const [first] = addresses;
  if (!first) return [];
  const waiting = new Set(addresses.map(addressKey));
  const reaching = report.outcomes.filter(({ reaches = [] }) =>
    reaches.some((address) => waiting.has(addressKey(address))),
  );
  const sources = reaching.map(({ address }) => title(address)).join(", ");
  const why =
    reaching.length > 0
      ? ` (until then ${addresses.length === 1 && first.kind.deployment ? "it runs" : "they run"} without the changes of ${sources})`
      : "";
  const several = reaching.length > 0 ? countedIn(addresses) : counted(addresses.length, "resource");
  const named = addresses.length === 1 ? title(first) : several;
  const command = commandFor(addresses, reaching.length > 0, next);
  return [advised(`${colors.yellow("Not deployed yet:")} ${named}${why}. To deploy:`, command)];
}

/** `3 services of shop/staging, all services of shop/production`. */
function countedIn(addresses: readonly Address[]): string {
  const wholes = addresses.filter(({ kind }) => !kind.deployment);
  const groups = Map.groupBy(
    addresses.filter(({ kind }) => kind.deployment),
    ({ names }) => formatReference(names.slice(0, -1)),
  );
  return [
    ...[...groups].map(
      ([place, inside]) => `${counted(inside.length, "service")} of ${escapeControl(place)}`,
    ),
    ...wholes.map(({ names }) => `all services of ${escapeControl(formatReference(names))}`),
  ].join(", ");
}

/** A command that deploys these: each by its address, or with the run itself, or as whole environments. */
function commandFor(
  addresses: readonly Address[],
  isWhole: boolean,
  next: NextCommands | undefined,
): string[] {
  const deploy = (targets: readonly string[]) => ["deploy", ...targets, ...(next?.connection ?? [])];
  if (addresses.length <= mostNamed) return deploy(addresses.map(formatAddress));
  if (!isWhole && next?.again) return [...next.again, "--deploy"];
  const environments = addresses.flatMap(
    (address) => (address.kind.deployment ? parentAddress(address) : address) ?? [],
  );
  const places = new Set(environments.map(({ names }) => formatReference(names)));
  if (places.size <= mostNamed) return deploy([...places]);
  return deploy([...new Set(environments.map(({ names }) => `${formatReference(names.slice(0, -1))}/*`))]);
}
