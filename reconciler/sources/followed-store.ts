/** Where it is kept which sources were stated. */
export interface FollowedStore {
  /** What was written last; empty: nothing. */
  read(): Promise<string>;
  write(content: string): Promise<void>;
  /** What a source remembers, as its file has it; empty: nothing is known. */
  memoryOf(source: string): Promise<string>;
}
