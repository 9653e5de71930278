import Type from "typebox";
import { maximumPort } from "./fields.ts";

const probePort = Type.Optional(
  Type.Integer({ description: "Port to probe.", minimum: 1, maximum: maximumPort }),
);

const probe = (purpose: string) =>
  Type.Optional(
    Type.Object(
      {
        type: Type.Optional(
          Type.Object(
            {
              tcp: Type.Optional(
                Type.Object(
                  {
                    port: probePort,
                    host: Type.Optional(Type.String({ description: "Host to connect to." })),
                  },
                  {
                    additionalProperties: false,
                    description: "Succeeds when the port accepts a connection.",
                  },
                ),
              ),
              http: Type.Optional(
                Type.Object(
                  {
                    path: Type.Optional(Type.String({ description: "Path to get.", default: "/" })),
                    scheme: Type.Optional(
                      Type.String({ description: "`HTTP` or `HTTPS`.", default: "HTTP" }),
                    ),
                    port: probePort,
                  },
                  { additionalProperties: false, description: "Succeeds when a GET answers with success." },
                ),
              ),
              exec: Type.Optional(
                Type.Object(
                  {
                    command: Type.Optional(
                      Type.Array(Type.String(), {
                        description: "The executable, then its arguments.",
                        minItems: 1,
                        resettable: false,
                      }),
                    ),
                  },
                  {
                    additionalProperties: false,
                    description: "Succeeds when the command exits with status 0.",
                    needs: ["command"],
                  },
                ),
              ),
              grpc: Type.Optional(
                Type.Object(
                  {
                    service: Type.Optional(Type.String({ description: "Service to ask for." })),
                    port: probePort,
                  },
                  {
                    additionalProperties: false,
                    description: "Succeeds when the gRPC health check says so.",
                  },
                ),
              ),
            },
            {
              additionalProperties: false,
              description: "How to probe: one of `tcp`, `http`, `exec`, `grpc`.",
              alternatives: [["tcp"], ["http"], ["exec"], ["grpc"]],
            },
          ),
        ),
        initial_delay_seconds: Type.Optional(
          Type.Integer({ description: "Seconds before the first probe.", minimum: 0, default: 30 }),
        ),
        period_seconds: Type.Optional(
          Type.Integer({ description: "Seconds between probes.", minimum: 0, default: 10 }),
        ),
        timeout_seconds: Type.Optional(
          Type.Integer({ description: "Seconds until a probe counts as failed.", minimum: 0, default: 5 }),
        ),
        success_threshold: Type.Optional(
          Type.Integer({ description: "Successes in a row that make it healthy.", minimum: 0, default: 1 }),
        ),
        failure_threshold: Type.Optional(
          Type.Integer({ description: "Failures in a row that make it unhealthy.", minimum: 0, default: 9 }),
        ),
      },
      { additionalProperties: false, description: purpose },
    ),
  );

export const healthchecks = Type.Optional(
  Type.Object(
    {
      readiness_probe: probe("Tells whether it can take traffic."),
      liveness_probe: probe("Tells whether it has to be restarted."),
    },
    { additionalProperties: false, description: "Health checks.", default: {} },
  ),
);
