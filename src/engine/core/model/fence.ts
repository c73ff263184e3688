/** The right to send writes, as whoever puts bytes on the wire asks for it. Reads need none. */
export interface Fence {
  /** True when a write may leave now. To be asked in the moment its bytes leave, after every wait. */
  mayWrite(): boolean;
  /** Fires when the run was asked to end, or may not write any more: no write leaves from then on, and none waits for its turn. */
  readonly dropped: AbortSignal;
  /** Fires when writes that have left must be cut off, because another run may have the stack soon. */
  readonly cut: AbortSignal;
}

/** A write that has not left: the run may not send any more, or was asked to end while it waited. Nothing happened. */
export class NotSentError extends Error {
  override name = 'NotSentError';
  constructor() {
    super('the write was not sent: the run may not send any more');
  }
}
