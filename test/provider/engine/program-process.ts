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

const servers = new Map<string, Server>();
let passes = 0;

process.on("message", (request: HostRequest) => {
  if ("end" in request) servers.get(request.end)?.forceShutdown();
  else serve(request);
});
process.on("disconnect", () => process.exit());

function serve({ run, program }: { run: string; program: string }): void {
  const server = new Server();
  servers.set(run, server);
  // A preview and the update after it are two passes of one run: each loads the program anew.
  const language = new LanguageServer(async () => ({ ...(await import(`${program}?pass=${++passes}`)) }));
  server.addService(LanguageRuntimeService as unknown as ServiceDefinition, language);
  server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    process.send?.({ run, port } satisfies HostAnswer);
  });
}
