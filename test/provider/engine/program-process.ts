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

const require = createRequire(import.meta.url);

/** What serves the inline programs of Pulumi's Automation API. It is in the package, without its types. */
const { LanguageServer } = require("@pulumi/pulumi/automation/server.js") as {
  LanguageServer: new (program: () => Promise<object>) => UntypedServiceImplementation;
};

/**
 * Pulumi's options for its clients of the engine. By default all clients of a process share their connections by address: where
 * the kernel gives an engine the port of one that has ended, its client takes over the broken connection, and fails with "14
 * UNAVAILABLE: No connection established. Last error: null".
 */
const { grpcClientOptions } = require("@pulumi/pulumi/runtime/settings.js") as {
  grpcClientOptions: Record<string, number>;
};
grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;

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
