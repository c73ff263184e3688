/** Requests a minute that several runs keep together, on however many machines: those that ask one server with one token. */
export interface SharedRate {
  /** Asks for up to so many requests. Rejects when nobody could be asked. */
  take(wanted: number): Promise<Grant>;
  /** The server refused: nobody asks it for so long. */
  refused(ms: number): Promise<void>;
}

/** Requests that may leave: each at its moment or soon after. None: ask again after `inMs`. */
export interface Grant {
  readonly count: number;
  /** Milliseconds from the grant to the first moment. */
  readonly inMs: number;
  /** From one moment to the next. */
  readonly apartMs: number;
  /** A request that has not left so long after its moment may not leave by it. */
  readonly lifeMs: number;
}

/** What somebody waits for goes before what a schedule asks for. */
export type Urgency = 'scheduled' | 'asked' | 'writing';
