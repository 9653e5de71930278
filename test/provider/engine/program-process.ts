// The process of a ProgramHost. Started by `fork`.
import { createRequire } from "node:module";
import {
  type ServiceDefinition,
  Server,
  ServerCredentials,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb.js";
import type { HostAnswer, HostRequest } from "./program-host.ts";

/** What serves the inline programs of Pulumi's Automation API. It is in the package, without its types. */
const { LanguageServer } = createRequire(import.meta.url)("@pulumi/pulumi/automation/server.js") as {
  LanguageServer: new (program: () => Promise<object>) => UntypedServiceImplementation;
};

let server: Server | undefined;
let passes = 0;

process.on("message", (request: HostRequest) => {
  if (request === "end") server?.forceShutdown();
  else serve(request.program);
});
process.on("disconnect", () => process.exit());

function serve(program: string): void {
  const its = (server = new Server());
  // A preview and the update after it are two passes of one run: each loads the program anew.
  const language = new LanguageServer(async () => ({ ...(await import(`${program}?pass=${++passes}`)) }));
  its.addService(LanguageRuntimeService as unknown as ServiceDefinition, language);
  its.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    process.send?.({ port } satisfies HostAnswer);
  });
}
