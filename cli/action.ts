// The program of the GitHub Action: `infrasync ci` with the inputs of a step. `action/index.js` is its bundle.
import { Command } from "commander";
import { stepCommand } from "../ci/inputs.ts";
import { ci } from "./commands/ci.ts";
import { declareCommand } from "./commands/command.ts";
import { declarationOf, declareInputs } from "./commands/declaration.ts";
import { exitCodes } from "./exit-codes.ts";
import { report } from "./failure.ts";
import { Console } from "./terminal/console.ts";
import { wholeOutput } from "./terminal/whole-output.ts";

const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => interruption.abort(name));

const declared = new Command();
declareInputs(declared, declarationOf("ci"));
const { args, env } = stepCommand(declared, process.env);
const { stdin } = process;
const console = new Console(
  {
    stdin,
    stdout: wholeOutput(process.stdout),
    stderr: wholeOutput(process.stderr),
    env: { ...process.env, ...env },
    signal: interruption.signal,
  },
  { json: false, jsonLines: false, color: false },
);
let code: number = exitCodes.done;
const program = new Command("infrasync").exitOverride().configureOutput({ outputError: () => undefined });
declareCommand(program.command("ci"), declarationOf("ci"), ci, {
  console,
  end: (ended) => {
    code = ended;
  },
  whole: () => Promise.resolve(program),
  helps: new Map(),
  extent: { isWhole: true },
});
try {
  await console.hideFiles();
  await program.parseAsync(["ci", ...args], { from: "user" });
} catch (error) {
  code = report(error, console);
} finally {
  console.end();
}
process.exitCode = code;
