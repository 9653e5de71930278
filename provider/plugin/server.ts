import services from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type UntypedServiceImplementation,
  type sendUnaryData,
} from "@grpc/grpc-js";
import { promisify } from "node:util";
import { Engine } from "./engine.ts";
import { toServiceError } from "./answers.ts";
import { configurationHandlers } from "./configuration-handlers.ts";
import { Provider } from "./provider.ts";
import { resourceHandlers } from "./resource-handlers.ts";

/** The engine sends and takes messages up to this size. */
const largestMessage = 400 * 1024 * 1024;

/** Serves the provider to the engine of Pulumi, over gRPC, on a free port of this machine. */
export async function startPlugin({
  environment,
  version,
  engineAddress,
}: {
  environment: NodeJS.ProcessEnv;
  version: string;
  engineAddress?: string | undefined;
}): Promise<{ port: number; engine: Engine; stop(): void }> {
  const engine = new Engine();
  if (engineAddress !== undefined) engine.connect(engineAddress);
  const provider = new Provider(environment, engine.tell, () => engine.address);
  const server = new Server({
    "grpc.max_receive_message_length": largestMessage,
    "grpc.max_send_message_length": largestMessage,
  });
  const handlers = { ...configurationHandlers(provider, engine, version), ...resourceHandlers(provider) };
  // What is missing, such as components, is answered with "unimplemented".
  server.addService(
    services.ResourceProviderService,
    Object.fromEntries(
      Object.entries(handlers).map(([name, handler]) => [name, served(handler as Handler<unknown, unknown>)]),
    ) satisfies UntypedServiceImplementation,
  );
  const bind = promisify(server.bindAsync.bind(server));
  const port = await bind("127.0.0.1:0", ServerCredentials.createInsecure());
  return { port, engine, stop: () => server.forceShutdown() };
}

function served(handler: Handler<unknown, unknown>) {
  return async (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>): Promise<void> => {
    try {
      callback(null, await handler(call.request));
    } catch (error) {
      callback(toServiceError(error));
    }
  };
}

type Handler<Request, Response> = (request: Request) => Response | Promise<Response>;
