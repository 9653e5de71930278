/** The lists of an organization to which fields refer. */
export const catalogues = {
  cluster: { one: "cluster", many: "clusters", segment: "cluster" },
  containerRegistry: {
    one: "container registry",
    many: "container registries",
    segment: "containerRegistry",
  },
  gitToken: { one: "git token", many: "git tokens", segment: "gitToken" },
  annotationsGroup: { one: "annotation group", many: "annotation groups", segment: "annotationsGroups" },
  labelsGroup: { one: "label group", many: "label groups", segment: "labelsGroups" },
  project: { one: "project", many: "projects", segment: "project" },
  role: { one: "role", many: "roles", segment: "availableRole" },
  credentials: { one: "credentials", many: "credentials", segment: "credentials" },
  helmRepository: { one: "Helm repository", many: "Helm repositories", segment: "helmRepository" },
} as const satisfies Record<
  string,
  {
    /** The nouns for messages. */
    one: string;
    many: string;
    /** The last part of its path: `/organization/{id}/containerRegistry`. */
    segment: string;
  }
>;

export type Catalogue = keyof typeof catalogues;
