import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FleetStack } from '@platform-sync/core/model/console';
import { driftVerbs } from '@platform-sync/core/model/drift';
import { rowsOfRun } from '@platform-sync/core/model/run';
import { latestRuns } from '@platform-sync/core/model/run-summary';
import { defined } from '@platform-sync/core/model/value';
import { isDate, momentIn } from '@platform-sync/core/model/world';
import { findingName } from '@platform-sync/report/words/drift';
import type { KeptPlan } from '@platform-sync/state/fleet-record';
import { type Person, roleOf } from './access.js';
import { missingApproval } from './approval.js';
import { diffPage } from './diff-view.js';
import { chosenIn, driftPage, openFindings, reasonPage } from './drift-view.js';
import { rowName, stackPath, standings, type Standing } from './fleet-view.js';
import { noPage, wordsPage } from './frame.js';
import { field, formToken, memberOf, numberIn, send, type Service, stackOf, visitorOf } from './guard.js';
import { runProgress } from './live.js';
import { historyPage, runAfter, shownRuns } from './history-view.js';
import { type RunFacts, runPage, shownLog } from './run-view.js';
import { factsOf, planPage, stackPage } from './stack-view.js';

/** What stands below the address of one stack. */
export function stackRoutes(app: FastifyInstance, service: Service): void {
  stackPages(app, service);
  jobForms(app, service);
  driftRoutes(app, service);
  approvalForms(app, service);
}

const at = '/stacks/:project/:stack';

function stackPages(app: FastifyInstance, service: Service): void {
  const { record, store, queue, options } = service;
  const now = (): string => momentIn(options.world);

  app.get(at, async (request, reply) => {
    const stack = stackIn(request);
    const [known, jobs, plans, approvals, runs] = await Promise.all([
      ...([record.stacks(), queue.list(), record.plans(stack)] as const),
      ...([store.approvals(stack), latestRuns(record.history(stack), { limit: 10 })] as const),
    ]);
    const row = standing(stack, known, jobs);
    const history = known.get(rowName(stack))?.history ?? { findings: [], number: 0 };
    const facts = { row, history, plans, approvals, runs, needed: neededIn(request), now: now() };
    return send(service, request, reply, stackPage(facts, looker(request)));
  });

  app.get(`${at}/history`, async (request, reply) => {
    const stack = stackIn(request);
    const { query } = request;
    const [address, month] = [memberOf(query, 'address'), monthIn(memberOf(query, 'month'))];
    const until = momentOf(memberOf(query, 'until'));
    const history = record.history(stack);
    const moment = until === undefined ? (month === undefined ? undefined : nextMonth(month)) : `${until}:00.000Z`;
    const before = numberIn(query, 'before') ?? (moment === undefined ? undefined : await runAfter(history, moment));
    const runs = await latestRuns(history, { limit: shownRuns, ...defined({ before, address }) });
    return send(
      service,
      request,
      reply,
      historyPage(stack, runs, { now: now(), ...defined({ address, month, until }) }),
    );
  });

  app.get(`${at}/runs/:run`, async (request, reply) => {
    const run = numberIn(request.params, 'run');
    const facts = run === undefined ? undefined : await runFactsOf(service, request, run);
    if (facts === undefined) return send(service, request, reply.code(404), noPage);
    return send(service, request, reply, await runPage(facts));
  });

  app.get(`${at}/plans/:effect`, async (request, reply) => {
    const stack = stackIn(request);
    const kept = await keptPlan(service, request);
    if (kept === undefined) return send(service, request, reply.code(404), noPage);
    const said = (await store.approvals(stack)).get(kept.effect) ?? [];
    const row = standing(stack, await record.stacks(), await queue.list());
    return send(service, request, reply, await planPage(row, kept, said, neededIn(request), looker(request)));
  });

  app.get(`${at}/plans/:effect/diff`, async (request, reply) => {
    const row = stackIn(request);
    const kept = await keptPlan(service, request);
    if (kept === undefined) return send(service, request, reply.code(404), noPage);
    const [plans, known, settled] = await Promise.all([record.plans(row), record.stacks(), record.settled(row)]);
    // A plan that puts findings back says nothing of the rest.
    const parts = new Set(settled.map(({ effect }) => effect));
    const merged = plans.find(({ commit, effect }) => commit === undefined && !parts.has(effect));
    const base = merged === undefined ? undefined : await record.plan(row, merged.effect);
    const history = known.get(rowName(row))?.history ?? { findings: [] };
    const facts = { row, kept, history, from: numberIn(request.query, 'from') ?? 0, ...defined({ base }) };
    return send(service, request, reply, diffPage(facts));
  });
}

/** Undefined: there is no such run. */
async function runFactsOf(
  { record, store }: Service,
  request: FastifyRequest,
  run: number,
): Promise<RunFacts | undefined> {
  const row = stackIn(request);
  const { query } = request;
  const history = record.history(row);
  const [rows, log, { text, isOver }] = await Promise.all([
    rowsOfRun(history, { run, kinds: ['begin', 'plan', 'end'] }),
    history.runs({ run, after: numberIn(query, 'after') ?? 0, limit: shownLog }),
    runProgress(record, row, run),
  ]);
  if (rows.length === 0 && log.length === 0) return undefined;
  const effect = rows.flatMap(({ content }) => (content.kind === 'plan' ? (content.effectDigest ?? []) : []))[0];
  const [approvals, kept] =
    effect === undefined ? [[], undefined] : await Promise.all([store.said(row, effect), record.plan(row, effect)]);
  return {
    ...{ row, run, rows, log, approvals, settings: visitorOf(request).fleet.settings },
    ...defined({ plan: kept?.plan, progress: isOver ? undefined : text }),
    choice: { from: numberIn(query, 'from') ?? 0, ...defined({ outcome: memberOf(query, 'outcome') }) },
  };
}

function jobForms(app: FastifyInstance, service: Service): void {
  for (const kind of ['check', 'plan'] as const)
    app.post(`${at}/${kind}`, async (request, reply) => {
      const { project, stack } = stackIn(request);
      await service.queue.add([{ kind, project, stack }]);
      return done(service, request, reply, `a ${kind} waits`);
    });
}

function approvalForms(app: FastifyInstance, service: Service): void {
  const { store, options } = service;
  const now = (): string => momentIn(options.world);

  app.post(`${at}/plans/:effect/approve`, async (request, reply) => {
    const kept = await keptPlan(service, request);
    if (kept === undefined) return send(service, request, reply.code(404), noPage);
    const { name, names, aliases } = personIn(request);
    await store.approve(stackIn(request), kept.effect, { who: name, names: [...names, ...aliases], at: now() });
    await note(service, request, 'done', `approved effect ${kept.effect}`);
    // Where it may be applied now, or is said what is missing still.
    return reply.redirect(`${stackPath(stackIn(request))}/plans/${kept.effect}`, 303);
  });

  app.post(`${at}/plans/:effect/apply`, async (request, reply) => {
    const kept = await keptPlan(service, request);
    if (kept === undefined) return send(service, request, reply.code(404), noPage);
    const said = (await store.approvals(stackIn(request))).get(kept.effect) ?? [];
    const missing = missingApproval(kept, said, neededIn(request));
    if (missing !== undefined) return refused(service, request, reply, missing);
    return applied(service, request, reply, kept, 'approved');
  });

  app.post(`${at}/plans/:effect/break-glass`, async (request, reply) => {
    const kept = await keptPlan(service, request);
    if (kept === undefined) return send(service, request, reply.code(404), noPage);
    const reason = field(request, 'reason')?.trim() ?? '';
    if (reason.length < 10) return refused(service, request, reply, 'Say why, in a few words: everybody will read it.');
    if (options.tell === undefined)
      return refused(service, request, reply, 'Nobody could be told: SYNC_FLEET_WEBHOOK says where, and is not set.');
    const { name, names, aliases } = personIn(request);
    const stack = stackIn(request);
    // Whoever can't be told of it keeps it from being done.
    await options.tell(`${name} broke the glass for ${rowName(stack)}, effect ${kept.effect.slice(0, 12)}: ${reason}`);
    await store.approve(stack, kept.effect, { who: name, names: [...names, ...aliases], at: now(), glass: reason });
    return applied(service, request, reply, kept, `broke the glass: ${reason}`);
  });
}

async function keptPlan({ record }: Service, request: FastifyRequest): Promise<KeptPlan | undefined> {
  return record.plan(stackIn(request), memberOf(request.params, 'effect') ?? '');
}

async function applied(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  { effect }: KeptPlan,
  words: string,
): Promise<FastifyReply> {
  const { project, stack } = stackIn(request);
  await service.store.use({ project, stack }, effect);
  const settled = await service.record.settled({ project, stack });
  // A plan that puts findings back is made anew by what it was made of.
  const settlement = settled.find((one) => one.verb === 'revert' && one.effect === effect);
  const apply = { kind: 'apply', project, stack, effect, by: personIn(request).name } as const;
  await service.queue.add(
    settlement === undefined
      ? [apply]
      : [
          { ...apply, settlement: { verb: 'revert', findings: settlement.findings } },
          { kind: 'check', project, stack },
        ],
  );
  return done(service, request, reply, `an apply of effect ${effect} waits, ${words}`);
}

type Answering = readonly [service: Service, request: FastifyRequest, reply: FastifyReply, words: string];

async function done(...[service, request, reply, words]: Answering): Promise<FastifyReply> {
  await note(service, request, 'done', words);
  return reply.redirect(stackPath(stackIn(request)), 303);
}

async function refused(...[service, request, reply, words]: Answering): Promise<FastifyReply> {
  await note(service, request, 'denied', words);
  return send(service, request, reply.code(409), wordsPage('Not yet', words, 'blocked'));
}

async function note(
  { store }: Service,
  request: FastifyRequest,
  outcome: 'done' | 'denied',
  words: string,
): Promise<void> {
  const act = `${request.method} ${request.routeOptions.url ?? ''}`;
  await store.note({ who: personIn(request).name, act, target: rowName(stackIn(request)), outcome, words });
}

/** What drifted, and what is done about it. */
function driftRoutes(app: FastifyInstance, service: Service): void {
  const { record, queue } = service;

  app.get(`${at}/drift`, async (request, reply) => {
    const stack = stackIn(request);
    const [known, jobs, settled] = await Promise.all([record.stacks(), queue.list(), record.settled(stack)]);
    const row = standing(stack, known, jobs);
    const history = known.get(rowName(stack))?.history ?? { findings: [] };
    return send(service, request, reply, driftPage({ row, history, settled, about: factsOf(row) }, looker(request)));
  });

  for (const verb of driftVerbs)
    app.post(`${at}/drift/${verb}`, async (request, reply) => {
      const { project, stack } = stackIn(request);
      const { history } = (await record.stacks()).get(rowName({ project, stack })) ?? {};
      const chosen = new Set(chosenIn(request.body));
      const found = openFindings(history ?? { findings: [] }).filter(({ id }) => chosen.has(id));
      if (found.length === 0 || found.length < chosen.size)
        return refused(service, request, reply, 'Choose findings of the last check: there are none, or others by now.');
      const reason = field(request, 'reason')?.trim() ?? '';
      const until = field(request, 'until');
      if (verb === 'ignore' && (reason === '' || (until !== undefined && !isDate(until))))
        return send(service, request, reply.code(422), reasonPage({ project, stack }, found, looker(request).token));
      const { name: by, names, aliases } = personIn(request);
      const said = verb === 'ignore' ? { reason: reason.slice(0, 300), ...defined({ until }) } : {};
      const settlement = { verb, findings: found.map(({ id }) => id), ...said };
      const job = {
        kind: 'settle',
        project,
        stack,
        by,
        authors: [...new Set([...names, ...aliases])],
        settlement,
      } as const;
      // What was recorded is no finding any more: the next check says so.
      await queue.add([job, ...(verb === 'record' ? [{ kind: 'check', project, stack } as const] : [])]);
      await note(service, request, 'done', `${verb} of ${found.map(findingName).join(', ')} waits`);
      return reply.redirect(`${stackPath({ project, stack })}/drift`, 303);
    });
}

/** How many people have to approve. */
function neededIn(request: FastifyRequest): number {
  return visitorOf(request).fleet.settings.approvals ?? 1;
}

function standing(
  stack: FleetStack,
  ...known: [Parameters<typeof standings>[1], Parameters<typeof standings>[2]]
): Standing {
  const [row] = standings([stack], ...known);
  if (row === undefined) throw new Error('bug: a stack without a row');
  return row;
}

function stackIn(request: FastifyRequest): FleetStack {
  const stack = stackOf(request);
  if (stack === undefined) throw new Error('bug: a stack that nobody has admitted');
  return stack;
}

function personIn(request: FastifyRequest): Person {
  const { person } = visitorOf(request);
  if (person === undefined) throw new Error('bug: nobody was admitted');
  return person;
}

function looker(request: FastifyRequest): Parameters<typeof stackPage>[1] {
  const { fleet, secret } = visitorOf(request);
  return { role: roleOf(personIn(request), stackIn(request), fleet.settings.roles), token: formToken(secret ?? '') };
}

function monthIn(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : undefined;
}

/** Of a form, minutes of UTC. */
function momentOf(text: string | undefined): string | undefined {
  const isMoment = text !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text);
  return isMoment && !Number.isNaN(Date.parse(`${text}:00Z`)) ? text : undefined;
}

/** The moment at which a month is over. */
function nextMonth(month: string): string {
  const [year = 0, nth = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, nth)).toISOString();
}
