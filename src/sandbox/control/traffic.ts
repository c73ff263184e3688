interface RouteCount {
  readonly method: string;
  /** With `{name}` for parameters; `(unknown)` for paths that no route has. */
  readonly route: string;
  /** 0: the connection was cut instead of answering. */
  readonly status: number;
  readonly count: number;
}

interface TrafficReport {
  readonly total: number;
  readonly byRoute: readonly RouteCount[];
  /** The most requests that were being answered at one moment. */
  readonly peakInFlight: number;
}

/** Counts what reaches the imitated platform since the last reset; control calls are not part of it. */
export class Traffic {
  readonly #counts = new Map<string, { method: string; route: string; status: number; count: number }>();
  #total = 0;
  #inFlight = 0;
  #peak = 0;

  enter(): void {
    this.#inFlight += 1;
    if (this.#inFlight > this.#peak) this.#peak = this.#inFlight;
  }

  leave(): void {
    this.#inFlight -= 1;
  }

  count(method: string, route: string, status: number): void {
    this.#total += 1;
    const key = `${method} ${route} ${String(status)}`;
    const entry = this.#counts.get(key);
    if (entry === undefined) this.#counts.set(key, { method, route, status, count: 1 });
    else entry.count += 1;
  }

  report(): TrafficReport {
    const byRoute = [...this.#counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { method, route, status, count }]) => ({ method, route, status, count }));
    return { total: this.#total, byRoute, peakInFlight: this.#peak };
  }

  reset(): void {
    this.#counts.clear();
    this.#total = 0;
    this.#peak = this.#inFlight;
  }
}
