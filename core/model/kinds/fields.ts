import {
  choice,
  flag,
  needed,
  object,
  reference,
  required,
  set,
  text,
  wholeNumber,
  withoutDefault,
  word,
} from "../schema/field.ts";

export const maximumPort = 65_535;

export const description = text("Purpose of the resource.", { default: "" });

export const environmentModes = ["DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"] as const;

export const weekdays = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];

/** A text that is optional, and cannot be reset. */
export const optionalWord = (what: string) => withoutDefault(word(what));

/** The members of an image, in a container and in the source of a job. */
export const imageFields = {
  image_name: needed(
    word(
      "Image name; its form depends on the registry: `repository` (ECR), `namespace/image` (Scaleway), `image` or `repository/image` (Docker Hub), `registry_alias/repository` (public ECR).",
      { examples: ["acme/report"], doubt: "image" },
    ),
  ),
  tag: needed(word("Image tag.", { examples: ["1.4.2"], doubt: "tag" })),
  registry: needed(
    reference("containerRegistry", "Container registry, by name or id.", { examples: ["docker-hub"] }),
  ),
};

export const image = object("A container image.", imageFields);

const repository = {
  url: needed(
    word("URL of the repository, without credentials: `git_token` gives access.", {
      format: "git-url",
      doubt: "repository",
      examples: ["https://github.com/acme/api"],
    }),
  ),
  branch: withoutDefault(
    word("Branch to build.", { examples: ["main"], doubt: "branch", platformSets: [{ is: "main" }] }),
  ),
  root_path: text("Folder to build in.", { default: "/" }),
  git_token: reference("gitToken", "Git token that gives access to the repository, by name or id."),
};

const gitFacts = {
  facts: [
    "has_access",
    "owner",
    "name",
    "provider",
    "deployed_commit_id",
    "deployed_commit_date",
    "deployed_commit_contributor",
    "deployed_commit_tag",
  ],
};

/** A repository whose provider the API requires. */
export const gitRepository = object(
  "A git repository.",
  {
    url: repository.url,
    provider: needed(
      choice(
        ["GITHUB", "GITLAB", "BITBUCKET"],
        "Git provider; may be left out where the host of the URL shows it.",
      ),
    ),
    branch: repository.branch,
    root_path: repository.root_path,
    git_token: repository.git_token,
  },
  gitFacts,
);

/** A repository whose provider the API detects. */
export const plainGitRepository = object("A git repository.", repository, gitFacts);

export const dockerfilePath = word("Path of the Dockerfile in the repository.", { examples: ["Dockerfile"] });

export const dockerTargetBuildStage = word("Target build stage of the Dockerfile.", {
  examples: ["production"],
});

const port = (what: string) => wholeNumber(what, { minimum: 1, maximum: maximumPort });

export const portFields = {
  internal_port: required(port("Port that the container listens on.")),
  external_port: port("Port that it is reached at from outside."),
};

export const ports = set(
  ["internal_port", "protocol"],
  object({
    ...portFields,
    protocol: choice(["HTTP", "GRPC", "TCP", "UDP"], "Protocol.", { default: "HTTP" }),
    publicly_accessible: needed(flag("Whether it can be reached from outside.")),
    name: word("Name of the port.", { examples: ["web"], generated: "^p[0-9]+$" }),
    is_default: withoutDefault(
      flag("Whether it is the port of the default domain.", {
        platformSets: [{ is: false }, { is: true, when: { member: "publicly_accessible", is: true } }],
      }),
    ),
    public_path: text("Path under which it is published.", { examples: ["/api"] }),
    public_path_rewrite: text("Path to which the public path is rewritten."),
  }),
  "Ports, each identified by its `internal_port` and `protocol`.",
  { identified: true },
);

export const storage = set(
  ["mount_point"],
  object({
    mount_point: required(word("Path at which it is mounted.", { examples: ["/data"], doubt: "mountPoint" })),
    size: needed(
      wholeNumber("Size in GiB.", { minimum: 1, unit: "GiB", loses: { when: "smaller", what: "volume" } }),
    ),
    type: needed(choice(["FAST_SSD"], "Kind of disk.")),
  }),
  "Persistent storage, each identified by its `mount_point`.",
  { identified: true, loses: { when: "gone", what: "volume" } },
);
