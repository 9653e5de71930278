import type { Console } from "../console.ts";
import { addApplying, addConnection, addOutput, collect } from "../options.ts";
import type { Add, End } from "./declare.ts";

/** Declares `infrasync clone`. */
export function addClone(add: Add, console: Console, end: End): void {
  const command = add(
    "clone",
    "Clone a resource, and print the manifest of the clone.",
    "clone job shop/production/migrate --to shop/staging --set cpu=250",
    "clone environment shop/production --to shop --name preview-42 --set mode=DEVELOPMENT --yes",
    "clone application shop/production/api --to shop/staging --dry-run > api.yaml",
  );
  command
    .argument("<kind>", "what it is, such as job")
    .argument("<source>", "what to clone, such as shop/production/migrate")
    .requiredOption(
      "--to <reference>",
      "where the clone goes: an environment, for an environment its project",
    )
    .option("--name <name>", "name of the clone (default: that of its source)")
    .option(
      "--set <assignment>",
      "what is to differ, such as cpu=250 or source.image.tag=1.4.2; repeatable",
      collect,
    )
    .option("--dry-run", "change nothing: show the plan, and print the manifest that would make the clone");
  addApplying(command);
  addConnection(command);
  addOutput(command);
  command.action(async (kind, source, flags) =>
    end(await (await import("../commands/clone.ts")).clone(kind, source, flags, console)),
  );
}

/** Declares `infrasync dump`. */
export function addDump(add: Add, console: Console, end: End): void {
  const command = add(
    "dump",
    "Write manifests of what is live.",
    "dump --out manifests",
    "dump shop/staging",
    "dump job:shop/staging/migrate --out migrate.yaml",
  );
  command
    .argument(
      "[addresses...]",
      "what to write, with all that is in it: shop, shop/staging, job:shop/staging/migrate (default: the whole organization)",
    )
    .option(
      "--out <path>",
      "a file that ends in .yaml, or a folder that gets a file a resource (default: standard output)",
    );
  addConnection(command);
  addOutput(command);
  command.action(async (addresses, flags) =>
    end(await (await import("../commands/dump.ts")).dump(addresses, flags, console)),
  );
}
