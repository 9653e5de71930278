/** The files with the records of a source; undefined: there is none. */
export interface SourceMemory {
  name: string;
  state: string | undefined;
  requests: string | undefined;
}

/** The store of the declared sources. */
export interface FollowedStore {
  /** The last written text; undefined: none. */
  read(): Promise<string | undefined>;
  write(content: string): Promise<void>;
  /** The records of a source, as in its file; undefined: it has none. */
  memoryOf(source: string): Promise<string | undefined>;
  /** The records of all other sources, also ended ones. */
  memoriesBeside(source: string): Promise<SourceMemory[]>;
}
