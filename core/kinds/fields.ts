import Type from "typebox";

const maximumPort = 65_535;

export const description = Type.Optional(
  Type.String({ description: "What the resource is for.", default: "" }),
);

const registry = Type.String({
  description: "Container registry, by name or id.",
  reference: "containerRegistry",
  minLength: 1,
});

const gitToken = Type.Optional(
  Type.String({
    description: "Git token that gives access to the repository, by name or id.",
    reference: "gitToken",
    minLength: 1,
  }),
);

/** `source.image` of a job. */
export const image = Type.Object(
  {
    image_name: Type.Optional(
      Type.String({
        description:
          "Image name; its form depends on the registry: `repository` (ECR), `namespace/image` (Scaleway), `image` or `repository/image` (Docker Hub), `registry_alias/repository` (public ECR).",
        minLength: 1,
        resettable: false,
      }),
    ),
    tag: Type.Optional(Type.String({ description: "Image tag.", minLength: 1, resettable: false })),
    registry: Type.Optional({ ...registry, resettable: false }),
  },
  {
    additionalProperties: false,
    description: "A container image.",
    needs: ["image_name", "tag", "registry"],
  },
);

export const gitRepository = Type.Object(
  {
    url: Type.Optional(
      Type.String({ description: "URL of the repository.", minLength: 1, resettable: false }),
    ),
    provider: Type.Optional(
      Type.Enum(["GITHUB", "GITLAB", "BITBUCKET"], {
        type: "string",
        description: "Git provider; may be left out where the host of the URL shows it.",
        resettable: false,
      }),
    ),
    branch: Type.Optional(Type.String({ description: "Branch to build.", minLength: 1, resettable: false })),
    root_path: Type.Optional(Type.String({ description: "Folder to build in.", default: "/" })),
    git_token: gitToken,
  },
  {
    additionalProperties: false,
    description: "A git repository.",
    needs: ["url", "provider"],
  },
);

export const dockerfilePath = Type.Optional(
  Type.String({ description: "Path of the Dockerfile in the repository.", minLength: 1 }),
);

export const dockerTargetBuildStage = Type.Optional(
  Type.String({ description: "Target build stage of the Dockerfile.", minLength: 1 }),
);

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

/** The members that every service with containers has: resources, health checks, groups and the rest. */
export const serviceFields = {
  cpu: Type.Optional(
    Type.Integer({ description: "CPU in millicores: 1000 is one CPU.", minimum: 1, default: 500 }),
  ),
  memory: Type.Optional(Type.Integer({ description: "Memory in MB.", minimum: 1, default: 512 })),
  gpu: Type.Optional(Type.Integer({ description: "Number of GPUs.", minimum: 0, default: 0 })),
  ephemeral_storage_in_gib: Type.Optional(
    Type.Integer({
      description: "Ephemeral storage in GiB; the platform's default when left out.",
      minimum: 0,
      resettable: false,
    }),
  ),
  cpu_architecture: Type.Optional(
    Type.Enum(["AMD64", "ARM64"], {
      type: "string",
      description: "CPU architecture; the cluster's default when left out.",
    }),
  ),
  healthchecks: Type.Optional(
    Type.Object(
      {
        readiness_probe: probe("Tells whether it can take traffic."),
        liveness_probe: probe("Tells whether it has to be restarted."),
      },
      { additionalProperties: false, description: "Health checks.", default: {} },
    ),
  ),
  auto_deploy: Type.Optional(
    Type.Boolean({
      description: "Whether it is deployed by itself on a new commit or image tag.",
      resettable: false,
    }),
  ),
  annotations_groups: Type.Optional(
    Type.Array(Type.String({ reference: "annotationsGroup", minLength: 1 }), {
      description: "Annotation groups of the organization, by name or id.",
      default: [],
      set: [],
    }),
  ),
  labels_groups: Type.Optional(
    Type.Array(Type.String({ reference: "labelsGroup", minLength: 1 }), {
      description: "Label groups of the organization, by name or id.",
      default: [],
      set: [],
    }),
  ),
};

/** The icon; the API gives a service one for its type, such as `app://console/job`. */
export const iconUri = (type: string) =>
  Type.Optional(
    Type.String({
      description: "Icon, as a URI.",
      format: "uri",
      resettable: false,
      generated: `^app://[^/]+/${type}$`,
    }),
  );

/** What a container is started with. */
export const commandFields = {
  arguments: Type.Optional(
    Type.Array(Type.String(), { description: "Arguments of the container's command.", default: [] }),
  ),
  entrypoint: Type.Optional(Type.String({ description: "Entrypoint of the container.", minLength: 1 })),
};

export const ports = Type.Optional(
  Type.Array(
    Type.Object(
      {
        internal_port: Type.Integer({
          description: "Port that the container listens on.",
          minimum: 1,
          maximum: maximumPort,
        }),
        external_port: Type.Optional(
          Type.Integer({
            description: "Port that it is reached at from outside.",
            minimum: 1,
            maximum: maximumPort,
          }),
        ),
        protocol: Type.Optional(
          Type.Enum(["HTTP", "GRPC", "TCP", "UDP"], {
            type: "string",
            description: "Protocol.",
            default: "HTTP",
          }),
        ),
        publicly_accessible: Type.Optional(
          Type.Boolean({ description: "Whether it can be reached from outside.", resettable: false }),
        ),
        name: Type.Optional(Type.String({ description: "Name of the port.", minLength: 1 })),
        is_default: Type.Optional(
          Type.Boolean({ description: "Whether it is the port of the default domain.", resettable: false }),
        ),
        public_path: Type.Optional(Type.String({ description: "Path under which it is published." })),
        public_path_rewrite: Type.Optional(
          Type.String({ description: "What the public path is rewritten to." }),
        ),
      },
      { additionalProperties: false, needs: ["internal_port", "publicly_accessible"] },
    ),
    {
      description: "Ports, each known by its `internal_port` and `protocol`.",
      default: [],
      set: ["internal_port", "protocol"],
      identified: true,
    },
  ),
);

export const storage = Type.Optional(
  Type.Array(
    Type.Object(
      {
        mount_point: Type.String({ description: "Path at which it is mounted.", minLength: 1 }),
        size: Type.Optional(Type.Integer({ description: "Size in GiB.", minimum: 1, resettable: false })),
        type: Type.Optional(
          Type.Enum(["FAST_SSD"], { type: "string", description: "Kind of disk.", resettable: false }),
        ),
      },
      { additionalProperties: false, needs: ["mount_point", "size", "type"] },
    ),
    {
      description: "Persistent storage, each known by its `mount_point`.",
      default: [],
      set: ["mount_point"],
      identified: true,
    },
  ),
);
