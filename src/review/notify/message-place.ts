/** What a message knows beside its news. */
export interface MessagePlace {
  /** Address of the run that made the check. */
  readonly link?: string;
  /** Owners of a place (`file:line:column`). */
  readonly ownersOf: (source: string) => readonly string[];
}
