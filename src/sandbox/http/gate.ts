import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IssuedTokens } from '../cloud/token-routes.js';
import type { Exchanges } from '../control/exchanges.js';
import type { FaultAction } from '../control/fault-rule.js';
import type { Faults } from '../control/faults.js';
import type { Traffic } from '../control/traffic.js';
import { defined } from '../defined.js';
import { isJsonObject } from '../json.js';
import { Problem } from '../problem.js';
import { type Trace, problemBody } from '../problem-style.js';
import type { RateWindow } from '../rate-window.js';
import type { Route } from '../route.js';
import { labelOf, routeOf } from './adapter.js';

interface GateParts {
  /** The only bearer token that is let in; any that is not empty unless given. */
  readonly token?: string | undefined;
  readonly issued: IssuedTokens;
  readonly latencyMs: number;
  readonly rate?: RateWindow | undefined;
  readonly faults: Faults;
  readonly traffic: Traffic;
  readonly exchanges: Exchanges;
  readonly trace: Trace;
}

/** What a request was told to suffer after its work is done. */
interface Fate {
  readonly path: string;
  readonly label: string;
  readonly after: readonly FaultAction[];
}

const noActions: readonly FaultAction[] = [];

/** Everything between the wire and the routes: counting, token, rate, latency and faults, in this order. */
export function installGate(app: FastifyInstance, parts: GateParts): void {
  const fates = new WeakMap<FastifyRequest, Fate>();
  const leave = (): void => {
    parts.traffic.leave();
  };

  app.addHook('onRequest', async (request, reply) => {
    parts.traffic.enter();
    reply.raw.once('close', leave);
    const route = routeOf(request);
    const label = labelOf(route);
    const [path = ''] = request.url.split('?', 1);
    authorize(parts, route, request.headers.authorization);
    const wait = parts.rate?.take();
    if (wait !== undefined) throw new Problem({ status: 429, retryAfter: wait });
    const actions = parts.faults.any ? parts.faults.strike(request.method, label, path) : noActions;
    if (actions.length > 0) fates.set(request, { path, label, after: actions.filter(isAfter) });
    await before(parts, request, reply, label, actions);
    if (!reply.sent && parts.faults.isLagging(path)) throw new Problem({ status: 403 });
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const fate = fates.get(request);
    const sent = fate === undefined ? payload : await after(parts, request, reply, fate, payload);
    if (sent === cut) return payload;
    parts.traffic.count(request.method, fate?.label ?? labelOf(routeOf(request)), reply.statusCode);
    if (parts.exchanges.recording) keep(parts.exchanges, request, reply, sent);
    return sent;
  });
}

/** The answer was thrown away along with the connection. */
const cut = Symbol('cut');

/** The controls of a sandbox with a token of its own ask for it as everything else does. */
export function requireToken(controls: FastifyInstance, { token }: Pick<GateParts, 'token'>): void {
  if (token === undefined) return;
  controls.addHook('onRequest', async (request, reply) => {
    if (bearerOf(request.headers.authorization) === token) return;
    await reply.code(401).send({ error: 'The controls ask for the token that the sandbox was started with.' });
  });
}

function bearerOf(header: string | undefined): string | undefined {
  return /^bearer\s+(\S.*)$/i.exec(header ?? '')?.[1]?.trim();
}

function authorize({ token, issued }: GateParts, route: Route | undefined, header: string | undefined): void {
  if (route?.open === true) return;
  const given = bearerOf(header);
  const welcome = given !== undefined && (token === undefined || given === token);
  if (welcome || (given !== undefined && route?.family === 'cloud' && issued.has(given))) return;
  throw new Problem({ status: 401 });
}

function isAfter(action: FaultAction): boolean {
  return (
    action.when === 'after-commit' ||
    action.reset === 'after-commit' ||
    action.dropField !== undefined ||
    action.childLag !== undefined
  );
}

async function before(
  { latencyMs, traffic, faults }: GateParts,
  request: FastifyRequest,
  reply: FastifyReply,
  label: string,
  actions: readonly FaultAction[],
): Promise<void> {
  const now = actions.filter((action) => action.when !== 'after-commit');
  if (latencyMs > 0) await sleep(latencyMs, undefined, { ref: false });
  const wait = now.reduce((sum, action) => sum + (action.delayMs ?? 0), 0);
  if (wait > 0) await delay(faults, wait);
  for (const action of now) {
    if (action.reset === 'before') {
      traffic.count(request.method, label, 0);
      reply.hijack();
      request.raw.socket.resetAndDestroy();
      return;
    }
    if (action.status !== undefined) throw new Problem(problemOf(action, action.status));
  }
}

/** As long as a rule says, or until other rules are set. */
async function delay(faults: Faults, ms: number): Promise<void> {
  await sleep(ms, undefined, { ref: false, signal: faults.end }).catch(() => undefined);
}

function problemOf(action: FaultAction, status: number): ConstructorParameters<typeof Problem>[0] {
  return {
    status,
    ...defined({ retryAfter: action.retryAfter, extra: action.problem }),
  };
}

async function after(
  { traffic, faults, trace }: GateParts,
  request: FastifyRequest,
  reply: FastifyReply,
  fate: Fate,
  payload: unknown,
): Promise<unknown> {
  let sent = payload;
  for (const action of fate.after) {
    if (action.when === 'after-commit' && action.delayMs !== undefined) {
      await delay(faults, action.delayMs);
    }
    if (action.childLag !== undefined && reply.statusCode === 201) lag(faults, fate.path, payload, action.childLag.ms);
    if (action.dropField !== undefined) sent = without(sent, action.dropField);
    if (action.reset === 'after-commit') {
      traffic.count(request.method, fate.label, 0);
      request.raw.socket.resetAndDestroy();
      return cut;
    }
    if (action.when === 'after-commit' && action.status !== undefined)
      sent = replaced(reply, action, action.status, trace);
  }
  return sent;
}

function replaced(reply: FastifyReply, action: FaultAction, status: number, trace: Trace): string {
  reply.code(status).header('content-type', 'application/problem+json');
  if (action.retryAfter !== undefined) reply.header('retry-after', String(action.retryAfter));
  return JSON.stringify(problemBody(problemOf(action, status), 'catalogue', trace));
}

function lag(faults: Faults, path: string, payload: unknown, ms: number): void {
  const parsed = parse(payload);
  const id = isJsonObject(parsed) ? parsed['id'] : undefined;
  if (typeof id === 'string') faults.lag(`${path}/${id}`, ms);
}

function without(payload: unknown, field: string): unknown {
  const parsed = parse(payload);
  if (!isJsonObject(parsed)) return payload;
  return JSON.stringify(Object.fromEntries(Object.entries(parsed).filter(([name]) => name !== field)));
}

function parse(payload: unknown): unknown {
  if (typeof payload !== 'string' || payload === '') return undefined;
  try {
    return JSON.parse(payload);
  } catch {
    return payload;
  }
}

function keep(exchanges: Exchanges, request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
  // Bodies of the token endpoints are credentials.
  if (routeOf(request)?.family === 'cloud') return;
  const answered = parse(payload);
  exchanges.add({
    method: request.method,
    url: request.url,
    ...(request.body === undefined || request.body === null ? {} : { sent: request.body }),
    status: reply.statusCode,
    ...defined({ answered }),
  });
}
