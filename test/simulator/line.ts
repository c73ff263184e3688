import type { Dispatcher } from 'undici';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { Connect } from '@platform-sync/rest/http/transport';
import type { Chance } from './chance.js';
import { lies, wrongAnswer } from './lies.js';
import type { Rates } from './scenario.js';
import type { Answer, Lie, Request, Service } from './service.js';
import type { VirtualTime } from './virtual-time.js';

/** What lies between one process and the service. */
export interface Line {
  readonly time: VirtualTime;
  readonly service: Service;
  readonly chance: Chance;
  readonly rates: () => Rates;
  readonly name: string;
  readonly isDead: () => boolean;
  /** Nothing arrives before. */
  readonly awayUntil: () => number;
  /** An event of the process: it never comes to one that is dead, and waits for one that stands still. */
  readonly later: (ms: number, task: () => void) => void;
  /** Hears of each write in the moment its bytes leave, and when it is done. */
  readonly onWrite: (request: Request) => void;
  readonly carriedOut: (request: Request, work: () => Answer) => Answer;
  /** Objects about which this process was told something wrong: of each it is, once at most. */
  readonly liedAbout: Set<string>;
}

/** Bytes that have left may still arrive so long after their sender is gone, milliseconds. */
const onTheWayMs = 400;

/** What becomes of a request: where it is lost, and what is answered in place of the answer. */
interface Fate {
  readonly arrives: boolean;
  readonly returns: 'answer' | 'reset' | 'silence' | Answer;
  readonly there: number;
  readonly back: number;
  readonly lie?: Lie | undefined;
  readonly twice?: boolean;
}

/** Opens lines whose requests are events: they leave, arrive and are answered at moments of their own. */
export function lineTo(line: Line): Connect {
  return () =>
    Promise.resolve({
      dispatch: (options, handler) => {
        line.later(1, () => send(line, requestOf(options), handler));
        return true;
      },
      destroy: () => Promise.resolve(),
    });
}

function requestOf({ method, path, body }: Dispatcher.DispatchOptions): Request {
  return { method, path, body: typeof body === 'string' ? (JSON.parse(body) as JsonObject) : undefined };
}

function send(line: Line, request: Request, handler: Dispatcher.DispatchHandler): void {
  const { time, name } = line;
  const control = new Control(handler);
  handler.onRequestStart?.(control, undefined);
  if (control.aborted) return;
  const fate = fateOf(line, request);
  if (request.method !== 'GET') line.onWrite(request);
  time.note(`${name} ${request.method} ${request.path}`);
  if (fate.arrives) time.in(fate.there, '', () => arrive(line, request, fate, control, time.now));
  else if (fate.returns !== 'silence') line.later(fate.there, () => answer(control, fate.returns as Answer));
  control.onAbort = () => (control.endedAt ??= time.now);
}

function arrive(line: Line, request: Request, fate: Fate, control: Control, leftAt: number): void {
  const { time } = line;
  // What was cut off long before it would have arrived never does.
  const cutAt = line.isDead() ? leftAt : control.endedAt;
  if (cutAt !== undefined && time.now - Math.max(cutAt, leftAt) > onTheWayMs) return;
  const work = (): Answer => line.carriedOut(request, () => answered(line, request, fate.lie));
  const right = work();
  if (fate.twice === true) work();
  time.note(
    `${line.name} ${request.method} ${request.path} ${String(right.status)} ${typeof fate.lie === 'object' ? fate.lie.list : (fate.lie ?? '')}`,
  );
  if (fate.returns === 'silence') return;
  line.later(fate.back, () => answer(control, fate.returns === 'answer' ? right : (fate.returns as Answer)));
}

function answered({ service, chance }: Line, request: Request, lie: Lie | undefined): Answer {
  const right = service.handle(request, lie);
  return typeof lie === 'object' ? wrongAnswer(lie.list, right, chance) : right;
}

function answer(control: Control, given: Answer | 'reset'): void {
  if (control.aborted) return;
  if (typeof given === 'string') return control.fail('ECONNRESET');
  control.answer(given);
}

function fateOf({ chance, rates: now, liedAbout, time, awayUntil }: Line, { method, path }: Request): Fate {
  const rates = now();
  const there = chance.happens(rates.slow) ? chance.between(100, 8000) : chance.between(2, 60);
  const back = chance.happens(rates.slow) ? chance.between(100, 8000) : chance.between(2, 60);
  const common = { there, back };
  if (time.now < awayUntil())
    return { ...common, arrives: false, returns: chance.pick(['reset', { status: 503, body: 'away' }] as const) };
  if (chance.happens(rates.lost)) {
    const returns = chance.pick(['reset', 'silence'] as const);
    return { ...common, arrives: chance.happens(600), returns };
  }
  if (chance.happens(rates.refused)) return { ...common, arrives: false, returns: refusal(chance) };
  if (chance.happens(rates.failed)) {
    const status = chance.pick([500, 502, 503]);
    return { ...common, arrives: chance.happens(500), returns: { status, body: 'not well' } };
  }
  const about = path.split('?')[0] ?? '';
  const lie =
    method === 'GET' && !liedAbout.has(about) && chance.happens(rates.wrong) ? lieFor(about, chance) : undefined;
  if (lie !== undefined) liedAbout.add(about);
  return {
    ...common,
    arrives: true,
    returns: 'answer',
    lie,
    twice: method !== 'POST' && method !== 'GET' && chance.happens(rates.twice),
  };
}

function refusal(chance: Chance): Answer {
  if (chance.happens(500)) return { status: 429, headers: { 'retry-after': String(chance.between(1, 20)) }, body: {} };
  return {
    status: 403,
    headers: { 'content-type': 'application/problem+json' },
    body: { status: 403, title: 'Forbidden' },
  };
}

function lieFor(path: string, chance: Chance): Lie {
  const isList = /^\/(?:sites|routes)$|\/(?:pages|members)$/.test(path);
  if (isList && chance.happens(600)) return { list: chance.pick(lies) };
  return isList ? chance.pick(['missing in list', 'cut list']) : chance.pick(['denied', 'denied by a machine between']);
}

/** One request as its sender sees it. */
class Control implements Dispatcher.DispatchController {
  aborted = false;
  paused = false;
  reason: Error | null = null;
  endedAt: number | undefined;
  onAbort: () => void = () => undefined;
  readonly #handler: Dispatcher.DispatchHandler;

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler;
  }

  abort(reason: Error): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.onAbort();
    this.#handler.onResponseError?.(this, reason);
  }

  fail(code: string): void {
    this.aborted = true;
    this.#handler.onResponseError?.(this, Object.assign(new Error(code), { code }));
  }

  answer({ status, headers = {}, body }: Answer): void {
    this.aborted = true;
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? 'text/plain' : 'application/json';
    this.#handler.onResponseStart?.(this, status, { 'content-type': type, ...headers });
    this.#handler.onResponseData?.(this, Buffer.from(text));
    this.#handler.onResponseEnd?.(this, {});
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }
}
