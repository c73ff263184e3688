import type { Dispatcher } from 'undici';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { Connect } from '@platform-sync/rest/http/transport';
import type { Chance, Decisions } from './chance.js';
import { lies, likelyLies, wrongAnswer } from './lies.js';
import type { Rates } from './scenario.js';
import type { Answer, Collection, Lie, Request, Service } from './service.js';
import { apiKey } from './types.js';
import type { VirtualTime } from './virtual-time.js';

/** What lies between one process and the service. */
export interface Line {
  readonly time: VirtualTime;
  readonly service: Service;
  readonly decisions: Decisions;
  readonly rates: () => Rates;
  readonly name: string;
  /** When it ended, or was killed. */
  readonly endedAt: () => number | undefined;
  /** Nothing arrives before. */
  readonly awayUntil: () => number;
  /** No write is answered before; so many of a thousand are carried out. */
  readonly writesAwayUntil: () => number;
  readonly writesArrive: () => number;
  /** Whether the service lets it end that. */
  readonly mayEnd: (path: string) => boolean;
  /** How long the service asks to wait, once: milliseconds. */
  readonly takeHold: () => number | undefined;
  /** An event of the process: it never comes to one that is dead, and waits for one that stands still. */
  readonly later: (ms: number, task: () => void) => void;
  /** How often the process has asked for each path. */
  readonly times: Map<string, number>;
  /** What those have heard who keep one pace. */
  readonly past: Past;
  /** Hears of each request that is asked for, so many milliseconds before it was allowed to. */
  readonly onEarly: (request: Request, ms: number) => void;
  /** Hears of each write when it is asked for: a connection may have to be made first. */
  readonly onAsked: (request: Request) => void;
  /** Hears of each write in the moment its bytes leave. */
  readonly onWrite: (request: Request) => void;
  /** Hears of each request that does not leave although a connection was free. */
  readonly onHeldBack: (request: Request) => void;
  /** Hears that a write was carried out, or was not: its answer leaves no doubt. */
  readonly onSettled: (request: Request, answer: Answer) => void;
  /** Hears of each look when the service answers it. */
  readonly onLook: (request: Request) => void;
  /** Carries out a request; `isLate`: after its sender was told that it is lost. */
  readonly carriedOut: (request: Request, isLate: boolean, work: () => Answer) => Answer;
  /** Hears of each answer to a read that has come, when it was true, and of which objects a list said something. */
  readonly onSeen: (request: Request, at: number, listed: readonly Json[], told: Answer) => void;
  /** Paths about which this process was told something wrong, of each once at most, and when. */
  readonly liedAbout: Map<string, number>;
  /** How many of a thousand looks are answered wrongly because it is misled. */
  readonly misledOften: () => number;
  /** How lists are wrong then; undefined: each in its own way. */
  readonly misledBy: () => string | undefined;
  readonly deniedHome: () => DeniedHome | undefined;
  /** Each page of a list says that there are more than there are. */
  readonly miscounts: () => boolean;
  /** Writes are answered late. */
  readonly tarries: () => boolean;
}

/** A home that whoever answers does not know, neither by itself nor in its list; of what lives in it, it shows one kind. */
export interface DeniedHome {
  readonly id: string;
  readonly shown: Collection;
  /** The list of that says of each page another number. */
  readonly moves?: boolean;
}

/** Bytes that have left may still arrive so long after their sender is gone, milliseconds. */
const onTheWayMs = 400;

/** What its sender was told to be lost is carried out so much later at most, milliseconds. */
const latestMs = 1_500;

/** What becomes of a request: whether it leaves, where it is lost, and what is answered in place of the answer. */
interface Fate {
  /** Until a connection stands; 0: one is free. */
  readonly connect: number;
  readonly arrives: boolean;
  readonly returns: 'answer' | 'reset' | 'silence' | 'refused' | Answer;
  readonly there: number;
  readonly back: number;
  /** It is carried out so long after its answer was lost: it was on its way behind whoever gave it up. */
  readonly after?: number;
  readonly lie?: Lie;
  readonly twice?: true;
}

const usual: Fate = { connect: 0, arrives: true, returns: 'answer', there: 5, back: 5 };

/** What was answered before. */
export class Past {
  refusals = 0;
  waitsUntil = 0;
}

/** Opens lines whose requests are events: they leave, arrive and are answered at moments of their own. */
export function lineTo(line: Line): Connect {
  return () =>
    Promise.resolve({
      dispatch: (options, handler) => {
        connected(line, requestOf(options), new Control(handler));
        return true;
      },
      destroy: () => Promise.resolve(),
    });
}

function requestOf({ method, path, body }: Dispatcher.DispatchOptions): Request {
  return { method, path, body: typeof body === 'string' ? (JSON.parse(body) as JsonObject) : undefined };
}

/** A connection that is free takes a request at once; a new one takes its time, and may be refused. */
function connected(line: Line, request: Request, control: Control): void {
  const { time, decisions, name, later, past, times } = line;
  const what = `${request.method} ${request.path}`;
  const nth = (times.get(what) ?? 0) + 1;
  times.set(what, nth);
  if (time.now < past.waitsUntil) line.onEarly(request, past.waitsUntil - time.now);
  const label = `${name} ${what} ${String(nth)}`;
  const fate = decisions.of(label, usual, (chance) => fateOf(line, request, chance));
  const { returns } = fate;
  control.onAnswer = (given) => {
    const { status, headers } = given;
    if (request.method !== 'GET' && status < 500 && status !== 408) line.onSettled(request, given);
    if (status !== 429) return;
    past.refusals += 1;
    past.waitsUntil = Math.max(past.waitsUntil, time.now + Number(headers?.['retry-after']) * 1000);
  };
  if (request.method !== 'GET') line.onAsked(request);
  if (fate.connect === 0) return send(line, label, request, fate, control);
  later(fate.connect, () =>
    returns === 'refused' ? control.fail('ECONNREFUSED') : send(line, label, request, fate, control),
  );
}

function send(line: Line, label: string, request: Request, fate: Fate, control: Control): void {
  const { time, name } = line;
  control.start();
  if (control.isOver) return fate.connect === 0 ? line.onHeldBack(request) : undefined;
  if (request.method !== 'GET') line.onWrite(request);
  time.note(`${name} ${request.method} ${request.path}`);
  if (fate.after !== undefined) {
    line.later(fate.there, () => answer(control, 'reset'));
    time.in(fate.there + fate.after, '', () => arrive(line, label, request, { ...fate, returns: 'silence' }, control));
  } else if (fate.arrives) time.in(fate.there, '', () => arrive(line, label, request, fate, control));
  else if (fate.returns !== 'silence') line.later(fate.there, () => answer(control, fate.returns as Answer));
  control.onAbort = () => (control.endedAt ??= time.now);
}

function arrive(line: Line, label: string, request: Request, fate: Fate, control: Control): void {
  const { time } = line;
  // What was cut off long before it would have arrived never does, and of what a dead one sent half.
  const endedAt = line.endedAt();
  const cutAt = Math.min(endedAt ?? Infinity, control.endedAt ?? Infinity);
  if (time.now - cutAt > onTheWayMs) return;
  if (endedAt !== undefined && line.decisions.of(`${label} is lost`, false, (chance) => chance.happens(500))) return;
  const work = (): Answer => line.carriedOut(request, fate.after !== undefined, () => line.service.handle(request));
  const right = work();
  if (request.method === 'GET') line.onLook(request);
  if (fate.twice === true) work();
  const said = fate.lie === undefined ? right : wrong(line, label, request, fate.lie, right);
  const told = miscounted(line, request, withoutHome(line, request, said));
  time.note(
    `${line.name} ${request.method} ${request.path} ${String(told.status)} ${typeof fate.lie === 'object' ? fate.lie.list : (fate.lie ?? '')}`,
  );
  const { returns } = fate;
  if (returns === 'silence') return;
  const { now } = time;
  line.later(fate.back, () => {
    if (returns === 'answer' && request.method === 'GET' && !control.isOver)
      line.onSeen(request, now, idsIn(told), told);
    answer(control, returns === 'answer' ? told : (returns as Answer));
  });
}

function withoutHome({ deniedHome, service, liedAbout, time }: Line, { method, path }: Request, right: Answer): Answer {
  const home = deniedHome();
  if (home === undefined || method !== 'GET') return right;
  const [place = ''] = path.split('?');
  const [, , id, inner] = place.split('/');
  const isList = place === '/sites';
  if (!isList && id === home.id && inner === home.shown) return home.moves === true ? moving(path, right) : right;
  if (!isList && id !== home.id) return right;
  liedAbout.set(place, time.now);
  return isList ? service.lacking(path, home.id) : service.denied();
}

/** As where others work on it while it is read: there is something in it, and nobody knows how many. */
function moving(path: string, { body = null, ...right }: Answer): Answer {
  if (!isObject(body) || typeof body['total'] !== 'number') return { ...right, body };
  const more = [...path].reduce((sum, sign) => sum + sign.charCodeAt(0), 0) % 50;
  return { ...right, body: { ...body, total: body['total'] + 3 + more } };
}

/** No list that says so is ever whole, whatever it shows: it says the same each time. */
function miscounted({ miscounts, liedAbout, time }: Line, request: Request, { body = null, ...right }: Answer): Answer {
  const isList = request.method === 'GET' && isObject(body) && typeof body['total'] === 'number';
  if (!isList || !miscounts()) return { ...right, body };
  liedAbout.set(aboutOf(request), time.now);
  return { ...right, body: { ...body, total: Number(body['total']) + 3 } };
}

/** The wrong answer itself is what is decided: a world that is a list of events repeats it to the letter. */
function wrong(
  { decisions, service, liedAbout, time }: Line,
  label: string,
  request: Request,
  lie: Lie,
  right: Answer,
): Answer {
  const place = aboutOf(request);
  const told = decisions.of(`${label} says`, right, (chance) => {
    const answer =
      typeof lie === 'object' ? wrongAnswer(lie.list, right, chance) : service.wrongly(request, lie, right, chance);
    // Another answer may have told something wrong about it while this one was asked for.
    return [place, ...lacking(service, place, right, answer)].some((path) => liedAbout.has(path)) ? right : answer;
  });
  for (const path of [place, ...lacking(service, place, right, told)]) liedAbout.set(path, time.now);
  return told;
}

/** Paths of the objects that a wrong list does not show, or under another name: who was told so is not told the same by themselves, nor the other way round. */
function lacking(service: Service, place: string, right: Answer, told: Answer): readonly string[] {
  const shown = new Set(itemsIn(told).map(calledIn));
  const lost = itemsIn(right).flatMap((item) => (shown.has(calledIn(item)) ? [] : [`${place}/${String(item['id'])}`]));
  // Where nothing is counted, nobody misses what stands behind a page that seems to be the last.
  const isLast = !isFollowed(told) && (isFollowed(right) || itemsIn(told).length === 0);
  return service.isUncounted && isLast ? [...lost, ...service.pathsIn(place)] : lost;
}

function isFollowed({ body = null }: Answer): boolean {
  return isObject(body) && (body['next'] ?? '') !== '';
}

/** Of a page of a list. */
function itemsIn({ body }: Answer): readonly JsonObject[] {
  const items = isObject(body ?? null) ? (body as JsonObject)['items'] : undefined;
  return Array.isArray(items) ? (items as readonly Json[]).filter(isObject) : [];
}

function idsIn(answer: Answer): readonly Json[] {
  return itemsIn(answer).map(({ id = null }) => id);
}

function calledIn({ id = null, name, title, mail }: JsonObject): string {
  return JSON.stringify([id, name ?? title ?? mail ?? null]);
}

function aboutOf({ path }: Request): string {
  return path.split('?')[0] ?? '';
}

function answer(control: Control, given: Answer | 'reset'): void {
  if (control.isOver) return;
  if (typeof given === 'string') return control.fail('ECONNRESET');
  control.answer(given);
}

function fateOf(line: Line, request: Request, chance: Chance): Fate {
  const { rates: now, liedAbout, misledOften, time, awayUntil, writesAwayUntil, writesArrive, mayEnd } = line;
  const { method, body } = request;
  const rates = now();
  const way = (): number => (chance.happens(rates.slow) ? chance.between(100, 8000) : chance.between(2, 60));
  const connect = chance.happens(500) ? 0 : chance.happens(rates.slow) ? chance.between(100, 20_000) : 1;
  // Some when their sender may not write any more, some when their lease is over.
  const back = line.tarries() && method !== 'GET' ? chance.between(2_000, 26_000) : way();
  const common = { connect, there: way(), back };
  const lost = (returns: Fate['returns']): Fate => ({ ...common, arrives: false, returns });
  const isAway = time.now < awayUntil();
  if (connect > 0 && (isAway ? chance.happens(300) : chance.happens(rates.lost / 8))) return lost('refused');
  // What nobody answers may have been carried out.
  if (isAway) {
    const returns = chance.pick(['reset', { status: 503, body: 'away' }] as const);
    return { ...common, arrives: method !== 'GET' && chance.happens(200), returns };
  }
  if (method === 'DELETE' && !mayEnd(request.path)) return lost(forbidden);
  const heldMs = line.takeHold();
  if (heldMs !== undefined) return lost(waiting(heldMs / 1000));
  const isAwaited = time.now < writesAwayUntil();
  if (method === 'POST' && (isAwaited || chance.happens(rates.lost)) && chance.happens(150))
    return { ...common, arrives: true, returns: 'reset', after: chance.between(200, latestMs) };
  if (method !== 'GET' && isAwaited)
    return { ...lost(chance.pick(['reset', 'silence', 'reset'] as const)), arrives: chance.happens(writesArrive()) };
  if (chance.happens(rates.lost))
    return { ...common, arrives: chance.happens(600), returns: chance.pick(['reset', 'silence'] as const) };
  if (chance.happens(rates.refused)) return lost(refusal(chance));
  if (chance.happens(rates.failed)) return { ...common, ...failure(chance, body) };
  const isLie = method === 'GET' && !liedAbout.has(aboutOf(request)) && chance.happens(misledOften() || rates.wrong);
  const isTwice = method !== 'POST' && method !== 'GET' && chance.happens(rates.twice);
  return {
    ...{ ...common, arrives: true, returns: 'answer' },
    ...(isLie ? { lie: lieFor(aboutOf(request), chance, line.misledBy()) } : {}),
    ...(isTwice ? { twice: true } : {}),
  };
}

/** Some of what goes wrong repeats what it was asked, as gateways do. */
function failure(chance: Chance, body: JsonObject | undefined): Pick<Fate, 'arrives' | 'returns'> {
  const status = chance.pick([500, 502, 503, 400, 422, 408]);
  const said = `not well: ${JSON.stringify(body ?? {})} by ${apiKey}`;
  const arrives = (status >= 500 || status === 408) && chance.happens(500);
  if (chance.happens(500)) return { arrives, returns: { status, body: 'not well' } };
  const headers = { 'content-type': 'application/problem+json' };
  return { arrives, returns: { status, headers, body: { status, title: 'Refused', detail: said } } };
}

const forbidden: Answer = {
  status: 403,
  headers: { 'content-type': 'application/problem+json' },
  body: { status: 403, title: 'Forbidden' },
};

function refusal(chance: Chance): Answer {
  return chance.happens(500) ? waiting(chance.between(1, 20)) : forbidden;
}

function waiting(seconds: number): Answer {
  return { status: 429, headers: { 'retry-after': String(Math.ceil(seconds)) }, body: {} };
}

function lieFor(path: string, chance: Chance, kind: string | undefined): Lie {
  const isList = /^\/(?:sites|routes)$|\/(?:pages|members|boards|notes)$/.test(path);
  if (isList && kind !== undefined) return { list: kind };
  if (isList && chance.happens(450)) return { list: chance.pick(chance.happens(400) ? likelyLies : lies) };
  return isList
    ? chance.pick(['missing in list', 'missing in list', 'cut list'])
    : chance.pick(['denied', 'denied by a machine between']);
}

/** One request as its sender sees it. */
class Control implements Dispatcher.DispatchController {
  aborted = false;
  paused = false;
  reason: Error | null = null;
  endedAt: number | undefined;
  /** Nothing more is told of it. */
  isOver = false;
  onAbort: () => void = () => undefined;
  onAnswer: (given: Answer) => void = () => undefined;
  readonly #handler: Dispatcher.DispatchHandler;

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler;
  }

  start(): void {
    this.#handler.onRequestStart?.(this, undefined);
  }

  abort(reason: Error): void {
    if (this.isOver) return;
    this.aborted = true;
    this.isOver = true;
    this.reason = reason;
    this.onAbort();
    this.#handler.onResponseError?.(this, reason);
  }

  fail(code: string): void {
    this.isOver = true;
    this.#handler.onResponseError?.(this, Object.assign(new Error(code), { code }));
  }

  answer(given: Answer): void {
    const { status, headers = {}, body } = given;
    this.isOver = true;
    this.onAnswer(given);
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
