/** The files with the memory of a source; empty: it has none. */
export interface SourceMemory {
  /** Of the source. */
  name: string;
  state: string;
  pauses: string;
  requests: string;
}

/** Where it is kept which sources were stated. */
export interface FollowedStore {
  /** What was written last; empty: nothing. */
  read(): Promise<string>;
  write(content: string): Promise<void>;
  /** What a source remembers, as its file has it; empty: nothing is known. */
  memoryOf(source: string): Promise<string>;
  /** What all other sources remember, also those that have ended. */
  memoriesBeside(source: string): Promise<SourceMemory[]>;
}
