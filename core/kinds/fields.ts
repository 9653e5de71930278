import Type from "typebox";

export const maximumPort = 65_535;

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
