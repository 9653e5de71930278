import { Argument } from "commander";
import type { Console } from "../console.ts";
import { addOutput } from "../options.ts";
import type { Add, End } from "./declare.ts";

/** Declares `infrasync schema`. */
export function addSchema(add: Add, console: Console, end: End): void {
  const command = add(
    "schema",
    "Print the JSON Schema of manifests, for editors.",
    "schema",
    "schema job",
    "schema --out .schemas",
  );
  command
    .argument("[kind]", "of this kind alone")
    .option("--out <folder>", "write the schemas of all kinds to files");
  addOutput(command);
  command.action(async (kind, flags) =>
    end(await (await import("../commands/schema.ts")).schema(kind, flags, console)),
  );
}

/** Declares `infrasync emulator`. */
export function addEmulator(add: Add, console: Console, end: End): void {
  const command = add(
    "emulator",
    "Run the API as a local server, to try things out and for tests.",
    "emulator",
    "emulator --port 0 --latency 100 --data state.json",
    "emulator --env > emulator.env &",
  );
  command
    .option("--port <number>", "port of this machine; 0 takes a free one (default: 8080)")
    .option("--latency <ms>", "milliseconds added to every answer (default: 0)")
    .option("--rate-limit <number>", "requests in a window and by token; 0 for no limit (default: 1000)")
    .option("--rate-window <seconds>", "how long a window is (default: 3600)")
    .option("--clone-delay <ms>", "milliseconds until a clone can be read (default: 0)")
    .option("--delete-delay <ms>", "milliseconds that a deletion takes (default: 0)")
    .option("--deploy-delay <ms>", "milliseconds that a deployment takes (default: 2000)")
    .option("--allow-duplicate-names", "let resources of one parent and kind share a name")
    .option("--frozen-clock", "let time move by POST /_emulator/clock alone")
    .option("--seed <file>", "start from the organization that this YAML or JSON file describes")
    .option("--data <file>", "keep the state in this file")
    .option("--log", "write a line for each request to standard error")
    .option("--env", "when it is ready, print the line that a shell needs to use it, not JSON")
    .addHelpText(
      "after",
      `
When it is ready it prints one line of JSON: url, organization, tokens, clusters and registries.
GET /_emulator/requests tells what was asked of it, POST /_emulator/faults makes it fail on purpose,
POST /_emulator/reset begins again; docs/emulator.md has the rest.`,
    );
  command.action(async (flags) =>
    end(await (await import("../commands/emulator.ts")).emulator(flags, console)),
  );
}

/** Declares `infrasync completion`. */
export function addCompletion(add: Add, console: Console, end: End): void {
  const command = add(
    "completion",
    "Print a script that completes command lines.",
    "completion bash > /etc/bash_completion.d/infrasync",
    "completion fish | source",
  );
  command.addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"]));
  command.action(async (shell) => {
    const { completion } = await import("../commands/completion.ts");
    if (command.parent) end(completion(shell, command.parent, console));
  });
}
