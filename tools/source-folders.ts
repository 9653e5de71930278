/** The one list of the folders of sources; `tsconfig.json` and the image's ignore file are compared with it by a test. */
export const rulesOfFolders: readonly {
  name: string;
  /** The other folders of sources that it may import. */
  imports: readonly string[];
  /** Why it may import no others. */
  because: string;
}[] = [
  { name: "core", imports: [], because: "Front ends use core; core knows none of them." },
  {
    name: "adapters",
    imports: ["core"],
    because: "What speaks with a database, a repository, a Git host or a browser knows no front end.",
  },
  { name: "emulator", imports: [], because: "A misreading of the API must not hide in both." },
  { name: "provider", imports: ["core", "adapters"], because: "The provider is a front end of its own." },
  {
    name: "reconciler",
    imports: ["core", "adapters"],
    because: "The command line starts the reconciler, which knows no front end.",
  },
  {
    name: "ci",
    imports: ["core", "adapters", "reconciler", "cli"],
    because: "The jobs of a Git host use what commands share, and know no command.",
  },
  {
    name: "cli",
    imports: ["core", "adapters", "emulator", "reconciler", "ci"],
    because:
      "The command line starts the emulator, the reconciler and the jobs of a Git host, and knows no other front end.",
  },
];

export const sourceFolders = rulesOfFolders.map(({ name }) => name);
