import { credentials } from "@grpc/grpc-js";
import engineServices from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import engineMessages from "@pulumi/pulumi/proto/engine_pb.js";
import type { Tell } from "./provider.ts";

export class Engine {
  /** Where it listens; undefined where it has not said so. */
  address: string | undefined;
  #client: InstanceType<typeof engineServices.EngineClient> | undefined;

  /** @param address where the engine listens: `127.0.0.1:1234` */
  connect(address: string): void {
    this.address = address;
    this.#client?.close();
    this.#client = new engineServices.EngineClient(address, credentials.createInsecure());
  }

  /** Shows the user a message; without an engine on standard error. */
  readonly tell: Tell = (severity, message, urn) => {
    if (!this.#client) {
      console.error(`${severity}: ${message}`);
      return;
    }
    const request = new engineMessages.LogRequest();
    request.setSeverity(severities[severity]);
    request.setMessage(message);
    request.setEphemeral(severity === "wait");
    if (urn !== undefined) request.setUrn(urn);
    this.#client.log(request, (error) => {
      if (error) console.error(`${severity}: ${message}`);
    });
  };
}

const { LogSeverity } = engineMessages;

const severities = {
  info: LogSeverity.INFO,
  wait: LogSeverity.INFO,
  warning: LogSeverity.WARNING,
  error: LogSeverity.ERROR,
} as const;
