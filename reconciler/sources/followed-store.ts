/** The files with the records of a source; undefined: there is none. */
export interface SourceMemory {
  name: string;
  /** Where they are, for people. */
  place: string;
  state: string | undefined;
  requests: string | undefined;
}

/** The store of the declared sources. */
export interface FollowedStore {
  /** The last written text; undefined: none. */
  read(): Promise<string | undefined>;
  write(content: string): Promise<void>;
  /** Makes room for a new text in place of a damaged one. Returns the report of the damage. */
  setAside(damage: string, unknown: string): Promise<string>;
  /** The records of a source, as in its file; undefined: it has none. */
  memoryOf(source: string): Promise<string | undefined>;
  /** The records of all other sources, also ended ones. */
  memoriesBeside(source: string): Promise<SourceMemory[]>;
}
