import { commit, type Job, type Walk } from './walk.js';

export type Flow = (walk: Walk) => Promise<void>;

const catalogue = (...lines: readonly string[]): string =>
  `resources:${lines.length === 0 ? ' {}' : ''}\n${lines.map((line) => `  ${line}\n`).join('')}`;
const api = (name: string, description = name): string =>
  `${name}: {type: platform:Api, properties: {description: ${description}}}`;
const file = 'project/catalogue/all.yaml';
const shop = { 'project/sync.yaml': 'project: shop\nconcurrency: 1\n' };
const stacks = { 'project/sync.yaml': 'project: shop\nstacks: {dev: {}, stage: {}, prod: {}}\n' };
const hooked = { 'project/sync.yaml': 'project: shop\nconcurrency: 1\ndrift: {webhook: !env HOOK}\n' };
const refuse = (times: number): object => ({
  match: { method: 'POST', route: '/v3/apis' },
  ...{ times, action: { status: 422, problem: { detail: 'The name is taken.' } } },
});
const merge = (walk: Walk): void => void Object.assign(walk.forge, { state: 'merged' });

/** The open request is planned, and told. */
async function review(walk: Walk, of: string, job: Job = {}): Promise<void> {
  await walk.job('plan', { of, ...job });
  await walk.job('comment', { of, ...job });
}

/** After the merge: plan, apply, comment, as far as they come. */
async function carryOut(walk: Walk, job: Job = {}): Promise<void> {
  const planned = await walk.job('plan', job);
  const applied = planned === 0 ? await walk.job('apply', job) : planned;
  await walk.job('comment', {
    ...job,
    env: { ...job.env, SYNC_AFTER: 'apply', SYNC_ENDED: applied === 0 ? 'success' : 'failure' },
  });
}

const applied = async (walk: Walk, ...lines: readonly string[]): Promise<void> => {
  walk.write({ ...shop, [file]: catalogue(...lines) });
  await walk.type('sync apply --yes --quiet -C project');
};

const slowly = (walk: Walk): Promise<void> =>
  walk.faults({ match: { method: 'POST', route: '/v3/apis' }, probability: 1, action: { delayMs: 300 } });

/** An apply after the merge that is killed at a moment, what its request is told, and the run after it. */
const killedAt =
  (report: string, text: string): Flow =>
  async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets'), api('cats')) });
    await review(walk, 'a');
    merge(walk);
    await walk.job('plan');
    await slowly(walk);
    await walk.killed('apply', { report, text });
    await walk.job('comment', { env: { SYNC_AFTER: 'apply', SYNC_ENDED: 'failure' } });
    walk.look('comment');
  };

export const flows: Readonly<Record<string, Flow>> = {
  'the first request of a new project': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets'), api('cats')) });
    await review(walk, 'a');
    walk.look('log', 'comment');
  },
  'a typo, and its correction': async (walk) => {
    walk.write({ ...shop, [file]: catalogue('pets: {type: platform:Apis}') });
    await review(walk, 'a');
    walk.look('comment');
    await walk.job('plan', { of: 'a' });
    walk.look('log');
    walk.write({ [file]: catalogue(api('pets')) });
    await review(walk, 'b');
    walk.look('comment');
  },
  'nothing to do': async (walk) => {
    await applied(walk, api('pets'));
    await review(walk, 'a');
    walk.look('log', 'comment');
  },
  'a change of three fields': async (walk) => {
    await applied(walk, api('pets'), api('cats'), api('dogs'));
    walk.write({ [file]: catalogue(api('pets', 'a'), api('cats', 'b'), api('dogs', 'c')) });
    await review(walk, 'a');
    walk.look('comment');
  },
  'a delete, blocked, then allowed in the settings': async (walk) => {
    await applied(walk, api('pets'), api('cats'));
    walk.write({ [file]: catalogue(api('cats')) });
    await review(walk, 'a');
    walk.look('comment');
    await walk.job('plan', { of: 'a' });
    walk.look('log');
    walk.write({ 'project/sync.yaml': 'project: shop\nguards: {allow: [{guard: "delete:pets", reason: retired}]}\n' });
    await review(walk, 'b');
    walk.look('comment');
  },
  'a state that was lost': async (walk) => {
    await applied(walk, api('pets'), api('cats'));
    walk.remove('project/.sync');
    await review(walk, 'a');
    walk.look('comment');
    await walk.job('plan', { of: 'a' });
    walk.look('log');
    await walk.job('drift');
    walk.look('log', 'issue');
    await walk.type('sync adopt --yes -C project');
    walk.look('log');
  },
  'a state of another project': async (walk) => {
    await applied(walk, api('pets'));
    walk.write({ 'project/sync.yaml': 'project: other\n' });
    await review(walk, 'a');
    walk.look('comment');
  },
  'a platform that answers 503 to a read': async (walk) => {
    await applied(walk, api('pets'));
    await walk.faults({
      match: { method: 'GET', route: '/v3/apis' },
      probability: 1,
      action: { status: 403, problem: { detail: 'no role' } },
    });
    await review(walk, 'a');
    walk.look('comment');
  },
  'a token that the platform refuses': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets')) });
    await walk.faults({ probability: 1, action: { status: 401, problem: { detail: 'no' } } });
    await review(walk, 'a');
    walk.look('comment');
    await walk.job('plan', { of: 'a' });
    walk.look('log');
  },
  'no token at all': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets')) });
    await review(walk, 'a', { env: { PLATFORM_TOKEN: '' } });
    walk.look('comment');
    await walk.job('plan', { of: 'a', env: { PLATFORM_TOKEN: '' } });
    walk.look('log');
  },
  'a state that cannot be reached': async (walk) => {
    walk.write({
      'project/sync.yaml': 'project: shop\nstate: {backend: postgres, url: !env SYNC_STATE_URL}\n',
      [file]: catalogue(api('pets')),
    });
    const env = { SYNC_STATE_URL: 'postgres://sync:secret-word@127.0.0.1:1/state' };
    await review(walk, 'a', { env });
    walk.look('comment');
    await walk.job('plan', { of: 'a', env });
    walk.look('log');
    await walk.job('plan', { of: 'a' });
    walk.look('log');
  },
  'five projects, one of them broken': async (walk) => {
    for (const name of ['one', 'two', 'three', 'four', 'five'])
      walk.write({
        [`${name}/sync.yaml`]: `project: ${name}\n`,
        [`${name}/catalogue/all.yaml`]:
          name === 'three'
            ? catalogue('pets: {type: platform:Apis}')
            : catalogue(...(name === 'one' ? [api('pets-of-one')] : [])),
      });
    for (const name of ['one', 'two', 'three', 'four', 'five'])
      await walk.job('plan', { of: 'a', in: name, out: `outs/${name}`, ...(name === 'one' ? {} : { run: 'same' }) });
    await walk.job('comment', { of: 'a', in: '.', out: 'outs' });
    walk.look('log', 'comment');
  },
  'three stacks in one job': async (walk) => {
    walk.write({ ...stacks, [file]: catalogue(api('pets')) });
    const env = { SYNC_ALL_STACKS: 'true' };
    await walk.job('plan', { of: 'a', env });
    await walk.job('comment', { of: 'a', env });
    walk.look('comment');
    merge(walk);
    await walk.faults(refuse(1));
    await carryOut(walk, { env });
    walk.look('comment');
  },
  'a stack that nobody named': async (walk) => {
    walk.write({ ...stacks, [file]: catalogue(api('pets')) });
    await walk.job('plan', { of: 'a' });
    walk.look('log');
    await walk.job('comment', { of: 'a' });
    walk.look('comment');
  },
  'a plan of an older commit that comes late': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets')) });
    await walk.job('plan', { of: 'a', out: 'a' });
    await review(walk, 'b');
    await walk.job('comment', { of: 'b', out: 'a' });
    walk.look('log');
  },
  'a run that was cancelled, and one that ended without a word': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets')) });
    await walk.job('comment', { of: 'a', env: { SYNC_ENDED: 'cancelled' } });
    walk.look('comment');
    await walk.job('comment', { of: 'a', env: { SYNC_ENDED: 'failure' } });
    walk.look('comment');
  },
  'a plan of a thousand steps': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(...Array.from({ length: 1000 }, (_, at) => api(`api-${at}`))) });
    await review(walk, 'a');
    const [{ body = '' } = {}] = walk.forge.comments;
    walk.note(
      `${body.length < 65_536 ? 'fits' : 'does not fit'}; ${/Left out for length: .*/.exec(body)?.[0] ?? 'nothing left out'}`,
    );
    walk.note(/^\| `\+` .*$/m.exec(body)?.[0] ?? 'no row');
  },
  'a forge that refuses': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets')) });
    await walk.job('plan', { of: 'a' });
    for (const status of [401, 403, 404, 410, 422, 500, 502]) {
      walk.forge.api.faults.push({ match: /^POST /, answer: { status, body: { message: 'no' } }, times: 9 });
      await walk.job('comment', { of: 'a' });
      walk.look('log');
      walk.forge.api.faults.length = 0;
    }
  },
  'a forge that limits': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets')) });
    await walk.job('plan', { of: 'a' });
    walk.forge.api.faults.push({
      match: /^POST /,
      answer: { status: 429, body: { message: 'slow' }, headers: { 'retry-after': '1' } },
    });
    await walk.job('comment', { of: 'a' });
    walk.look('log');
    walk.forge.api.faults.push({
      match: /^GET /,
      answer: { status: 429, body: { message: 'slow' }, headers: { 'retry-after': '3600' } },
      times: 9,
    });
    await walk.job('comment', { of: 'a' });
    walk.look('log');
  },
  'a conversation that is locked': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets')) });
    await walk.job('plan', { of: 'a' });
    walk.forge.api.faults.push({
      match: /^POST /,
      answer: { status: 403, body: { message: 'Unable to create comment because issue is locked.' } },
      times: 9,
    });
    await walk.job('comment', { of: 'a' });
    walk.look('log');
  },
  'no token for the comment, and no request': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets')) });
    await walk.job('plan', { of: 'a' });
    await walk.job('comment', { of: 'a', env: { GITHUB_TOKEN: '', GITLAB_TOKEN: '' } });
    walk.look('log');
    await walk.job('comment', { env: { GITHUB_SHA: commit('d'), CI_COMMIT_SHA: commit('d') } });
    walk.look('log');
    await walk.type('sync comment ../out/plan.json -C project');
    walk.look('log');
    await walk.job('comment', { of: 'a', out: 'nothing-here' });
    walk.look('log', 'comment');
  },
  'a result of another run, and one that was altered': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets')) });
    await walk.job('plan', { of: 'a' });
    await walk.job('comment', { of: 'a', env: { SYNC_STACK: 'prod' } });
    walk.look('log');
    await walk.type("sed -i 's/pets/cats/' ../out/plan.json");
    await walk.job('comment', { of: 'a' });
    walk.look('log');
    merge(walk);
    await walk.job('apply');
    walk.look('log');
  },
  'merged and applied': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets'), api('cats')) });
    await review(walk, 'a');
    merge(walk);
    await walk.job('plan');
    await walk.job('apply');
    walk.look('end');
    await walk.job('comment', { env: { SYNC_AFTER: 'apply' } });
    walk.look('log', 'comment');
    await walk.job('apply');
    walk.look('log');
  },
  'partly applied, and the rest by a second run': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets'), api('cats'), api('dogs')) });
    await review(walk, 'a');
    merge(walk);
    await walk.faults(refuse(1));
    await carryOut(walk);
    walk.look('comment');
    await walk.faults();
    await carryOut(walk);
    walk.look('comment');
  },
  'nothing could be applied': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets')) });
    await review(walk, 'a');
    merge(walk);
    await walk.faults(refuse(9));
    await walk.job('plan');
    await walk.job('apply');
    walk.look('end');
    await walk.job('comment', { env: { SYNC_AFTER: 'apply' } });
    walk.look('comment');
  },
  'a click between plan and apply': async (walk) => {
    await applied(walk, api('pets'));
    walk.write({ [file]: catalogue(api('pets', 'new')) });
    merge(walk);
    await walk.job('plan');
    await walk.click('apis', 'pets', { description: 'by hand' });
    await walk.job('apply');
    walk.look('end');
    await walk.job('comment', { env: { SYNC_AFTER: 'apply' } });
    walk.look('comment');
    await walk.job('apply', { env: { SYNC_APPROVED: 'effect' } });
    walk.look('end');
  },
  'two merges that share an apply, and a third request that is open': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets')) });
    await review(walk, 'a');
    const [own] = walk.forge.comments;
    for (const [number, mergedAt] of [
      [4, '2025-12-31T00:00:00Z'],
      [3, undefined],
    ] as const) {
      walk.forge.others.push({ number, ...(mergedAt === undefined ? {} : { mergedAt }) });
      walk.forge.add('me', own?.body ?? '', number);
    }
    merge(walk);
    await carryOut(walk);
    walk.look('log', 'comment');
  },
  'an apply that was turned down': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets')) });
    await review(walk, 'a');
    merge(walk);
    await walk.job('plan');
    await walk.job('comment', { env: { SYNC_AFTER: 'apply', SYNC_ENDED: 'failure' } });
    walk.look('log', 'comment');
    await walk.job('comment', { env: { SYNC_AFTER: 'apply', SYNC_ENDED: 'cancelled' } });
    walk.look('comment');
  },
  'a merge of nobody’s request': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets')) });
    await walk.job('plan');
    await walk.job('apply');
    await walk.job('comment', { env: { SYNC_AFTER: 'apply', GITHUB_SHA: commit('d'), CI_COMMIT_SHA: commit('d') } });
    walk.look('log', 'comment');
  },
  'news of runs by the webhook': async (walk) => {
    walk.write({ ...hooked, [file]: catalogue(api('pets'), api('cats')) });
    await walk.faults(refuse(1));
    await walk.job('plan');
    await walk.job('apply');
    walk.look('posts');
    await walk.faults();
    walk.receiver.answer(503, 503, 503, 503, 503, 503);
    await walk.job('plan');
    await walk.job('apply');
    walk.look('log');
    walk.receiver.reset();
    await walk.job('drift');
    walk.look('log', 'posts');
    walk.write({ [file]: catalogue(api('cats')) });
    await walk.job('plan');
    walk.look('posts');
  },
  'drift: found, told once, gone': async (walk) => {
    await applied(walk, api('pets'), api('cats'));
    await walk.job('drift');
    walk.look('log', 'issue');
    await walk.click('apis', 'pets', { description: 'by hand' });
    await walk.job('drift');
    walk.look('log', 'issue');
    await walk.job('drift');
    walk.look('end');
    await walk.click('apis', 'pets', { description: 'pets' });
    await walk.job('drift');
    walk.look('log', 'issue');
  },
  'drift: a check that fails': async (walk) => {
    await applied(walk, api('pets'));
    await walk.click('apis', 'pets', { description: 'by hand' });
    await walk.job('drift');
    await walk.faults({ probability: 1, action: { status: 401, problem: { detail: 'no' } } });
    await walk.job('drift');
    walk.look('log', 'issue');
  },
  'drift: an issue that cannot be written': async (walk) => {
    await applied(walk, api('pets'));
    await walk.click('apis', 'pets', { description: 'by hand' });
    for (const status of [401, 403, 404, 410, 502]) {
      walk.tracker.api.faults.push({ match: /issues$/, answer: { status, body: { message: 'no' } }, times: 9 });
      await walk.job('drift');
      walk.look('end');
      walk.tracker.api.faults.length = 0;
    }
  },
  'drift: of three stacks': async (walk) => {
    walk.write({ ...stacks, [file]: catalogue(api('pets')) });
    await walk.type('sync apply --yes --quiet --stack prod -C project');
    await walk.click('apis', 'pets', { description: 'by hand' });
    await walk.job('drift', { env: { SYNC_ALL_STACKS: 'true' } });
    walk.look('log', 'issue');
    await walk.type('sync drift --stack prod -C project');
  },
  'a key and a name changed at once': async (walk) => {
    await applied(walk, 'pets: {type: platform:Api, properties: {name: Pets, description: All pets}}');
    walk.write({
      [file]: catalogue('animals: {type: platform:Api, properties: {name: Animals, description: All pets}}'),
    });
    await review(walk, 'a');
    walk.look('comment');
  },
  'killed before it began': killedAt('', ''),
  'killed while it plans': killedAt('result.json', '"project"'),
  'killed when its plan is made': killedAt('result-events.jsonl', '"type":"planned"'),
  'killed while the first write is under way': killedAt('result-events.jsonl', '"type":"step-started"'),
  'killed between two writes': killedAt('result-events.jsonl', '"address":"pets"'),
  'a run after one that was killed': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets'), api('cats')) });
    await walk.job('plan');
    await slowly(walk);
    await walk.killed('apply', { report: 'result-events.jsonl', text: '"address":"pets"' });
    // What the platform still does with the call it has got, it has done by then.
    await walk.type('sleep 1');
    await walk.faults();
    await walk.type('sync history -C project');
    await walk.job('plan');
    walk.look('end');
    await walk.job('apply');
    walk.look('end');
  },
  'an approval that other merges leave alone': async (walk) => {
    await applied(walk, api('pets'), api('cats'));
    walk.write({ [file]: catalogue(api('pets', 'new'), api('cats')) });
    await walk.job('plan', { out: 'approved' });
    await walk.click('apis', 'cats', { description: 'by hand' });
    walk.write({ [file]: catalogue(api('pets', 'new'), api('cats', '"by hand"')) });
    await walk.job('apply', { out: 'approved', run: 'same' });
    walk.look('end');
    await walk.job('apply', { out: 'approved', run: 'same', env: { SYNC_APPROVED: 'effect' } });
    walk.look('end');
  },
  'an approval over twenty merges of others, and one for something else': async (walk) => {
    await applied(walk, api('pets'));
    const mine = 'project/catalogue/mine.yaml';
    walk.write({ [mine]: catalogue(api('mine')) });
    await review(walk, 'a');
    merge(walk);
    await walk.job('plan', { out: 'approved' });
    walk.remove(mine);
    for (let number = 1; number <= 20; number += 1) {
      walk.write({ [`project/catalogue/other${number}.yaml`]: catalogue(api(`other${number}`)) });
      await walk.type('sync apply --yes --quiet -C project');
    }
    walk.write({ [mine]: catalogue(api('mine', 'else')) });
    await walk.job('apply', { out: 'approved', run: 'same', env: { SYNC_APPROVED: 'effect' } });
    walk.look('end');
    walk.write({ [mine]: catalogue(api('mine')), 'project/catalogue/late.yaml': catalogue(api('late')) });
    await walk.job('apply', { out: 'approved', run: 'same', env: { SYNC_APPROVED: 'effect' } });
    walk.look('end');
    await walk.type('sync apply --yes --quiet -C project --target late');
    await walk.job('apply', { out: 'approved', run: 'same', env: { SYNC_APPROVED: 'effect' } });
    await walk.job('comment', { out: 'approved', run: 'same', env: { SYNC_AFTER: 'apply' } });
    walk.look('end', 'comment');
  },
  'a comment that is made again': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets')) });
    await review(walk, 'a');
    walk.forge.api.log.length = 0;
    await walk.job('comment', { of: 'a' });
    walk.look('log');
    walk.note(`writes: ${walk.forge.api.writes().length}`);
  },
  'a request that was planned again after its branch moved': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets')) });
    await review(walk, 'a');
    walk.write({ [file]: catalogue(api('pets'), api('cats')) });
    await walk.job('plan', { of: 'b', out: 'b' });
    walk.forge.head = commit('c');
    await walk.job('comment', { of: 'b', out: 'b', env: { GITHUB_SHA: commit('b') } });
    walk.look('comment');
  },
  'a comment at the size limit': async (walk) => {
    const text = Array.from({ length: 120 }, (_, at) => `line ${at} of a document that is long`).join('\\n');
    const document = (name: string): string =>
      `${name}: {type: platform:Api, children: {guide: {type: platform:ApiDocument, properties: {title: ${name}, content: "${text}"}}}}`;
    walk.write({ ...shop, [file]: catalogue(...Array.from({ length: 60 }, (_, at) => document(`api-${at}`))) });
    await review(walk, 'a');
    const [{ body = '' } = {}] = walk.forge.comments;
    const odd = body.split('<details').length !== body.split('</details>').length || body.split('```').length % 2 === 0;
    walk.note(`fits: ${body.length < 65_536}, something stays open: ${odd}`);
    walk.note(/Left out for length: .*/.exec(body)?.[0] ?? 'nothing is left out');
  },
  'settings that cannot be read': async (walk) => {
    walk.write({ 'project/sync.yaml': 'project: [\n', [file]: catalogue(api('pets')) });
    await review(walk, 'a');
    walk.look('comment');
    await walk.job('drift');
    walk.look('log', 'issue');
  },
  'a plan of another stack': async (walk) => {
    walk.write({ ...stacks, [file]: catalogue(api('pets')) });
    await walk.job('plan', { env: { SYNC_STACK: 'dev' } });
    await walk.job('apply', { env: { SYNC_STACK: 'prod' } });
    walk.look('log');
  },
  'a project that has nothing yet': async (walk) => {
    walk.write({ ...shop, [file]: catalogue() });
    await review(walk, 'a');
    walk.look('log', 'comment');
    await walk.job('drift');
    walk.look('log');
  },
  'mistakes of a first month': async (walk) => {
    walk.write({ ...stacks, [file]: catalogue(api('pets')) });
    const typed = async (line: string): Promise<void> => {
      await walk.type(`${line} -C project`);
      walk.look('log');
    };
    await typed('sync plan --stack prd');
    await typed('sync plan --stack dev --target type:Apis');
    await typed('sync plan --stack dev --format htm');
    await typed('sync plan --stack dev --exclude nothing');
    await typed('sync aply --stack dev');
    await typed('sync history --stack dev --format jsonl --limit no');
    await typed('sync apply --stack dev');
    walk.write({ [file]: catalogue('pets: {type: platform:Api, properties: {description: ${param.stage}}}') });
    await typed('sync validate --all-stacks');
    walk.write({
      [file]: 'defaults: {labels: [a]}\nresources:\n  pets: {type: platform:Api}\n  cats: {type: platform:Api}\n',
    });
    await typed('sync validate --stack dev');
    walk.write({
      [file]: 'resources:\n  pets:\n    type: platform:Api\n  children:\n    guide: {type: platform:ApiDocument}\n',
    });
    await typed('sync validate --stack dev');
  },
  'a default stack beside others': async (walk) => {
    walk.write({
      'project/sync.yaml': 'project: shop\ndefaultStack: dev\nstacks: {dev: {}, prod: {}}\n',
      [file]: catalogue(api('pets')),
    });
    await walk.type('sync plan -C project');
    walk.look('end');
    await walk.type('sync validate --all-stacks -C project');
    walk.look('log');
    walk.write({ 'project/sync.yaml': 'project: shop\ndefaultStack: stage\nstacks: {dev: {}, prod: {}}\n' });
    await walk.type('sync plan -C project');
    walk.look('log');
    await walk.type('sync plan --stack default -C project');
    walk.look('log');
  },
  'what changed in one stack alone is accepted': async (walk) => {
    walk.write({ ...stacks, [file]: catalogue(api('pets')) });
    await walk.type('sync apply --yes --quiet --stack prod -C project');
    await walk.click('apis', 'pets', { description: 'by hand' });
    await walk.type('sync drift --stack prod -C project');
    await walk.type('sync drift accept pets --stack prod -C project');
    walk.look('log');
  },
  'drift: webhook and issue of a finding that comes and goes': async (walk) => {
    walk.write({ ...hooked, [file]: catalogue(api('pets')) });
    await walk.type('sync apply --yes --quiet -C project');
    for (const description of ['a', 'pets', 'b', 'pets', 'c', 'pets', 'd']) {
      await walk.click('apis', 'pets', { description });
      await walk.job('drift');
    }
    walk.look('log', 'posts');
    walk.note(walk.tracker.issues.map(({ state, comments }) => `${state} issue, ${comments.length} comments`).join());
  },
  'drift: a state that is another one': async (walk) => {
    await applied(walk, api('pets'));
    await walk.click('apis', 'pets', { description: 'by hand' });
    await walk.job('drift');
    walk.remove('project/.sync');
    await walk.click('apis', 'pets', { description: 'pets' });
    await walk.type('sync adopt --yes --quiet -C project');
    await walk.job('drift');
    walk.look('log', 'issue');
  },
  'drift: clean, with an open issue, and calls counted': async (walk) => {
    await applied(walk, api('pets'));
    await walk.job('drift');
    walk.tracker.api.log.length = 0;
    await walk.job('drift');
    walk.note(`calls: ${walk.tracker.api.log.length}`);
  },
  'a forge that hangs up, and one that answers a page': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets')) });
    await walk.job('plan', { of: 'a' });
    walk.forge.api.faults.push({ match: /^GET /, answer: 'reset', times: 99 });
    await walk.job('comment', { of: 'a' });
    walk.look('log');
    walk.forge.api.faults.length = 0;
    walk.forge.api.faults.push({ match: /^GET /, answer: { status: 200, text: '<html>log in</html>' }, times: 99 });
    await walk.job('comment', { of: 'a' });
    walk.look('log');
  },
  'an artifact that was lost': async (walk) => {
    walk.write({ ...shop, [file]: catalogue(api('pets')) });
    await review(walk, 'a');
    merge(walk);
    await walk.job('apply', { out: 'lost' });
    walk.look('log');
    await walk.job('comment', { out: 'lost', env: { SYNC_AFTER: 'apply', SYNC_ENDED: 'failure' } });
    walk.look('comment');
  },
  'a read that fails in the apply': async (walk) => {
    await applied(walk, api('pets'), api('cats'));
    walk.write({
      [file]: catalogue(
        'pets: {type: platform:Api, children: {guide: {type: platform:ApiDocument, properties: {title: Guide, content: x}}}}',
        api('cats'),
      ),
    });
    await walk.type('sync apply --yes --quiet -C project');
    await walk.faults({
      match: { method: 'GET', route: '/v3/apis/*/documents/*' },
      probability: 1,
      action: { status: 403, problem: { detail: 'no role' } },
    });
    await walk.type('sync apply --yes --quiet -C project --refresh full');
    walk.look('log');
  },
};
