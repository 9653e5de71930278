/** An entry of the organization that a resource refers to: a cluster, a registry, a token, a group. */
export interface Reference {
  id: string;
  /** Missing where the API reports the id alone. */
  name?: string;
}
