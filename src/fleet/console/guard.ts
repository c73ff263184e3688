import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sha256 } from '@platform-sync/core/model/canonical';
import type { ConsoleFleet, ConsoleOptions, ConsoleRole, FleetStack } from '@platform-sync/core/model/console';
import type { JobQueue } from '@platform-sync/core/model/fleet';
import { defined } from '@platform-sync/core/model/value';
import type { World } from '@platform-sync/core/model/world';
import { markup } from '@platform-sync/report/html/html';
import type { Page } from '@platform-sync/report/html/page';
import type { FleetRecord } from '@platform-sync/state/fleet-record';
import { type Admission, admissions, type Person, roleAnywhere, roleOf, suffices } from './access.js';
import { framed, noPage, type Place, wordsPage } from './frame.js';
import type { Login } from './login.js';
import type { ConsoleStore } from './store.js';

/** What every route may use. */
export interface Service {
  readonly options: ConsoleOptions;
  readonly queue: JobQueue;
  readonly store: ConsoleStore;
  readonly record: FleetRecord;
  readonly login: Login;
  /** Whoever has proven nothing: their denials are written down so often. */
  readonly nobodies: Allowance;
  /** Of its own pages. */
  readonly origin: string;
  readonly isAlive: () => Promise<void>;
}

/** Who asks, as far as that is proven. */
export interface Visitor {
  readonly person?: Person;
  /** What their browser keeps. */
  readonly secret?: string;
  readonly fleet: ConsoleFleet;
}

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | undefined;
  }
}

const mostCallers = 10_000;

/** So many times a minute for each caller, and no more. */
export class Allowance {
  readonly #world: World;
  readonly #perMinute: number;
  #minute = 0;
  #taken = new Map<string, number>();

  constructor(world: World, perMinute: number) {
    this.#world = world;
    this.#perMinute = perMinute;
  }

  take(caller: string): boolean {
    const minute = Math.floor(this.#world.steady() / 60_000);
    if (minute !== this.#minute) this.#taken = new Map();
    this.#minute = minute;
    // Of more callers than anybody has, the rest is one.
    const name = this.#taken.size < mostCallers ? caller : '';
    const taken = (this.#taken.get(name) ?? 0) + 1;
    this.#taken.set(name, taken);
    return taken <= this.#perMinute;
  }
}

const policy = [
  ...["default-src 'none'", "style-src 'self'", "script-src 'self'", "connect-src 'self'", 'img-src data:'],
  ...["form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"],
].join('; ');

/** Of every answer. */
export const pageHeaders = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cache-control': 'no-store',
};

/** Looks at everything that is asked for before its route does: who may ask, and whether a form is one of this console's own. */
export function guard(app: FastifyInstance, service: Service): void {
  app.decorateRequest('visitor', undefined);
  answerTheRest(app, service);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(pageHeaders);
    if (service.origin.startsWith('https:')) reply.header('strict-transport-security', 'max-age=31536000');
    const admission = admissionOf(request);
    if (admission === undefined || /^GET \/(healthz|assets)/.test(routeName(request))) return;
    const visitor = await visitorIn(service, request, admission);
    request.visitor = visitor;
    const { person, fleet } = visitor;
    if (admission === 'anybody' || admission === 'signed') return;
    if (person === undefined) {
      if (request.method === 'GET' && request.headers.accept?.includes('text/html') === true)
        return reply.redirect(`/login?then=${encodeURIComponent(request.url)}`, 303);
      return deny(service, request, reply, 401, 'Nobody is signed in.');
    }
    if (admission !== 'person' && !isAdmitted(person, fleet, request, admission))
      return deny(service, request, reply, 403, `This takes the role ${admission}. fleet.yaml says who has it.`);
  });
  app.addHook('preHandler', async (request, reply) => {
    const admission = admissionOf(request);
    if (request.method !== 'POST' || admission === undefined || admission === 'signed') return;
    if (request.visitor?.person?.grant !== undefined) return;
    if (request.headers.origin !== service.origin)
      return deny(service, request, reply, 403, 'This form came from another site.');
    if (!isSameText(field(request, 'token') ?? '', formToken(request.visitor?.secret ?? '')))
      return deny(service, request, reply, 403, 'The form is too old, or not of this session. Open the page again.');
  });
}

/** What no route answers; and that there is no route whose admission nobody has decided. */
function answerTheRest(app: FastifyInstance, service: Service): void {
  const routes: { readonly method: string; readonly url: string }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) {
      if (each !== 'HEAD' && admissions[`${each} ${url}`] === undefined)
        throw new Error(`bug: no admission is decided for ${each} ${url}`);
      routes.push({ method: each, url });
    }
  });
  app.setNotFoundHandler(async (request, reply) => {
    // Who is signed in stays so on a page that is none.
    request.visitor ??= await visitorIn(service, request, 'person');
    const allowed = routes.filter(({ url }) => isOf(url, request.url)).map(({ method }) => method);
    if (allowed.length === 0) return send(service, request, reply.code(404), noPage);
    reply.code(405).header('allow', [...new Set(allowed)].join(', '));
    return send(service, request, reply, wordsPage('Not that way', `This address takes ${allowed.join(', ')}.`));
  });
  app.setErrorHandler((error: Error & { readonly statusCode?: number }, request, reply) => {
    const code = error.statusCode ?? 500;
    const isOwn = code < 500;
    const reference = service.options.world.secret(4);
    if (!isOwn) service.options.onProblem(`${reference}: ${routeName(request)}: ${error.name}: ${error.message}`);
    const words = isOwn
      ? error.message
      : markup`It went wrong here, and nothing was done. Try again in a moment; if it stays so, the log of the console says why, under the reference <code>${reference}</code>.`;
    return send(service, request, reply.code(code), wordsPage(isOwn ? 'That was not understood' : 'Not now', words));
  });
}

async function visitorIn(service: Service, request: FastifyRequest, admission: Admission): Promise<Visitor> {
  const fleet = await service.options.fleet();
  const shown = admission === 'signed' ? undefined : bearer(request);
  // Who shows a token is no browser, whatever else it sends.
  if (shown !== undefined) return { fleet, ...defined({ person: await service.store.tokenOf(shown) }) };
  const secret = cookie(request, sessionCookie(service));
  const person = secret === undefined ? undefined : await service.store.session(secret);
  return person === undefined ? { fleet } : { fleet, person, ...defined({ secret }) };
}

async function deny(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  code: 401 | 403,
  words: string,
): Promise<void> {
  const who = request.visitor?.person?.name ?? 'nobody';
  // Whoever knocks a thousand times fills no database.
  if (who !== 'nobody' || service.nobodies.take(''))
    await service.store.note({ who, act: routeName(request), target: targetOf(request), outcome: 'denied', words });
  const home = markup`${words} <a href="/">To the stacks</a>`;
  send(service, request, reply.code(code), wordsPage(code === 401 ? 'Sign in first' : 'Not for you', home, 'blocked'));
}

/** Whatever the lengths are, it takes the same time. */
export function isSameText(given: string, own: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(own)));
}

/** What a browser gets: a page in the frame of its reader. */
export function send(service: Service, request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  const { person, secret, fleet } = request.visitor ?? {};
  const reader = {
    fleet: fleet?.name ?? 'Console',
    places: person === undefined || fleet === undefined ? [] : placesOf(person, fleet),
    ...(person === undefined ? {} : { name: person.name, token: formToken(secret ?? '') }),
  };
  const path = request.url.replace(/\?.*/, '');
  return reply.type('text/html; charset=utf-8').send(framed(page, reader, path));
}

function placesOf(person: Person, fleet: ConsoleFleet): readonly Place[] {
  const all = [
    { path: '/', title: 'Stacks' },
    { path: '/drift', title: 'Drift' },
    { path: '/requests', title: 'Requests' },
    { path: '/audit', title: 'Audit' },
    { path: '/tokens', title: 'Tokens' },
  ];
  return all.filter(({ path }) => {
    const admission = admissions[`GET ${path}`];
    return admission !== undefined && isRole(admission) && hasAnywhere(person, fleet, admission);
  });
}

/** Where the session's secret is. With `__Host-`, a browser takes it from this very host alone, and over TLS. */
export function sessionCookie({ origin }: Service): string {
  return origin.startsWith('https:') ? '__Host-sync' : 'sync';
}

/** Of a session: what no other site's form can know. */
export function formToken(secret: string): string {
  return sha256(`form ${secret}`);
}

export function cookie({ headers: given }: FastifyRequest, name: string): string | undefined {
  const pairs = (given.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** The token that a program shows. */
export function bearer({ headers: { authorization = '' } }: FastifyRequest): string | undefined {
  return /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization)?.[1];
}

/** What a form, or the body of a program, says. */
export function field({ body }: FastifyRequest, name: string): string | undefined {
  return memberOf(body, name);
}

/** The stack that an address names, for whoever may see it. */
export function stackOf({ params, visitor }: FastifyRequest): FleetStack | undefined {
  const [project, stack] = [memberOf(params, 'project'), memberOf(params, 'stack')];
  return visitor?.fleet.stacks.find((one) => one.project === project && one.stack === stack);
}

/** The stacks that somebody has a role for. */
export function stacksFor({ person, fleet }: Visitor, role: ConsoleRole): readonly FleetStack[] {
  if (person === undefined) return [];
  return fleet.stacks.filter((stack) => suffices(roleOf(person, stack, fleet.settings.roles), role));
}

function hasAnywhere(person: Person, fleet: ConsoleFleet, role: ConsoleRole): boolean {
  return suffices(roleAnywhere(person, fleet.stacks, fleet.settings.roles), role);
}

function isAdmitted(person: Person, fleet: ConsoleFleet, request: FastifyRequest, role: ConsoleRole): boolean {
  if (memberOf(request.params, 'project') === undefined) return hasAnywhere(person, fleet, role);
  // One that is not there is as one that is not theirs.
  const stack = stackOf(request);
  return stack !== undefined && suffices(roleOf(person, stack, fleet.settings.roles), role);
}

function isRole(admission: Admission): admission is ConsoleRole {
  return !['anybody', 'signed', 'person'].includes(admission);
}

function admissionOf(request: FastifyRequest): Admission | undefined {
  return admissions[routeName(request)];
}

/** `GET /`; of what no route takes, its address. */
function routeName({ method, routeOptions, url }: FastifyRequest): string {
  return `${method === 'HEAD' ? 'GET' : method} ${routeOptions.url ?? url.replace(/\?.*/, '').slice(0, 200)}`;
}

function targetOf({ params }: FastifyRequest): string {
  const values: readonly unknown[] = typeof params === 'object' && params !== null ? Object.values(params) : [];
  return values.join('/').slice(0, 300);
}

/** One text of what somebody sent; of several of one name none is meant. */
export function memberOf(given: unknown, name: string): string | undefined {
  const isThere = typeof given === 'object' && given !== null && Object.hasOwn(given, name);
  const value: unknown = isThere ? Reflect.get(given, name) : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A whole number above zero. */
export function numberIn(given: unknown, name: string): number | undefined {
  const text = memberOf(given, name) ?? '';
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

function isOf(pattern: string, url: string): boolean {
  const [wanted, given] = [pattern, url.replace(/\?.*/, '')].map((path) => path.split('/'));
  return (
    wanted?.length === given?.length && (wanted ?? []).every((part, at) => part.startsWith(':') || part === given?.[at])
  );
}

export function visitorOf({ visitor }: FastifyRequest): Visitor {
  if (visitor === undefined) throw new Error('bug: a route without a guard');
  return visitor;
}
