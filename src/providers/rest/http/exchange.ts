import type { Dispatcher } from 'undici';
import { NotSentError } from '@platform-sync/core/model/state-store';

export interface HttpAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** It refuses an attempt after an earlier one that may have been carried out. */
  readonly isAfterDoubt?: boolean;
}

/** One request under way. Its answer is gathered as it comes, with no stream in between: it is read whole, and its size is bounded. */
export class Exchange implements Dispatcher.DispatchHandler {
  /** Rejects with what the client says, with what `end` was given, or with NotSentError. */
  readonly answer: Promise<HttpAnswer>;
  readonly #mayLeave: () => boolean;
  readonly #parts: Buffer[] = [];
  #resolve: (answer: HttpAnswer) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #ended: Error | undefined;
  #status = 0;
  #headers: HttpAnswer['headers'] = {};

  /** `mayLeave` is asked in the moment before the first byte is written; when it may not, nothing is. */
  constructor(mayLeave: () => boolean) {
    this.#mayLeave = mayLeave;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Gives the request up: what has not left does not, what has is cut off. Nobody waits for its connection any more. */
  end(reason: Error): void {
    this.#ended ??= reason;
    if (this.#controller === undefined) this.#reject(this.#ended);
    else this.#controller.abort(this.#ended);
  }

  // Called when a connection stands and is free, right before the request is written to it.
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended !== undefined) controller.abort(this.#ended);
    else if (!this.#mayLeave()) controller.abort(new NotSentError());
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // An interim one (1xx) comes before the answer.
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, part: Buffer): void {
    this.#parts.push(part);
  }

  onResponseEnd(): void {
    this.#resolve({ status: this.#status, headers: this.#headers, text: textOf(this.#parts) });
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#reject(error);
  }
}

/** Decoded as a whole: a sign may stand across two parts. A byte order mark is none of the text. */
function textOf(parts: readonly Buffer[]): string {
  const [first = Buffer.alloc(0)] = parts;
  const whole = parts.length > 1 ? Buffer.concat(parts) : first;
  const isMarked = whole[0] === 0xef && whole[1] === 0xbb && whole[2] === 0xbf;
  return whole.toString('utf8', isMarked ? 3 : 0);
}
