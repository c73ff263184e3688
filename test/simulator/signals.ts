/**
 * The runtime keeps each signal of `AbortSignal.any` that has a listener until one of its sources is aborted. A process that is killed
 * takes no listener away, so that here, where all processes share one memory, each would stay for ever with all that it knew: half a
 * megabyte a world. This one lives as long as its sources, and those as long as their process.
 */
AbortSignal.any = (signals) => {
  const controller = new AbortController();
  for (const signal of signals)
    if (signal.aborted) controller.abort(signal.reason);
    else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
  return controller.signal;
};
