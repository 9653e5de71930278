/** The files with the records of a source; empty: none. */
export interface SourceMemory {
  name: string;
  state: string;
  requests: string;
}

/** The store of the declared sources. */
export interface FollowedStore {
  /** The last written text; empty: none. */
  read(): Promise<string>;
  write(content: string): Promise<void>;
  /** The records of a source, as in its file; empty: unknown. */
  memoryOf(source: string): Promise<string>;
  /** The records of all other sources, also ended ones. */
  memoriesBeside(source: string): Promise<SourceMemory[]>;
}
