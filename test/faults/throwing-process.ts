// Reports an error that nothing expects, as the command line does.
import { failureOf } from "../../cli/failure.ts";
import { Console } from "../../cli/terminal/console.ts";

const { stdin, stdout, stderr } = process;
const io = { stdin, stdout, stderr, env: {}, signal: new AbortController().signal };
const console = new Console(io, { json: false, jsonLines: false, color: false });

function meetNobodysExpectation(): Error {
  return new Error("nobody expects this");
}

console.data(failureOf(meetNobodysExpectation(), console).json.error.message);
