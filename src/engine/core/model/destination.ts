/** Where the operator has a secret go that is shown once. No file of the project can name one. */
export interface Destination {
  /** What it is, never what goes there: `a file`, `file descriptor 3`, `a command`. */
  readonly kind: string;
  /** Said for all that the operator runs: a project without such an output is as good. */
  readonly isForAny?: true;
  /** Hands the secret over; gives why it is lost, where it did not arrive. */
  readonly deliver: (secret: string) => Promise<string | undefined>;
}

/** By the name of the output that names the secret. */
export type Destinations = ReadonlyMap<string, Destination>;
