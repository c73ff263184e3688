import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { consoleRoles } from '@platform-sync/core/model/console';
import { askedKinds, type FleetReport } from '@platform-sync/core/model/fleet';
import { readJson } from '@platform-sync/core/model/read-json';
import { momentIn } from '@platform-sync/core/model/world';
import { jsonText } from '@platform-sync/report/words/json-text';
import { markup, type Html } from '@platform-sync/report/html/html';
import type { Page } from '@platform-sync/report/html/page';
import { IdTokens } from '../id-token.js';
import { standings } from './fleet-view.js';
import { form, headHtml, wordsPage } from './frame.js';
import { bearer, field, formToken, memberOf, send, type Service, stacksFor, visitorOf } from './guard.js';
import type { ProgramToken } from './store.js';
import { card, moment, tableHtml } from './table.js';

/** What programs may be: none approves anything. */
const programRoles = consoleRoles.slice(0, 2);
const hours = [1, 8, 24] as const;

/** Programs: those that show a token which somebody made, and jobs of pipelines, which show the id token of their forge. */
export function programRoutes(app: FastifyInstance, service: Service): void {
  const { options, store, record, queue } = service;
  const tokensOf = idTokens(service);

  app.get('/fleet.json', async (request, reply) => {
    const visitor = visitorOf(request);
    const [known, jobs] = await Promise.all([record.stacks(), queue.list()]);
    const rows = standings(stacksFor(visitor, 'viewer'), known, jobs);
    const told = { formatVersion: 1, engine: options.version, name: visitor.fleet.name, kind: 'status' } as const;
    const report: FleetReport = { ...told, madeAt: momentIn(options.world), rows, requests: 0 };
    return reply.type('application/json; charset=utf-8').send(jsonText(report));
  });

  app.post('/jobs', async (request, reply) => {
    const asked = askedIn(request.body);
    if (asked === undefined) return plain(reply, 422, 'Say {"kind": "plan", "project": "shop", "stack": "default"}.');
    const verdict = await tokensOf(request).jobOf(bearer(request) ?? '', asked);
    const target = `${asked.project}/${asked.stack}`;
    const act = { act: 'POST /jobs', target } as const;
    if ('refused' in verdict) {
      if (service.nobodies.take(request.ip))
        await store.note({ who: 'a pipeline', ...act, outcome: 'denied', words: verdict.why });
      return plain(reply, { unauthorized: 401, forbidden: 403, unavailable: 503 }[verdict.refused], verdict.why);
    }
    await queue.add([{ ...verdict.job, by: verdict.by }]);
    await store.note({ who: verdict.by, ...act, outcome: 'done', words: `a ${asked.kind} waits` });
    return plain(reply, 202, `A ${asked.kind} of ${target} waits.`);
  });

  app.get('/tokens', async (request, reply) => {
    const { secret } = visitorOf(request);
    return send(service, request, reply, tokensPage(await store.tokens(), formToken(secret ?? '')));
  });

  app.post('/tokens', async (request, reply) => {
    const { person } = visitorOf(request);
    const [name, role] = [field(request, 'name')?.trim(), programRoles.find((one) => one === field(request, 'role'))];
    const [stacks, forHours] = [field(request, 'stacks')?.trim() ?? '*', Number(field(request, 'hours'))];
    const isKnown = hours.some((one) => one === forHours);
    if (person === undefined || person.grant !== undefined || name === undefined || role === undefined || !isKnown)
      return send(
        service,
        request,
        reply.code(422),
        wordsPage('No token', 'Give it a name, a role, stacks and a time.'),
      );
    const grant = { role, stacks: [stacks.slice(0, 200)] };
    const secret = await store.makeToken(
      { ...person, name: `${name.slice(0, 80)} of ${person.name}`, grant },
      forHours * 3_600_000,
    );
    const words = `${role} of ${stacks} for ${String(forHours)} h`;
    await store.note({ who: person.name, act: 'POST /tokens', target: name, outcome: 'done', words });
    const shown = markup`Nobody is shown this again: <code>${secret}</code>. A program sends it as <code>Authorization: Bearer …</code>`;
    return send(service, request, reply.code(201), wordsPage('The token', shown, 'changes'));
  });

  app.post('/tokens/:id/end', async (request, reply) => {
    const id = memberOf(request.params, 'id') ?? '';
    await store.endToken(id);
    const who = visitorOf(request).person?.name ?? '';
    await store.note({ who, act: 'POST /tokens/:id/end', target: id, outcome: 'done', words: '' });
    return reply.redirect('/tokens', 303);
  });
}

/** The rules as fleet.yaml has them now; the keys of the forges are kept as long as these are the same. */
function idTokens({ options }: Service): (request: FastifyRequest) => IdTokens {
  let known: { readonly rules: string; readonly tokens: IdTokens } | undefined;
  return (request) => {
    const { pipelines = [] } = visitorOf(request).fleet;
    const rules = JSON.stringify(pipelines);
    if (known?.rules !== rules) known = { rules, tokens: new IdTokens(pipelines, options.world) };
    return known.tokens;
  };
}

function askedIn(
  body: unknown,
): { readonly kind: (typeof askedKinds)[number]; readonly project: string; readonly stack: string } | undefined {
  try {
    const said: unknown = readJson(typeof body === 'string' ? body : '');
    const [kind, project, stack] = [
      askedKinds.find((one) => one === memberOf(said, 'kind')),
      memberOf(said, 'project'),
      memberOf(said, 'stack'),
    ];
    return kind === undefined || project === undefined || stack === undefined ? undefined : { kind, project, stack };
  } catch {
    return undefined;
  }
}

function plain(reply: FastifyReply, code: number, words: string): FastifyReply {
  return reply.code(code).type('text/plain; charset=utf-8').send(`${words}\n`);
}

function tokensPage(tokens: readonly ProgramToken[], token: string): Page {
  const lines = tokens.map(({ id, who: { name, grant }, ends }) => [
    ...[name, grant?.role, grant?.stacks?.join(' '), moment(new Date(ends).toISOString())],
    form(`/tokens/${id}/end`, token, markup`<button>End it</button>`),
  ]);
  const table =
    lines.length === 0
      ? markup`<p class="empty">No program has one.</p>`
      : tableHtml(['token', 'role', 'stacks', 'until', ''], lines);
  return {
    ...{ title: 'Tokens', tone: 'changes', skip: 'To the tokens' },
    header: headHtml(
      undefined,
      'Tokens of programs',
      'They may do what their maker may, and no more than is said here',
    ),
    main: [card('tokens', 'Tokens', tokens.length, table), card('new', 'New token', undefined, newToken(token))],
    footer: markup`<p>Times are UTC. No token approves anything.</p>`,
  };
}

function newToken(token: string): Html {
  const roles = programRoles.map((role) => markup`<option>${role}</option>`);
  const times = hours.map((one) => markup`<option value="${one}">${one} h</option>`);
  return markup`<div class="acts">${form('/tokens', token, markup`<label>Name <input type="text" name="name" required maxlength="80" autocomplete="off"></label><label>Role <select name="role">${roles}</select></label><label>Stacks <input type="text" name="stacks" value="*" maxlength="200"></label><label>For <select name="hours">${times}</select></label><button class="main">Make it</button>`)}</div>`;
}
