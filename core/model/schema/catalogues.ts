/** The lists of an organization to which fields refer, with the nouns for messages. */
export const catalogues = {
  cluster: { one: "cluster", many: "clusters" },
  containerRegistry: { one: "container registry", many: "container registries" },
  gitToken: { one: "git token", many: "git tokens" },
  annotationsGroup: { one: "annotation group", many: "annotation groups" },
  labelsGroup: { one: "label group", many: "label groups" },
  project: { one: "project", many: "projects" },
  role: { one: "role", many: "roles" },
  credentials: { one: "credentials", many: "credentials" },
  helmRepository: { one: "Helm repository", many: "Helm repositories" },
} as const satisfies Record<string, { one: string; many: string }>;

export type Catalogue = keyof typeof catalogues;
