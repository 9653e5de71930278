// node test/conformance/serve-proxy.ts URL [PORT]: a proxy in front of a server of the API, such as infrasync emulator. It checks
// requests and responses by test/conformance/api.yaml, and after Ctrl-C prints those that the API does not allow; then
// the exit code is 1.
import { startProxy } from "./proxy.ts";

const [target = "http://127.0.0.1:8080", port = "0"] = process.argv.slice(2);
const { url, findings, stop } = await startProxy(target, Number(port));
console.error(`${url} passes requests on to ${target}. Ctrl-C ends it.`);
process.once("SIGINT", () => {
  console.log(JSON.stringify(findings, undefined, 2));
  process.exitCode = findings.violations.length > 0 ? 1 : 0;
  void stop();
});
