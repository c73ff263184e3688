import type { Dispatcher } from 'undici';
import { NotSentError } from '../../engine/model/fence.js';

/** Asks `mayLeave` in the moment a request's first byte is about to be written, and gives the request up when it may not. */
export function fencing(mayLeave: (options: object) => boolean): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => dispatch(options, new FencedHandler(handler, () => mayLeave(options)));
}

class FencedHandler implements Dispatcher.DispatchHandler {
  readonly #inner: Dispatcher.DispatchHandler;
  readonly #mayLeave: () => boolean;

  constructor(inner: Dispatcher.DispatchHandler, mayLeave: () => boolean) {
    this.#inner = inner;
    this.#mayLeave = mayLeave;
  }

  // Called when a connection stands and is free, right before the request is written to it.
  onRequestStart(...[controller, context]: Parameters<Required<Dispatcher.DispatchHandler>['onRequestStart']>): void {
    this.#inner.onRequestStart?.(controller, context);
    if (!controller.aborted && !this.#mayLeave()) controller.abort(new NotSentError());
  }

  onRequestUpgrade(...given: Parameters<Required<Dispatcher.DispatchHandler>['onRequestUpgrade']>): void {
    this.#inner.onRequestUpgrade?.(...given);
  }

  onResponseStart(...given: Parameters<Required<Dispatcher.DispatchHandler>['onResponseStart']>): void {
    this.#inner.onResponseStart?.(...given);
  }

  onResponseData(...given: Parameters<Required<Dispatcher.DispatchHandler>['onResponseData']>): void {
    this.#inner.onResponseData?.(...given);
  }

  onResponseEnd(...given: Parameters<Required<Dispatcher.DispatchHandler>['onResponseEnd']>): void {
    this.#inner.onResponseEnd?.(...given);
  }

  onResponseError(...given: Parameters<Required<Dispatcher.DispatchHandler>['onResponseError']>): void {
    this.#inner.onResponseError?.(...given);
  }
}
