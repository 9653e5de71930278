/** The lists of an organization that fields refer to. */
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
    /** In messages: one entry, and several. */
    one: string;
    many: string;
    /** The last part of its path: `/organization/{id}/containerRegistry`. */
    segment: string;
  }
>;

export type Catalogue = keyof typeof catalogues;
