import { list, needed, object, text, wholeNumber } from "../schema/field.ts";
import { maximumPort } from "./fields.ts";

const port = wholeNumber("Port to probe.", { minimum: 1, maximum: maximumPort });

const type = object(
  {
    tcp: object({ port, host: text("Host to connect to.") }, "Succeeds when the port accepts a connection."),
    http: object(
      {
        path: text("Path to get.", { default: "/" }),
        scheme: text("`HTTP` or `HTTPS`.", { default: "HTTP" }),
        port,
      },
      "Succeeds when a GET answers with success.",
    ),
    exec: object(
      { command: needed(list(text(), "The executable, then its arguments.", { minItems: 1 })) },
      "Succeeds when the command exits with status 0.",
    ),
    grpc: object(
      { service: text("Service to ask for."), port },
      "Succeeds when the gRPC health check says so.",
    ),
  },
  "How to probe: one of `tcp`, `http`, `exec`, `grpc`.",
  { alternatives: [["tcp"], ["http"], ["exec"], ["grpc"]] },
);

const probe = (purpose: string) =>
  object(
    {
      type,
      initial_delay_seconds: wholeNumber("Seconds before the first probe.", { minimum: 0, default: 30 }),
      period_seconds: wholeNumber("Seconds between probes.", { minimum: 0, default: 10 }),
      timeout_seconds: wholeNumber("Seconds until a probe counts as failed.", { minimum: 0, default: 5 }),
      success_threshold: wholeNumber("Successes in a row that make it healthy.", { minimum: 0, default: 1 }),
      failure_threshold: wholeNumber("Failures in a row that make it unhealthy.", { minimum: 0, default: 9 }),
    },
    purpose,
  );

export const healthchecks = object(
  {
    readiness_probe: probe("Checks whether the service can take traffic."),
    liveness_probe: probe("Checks whether the service has to be restarted."),
  },
  "Health checks.",
  { default: {}, alwaysSent: true },
);
