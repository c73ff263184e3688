import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { defined } from '@platform-sync/core/model/value';
import { momentIn } from '@platform-sync/core/model/world';
import { markup } from '@platform-sync/report/html/html';
import type { FleetRecord } from '@platform-sync/state/fleet-record';
import { assets, noPage, wordsPage } from './frame.js';
import { auditCheckPage, auditPage } from './audit-view.js';
import { driftedStacks, driftsPage } from './drifts-view.js';
import { type Filters, fleetPage, rowName, type Standing, standings } from './fleet-view.js';
import { requestsPage } from './requests-view.js';
import { waitingFor } from './waiting.js';
import {
  Allowance,
  cookie,
  field,
  memberOf,
  send,
  type Service,
  sessionCookie,
  stacksFor,
  type Visitor,
  visitorOf,
} from './guard.js';
import { sessionMs } from './store.js';
import { hookRoutes } from './hooks.js';
import { liveRoutes } from './live.js';
import { programRoutes } from './program-routes.js';
import { stackRoutes } from './stack-routes.js';

/** So long everybody sees that the glass was broken. */
const toldMs = 24 * 3_600_000;
/** What nobody has approved for so long is planned anew. */
const waitingMs = 7 * 24 * 3_600_000;

/** Everything that the console answers; `admissions` says whom. */
export function consoleRoutes(app: FastifyInstance, service: Service): void {
  app.get('/healthz', async (_request, reply) => {
    await service.isAlive();
    return reply.type('text/plain; charset=utf-8').send('ok\n');
  });
  app.get('/assets/:name', (request, reply) => {
    const asset = assets.get(memberOf(request.params, 'name') ?? '');
    if (asset === undefined) return send(service, request, reply.code(404), noPage);
    reply.header('cache-control', 'public, max-age=31536000, immutable');
    return reply.type(`${asset.type}; charset=utf-8`).send(asset.text);
  });
  loginRoutes(app, service);
  hookRoutes(app, service);
  programRoutes(app, service);
  liveRoutes(app, service);
  stackRoutes(app, service);
  fleetRoutes(app, service);
  app.get('/audit', async (request, reply) => {
    const before = Number(memberOf(request.query, 'before') ?? Number.NaN);
    const rows = await service.store.audit({ limit: 200, ...(Number.isSafeInteger(before) ? { before } : {}) });
    return send(service, request, reply, auditPage(rows));
  });
  app.get('/audit/check', async (request, reply) => {
    const noted = memberOf(request.query, 'digest')?.trim();
    const check = await service.store.verifyAudit(noted);
    return send(service, request, reply, auditCheckPage(check, noted));
  });
}

/** What stands of all stacks that somebody may see. */
function fleetRoutes(app: FastifyInstance, service: Service): void {
  const rowsFor = async (
    visitor: Visitor,
  ): Promise<{ readonly rows: readonly Standing[]; readonly known: Awaited<ReturnType<FleetRecord['stacks']>> }> => {
    const [known, jobs] = await Promise.all([service.record.stacks(), service.queue.list()]);
    return { known, rows: standings(stacksFor(visitor, 'viewer'), known, jobs) };
  };
  app.get('/', async (request, reply) => {
    const visitor = visitorOf(request);
    const { rows } = await rowsFor(visitor);
    const ago = (ms: number): string => momentIn({ now: () => service.options.world.now() - ms });
    const [broken, plans, said] = await Promise.all([
      ...([service.store.broken(ago(toldMs)), service.record.plansSince(ago(waitingMs))] as const),
      service.store.approvalsSince(ago(waitingMs)),
    ]);
    const facts = {
      ...{ name: visitor.fleet.name, all: rows, isEmpty: visitor.fleet.stacks.length === 0 },
      ...{ filters: filtersOf(request), lately: ago(toldMs) },
      broken: broken.filter((one) => rows.some((row) => rowName(row) === rowName(one))),
      waits: waitingFor(visitor, rows, plans, said),
    };
    return send(service, request, reply, fleetPage(facts));
  });
  app.get('/requests', async (request, reply) => {
    const visitor = visitorOf(request);
    const seen = new Set(stacksFor(visitor, 'viewer').map(rowName));
    const week = momentIn({ now: () => service.options.world.now() - waitingMs });
    const all = await service.record.requestsSince(week);
    const own = all.map((one) => ({ ...one, stacks: one.stacks.filter((stack) => seen.has(rowName(stack))) }));
    const shown = own.filter(({ stacks }) => stacks.length > 0);
    return send(service, request, reply, requestsPage(shown, visitor.fleet.settings));
  });
  app.get('/drift', async (request, reply) => {
    const { rows, known } = await rowsFor(visitorOf(request));
    const { owner, text } = filtersOf(request);
    const filters = defined({ owner, text, severity: memberOf(request.query, 'severity') });
    return send(service, request, reply, driftsPage(rows, driftedStacks(rows, known), filters));
  });
}

function loginRoutes(app: FastifyInstance, service: Service): void {
  const allowance = new Allowance(service.options.world, 60);
  const ofPeople = new Allowance(service.options.world, 20);
  const loginCookie = `${sessionCookie(service)}-login`;
  const isSecure = service.origin.startsWith('https:');
  const keep = (reply: FastifyReply, name: string, value: string, seconds: number): FastifyReply =>
    reply.header(
      'set-cookie',
      `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${String(seconds)}${isSecure ? '; Secure' : ''}`,
    );
  const refuse = async (
    request: FastifyRequest,
    reply: FastifyReply,
    code: number,
    words: string,
  ): Promise<FastifyReply> => {
    if (service.nobodies.take('login'))
      await service.store.note({ who: 'nobody', act: 'login', target: '', outcome: 'denied', words });
    const again = markup`${words} <a href="/">Sign in</a>`;
    return send(service, request, reply.code(code), wordsPage('Not signed in', again, 'blocked'));
  };
  app.get('/login', async (request, reply) => {
    if (!allowance.take(request.ip))
      return send(
        service,
        request,
        reply.code(429).header('retry-after', '60'),
        wordsPage('Not so fast', 'Try again in a minute.'),
      );
    const { url, login } = await service.login.begin(placeIn(request));
    return keep(reply, loginCookie, await service.store.beginLogin(login), 600).redirect(url, 303);
  });
  app.get('/login/return', async (request, reply) => {
    if (!allowance.take(request.ip)) return refuse(request, reply, 429, 'Too many logins from one place.');
    const login = await service.store.takeLogin(cookie(request, loginCookie) ?? '');
    if (login === undefined) return refuse(request, reply, 400, 'This login was not begun here, or took too long.');
    try {
      const person = await service.login.end(request.url.replace(/^[^?]*\??/, ''), login);
      if (!ofPeople.take(person.id)) return await refuse(request, reply, 429, 'Too many logins of one person.');
      // A browser has one session: what it had before is none that somebody else may go on with.
      await service.store.endSession(cookie(request, sessionCookie(service)) ?? '');
      const secret = await service.store.beginSession(person);
      await service.store.note({ who: person.name, act: 'login', target: '', outcome: 'done', words: '' });
      keep(reply, loginCookie, '', 0);
      return keep(reply, sessionCookie(service), secret, sessionMs / 1_000).redirect(login.then, 303);
    } catch (error) {
      service.options.onProblem(`login: ${error instanceof Error ? error.message : 'refused'}`);
      return refuse(request, reply, 400, 'The provider of logins did not confirm it.');
    }
  });
  app.post('/logout', async (request, reply) => {
    const { person, secret = '' } = visitorOf(request);
    if (field(request, 'everywhere') === undefined || person === undefined) await service.store.endSession(secret);
    else await service.store.endSessions(person);
    return keep(reply, sessionCookie(service), '', 0).redirect('/signed-out', 303);
  });
  // Not to the login: a provider that still knows somebody would let them in again at once.
  app.get('/signed-out', (request, reply) =>
    send(service, request, reply, wordsPage('Signed out', markup`<a href="/">Sign in again</a>`, 'clean')),
  );
}

/** Where a login goes on: a path of this console. */
function placeIn({ query }: FastifyRequest): string {
  const then = memberOf(query, 'then') ?? '/';
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(then) ? then : '/';
}

function filtersOf({ query }: FastifyRequest): Filters {
  return defined({
    state: memberOf(query, 'state'),
    owner: memberOf(query, 'owner'),
    text: memberOf(query, 'text'),
    applied: memberOf(query, 'applied'),
  });
}
