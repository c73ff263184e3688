import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { CelEnvironment } from '@platform-sync/engine/rules/cel';
import { names } from '@platform-sync/engine/rules/facts';
import { readRules } from '@platform-sync/engine/rules/rule-file';
import { providerPackages } from '@platform-sync/sdk/registry';
import { paperFolder, PaperWorld, removeFolder } from '../harness/paper-world.js';

const environment = new CelEnvironment(names);

/** What an expression comes to; of one that is refused, why. */
function resultOf(text: string, facts: object = {}): unknown {
  const found = environment.compile(text);
  if ('message' in found) return `refused: ${found.message}`;
  const outcome = found.evaluate(facts);
  return outcome.kind === 'value' ? outcome.value : `${outcome.kind}: ${outcome.why}`;
}

describe('an expression', () => {
  it('runs patterns on the engine whose time grows with the text alone, and is refused with one that this does not take', () => {
    const text = 'a'.repeat(60);
    expect(resultOf(`"${text}!".matches("^(a+)+$")`)).toBe(false);
    expect(resultOf('new.name.matches("^pet")', { new: { name: 'petstore' } })).toBe(true);
    expect(resultOf(String.raw`"aa".matches("(a)\\1")`)).toMatch(/^refused: The pattern can't be run: it refers back/);
  });

  it('has a bound, wherever its steps come from', () => {
    const many = Array.from({ length: 150 }, (_, index) => BigInt(index));
    const deep = 'new.all(a, new.all(b, new.all(c, new.all(d, a + b + c + d >= 0))))';
    expect(resultOf(deep, { new: many })).toBe('failed: it takes too many steps');
    // An error inside is swallowed by what is true all the same; a bound is not.
    expect(resultOf(`true || ${deep}`, { new: many })).toBe(true);
    expect(resultOf(`${deep} || true`, { new: many })).toBe('failed: it takes too many steps');
    const doubled = Array.from({ length: 20 }, (_, level) => `cel.bind(v${level + 1}, v${level} + v${level}, `);
    const growing = `cel.bind(v0, new, ${doubled.join('')}true${')'.repeat(doubled.length + 1)}`;
    expect(resultOf(growing, { new: many })).toBe('failed: it takes too many steps');
    expect(resultOf(`new.split("").all(a, new.split("").all(b, a + b != ""))`, { new: 'ab'.repeat(3000) })).toMatch(
      /^failed: it takes/,
    );
  });

  it('sees neither members of the language nor of JavaScript', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'length'])
      expect(resultOf(`new.${name} == 1`, { new: { name: 'x' } })).toMatch(/^(failed|refused)/);
  });
});

const api = (properties: object): object => ({ type: 'platform:Api', properties });

describe('rules', () => {
  let folder: string;
  let cwd: string;
  let world: PaperWorld;
  beforeAll(async () => {
    folder = await paperFolder({ one: { policies: ['policies/*.yaml'], guards: { maxDeletePercent: 100 } } });
    cwd = `${folder}/one`;
    mkdirSync(`${cwd}/policies`);
  });
  afterAll(() => removeFolder(folder));
  beforeEach(() => {
    world = new PaperWorld();
    world.env['OWNER'] = 'hush-hush';
    world.write(cwd, { resources: { pets: api({ name: 'Pets' }) } } as never);
  });

  const rules = (text: string): void => writeFileSync(`${cwd}/policies/rules.yaml`, text);
  const owner = (level: string): string =>
    `rules:\n  - name: owner\n    level: ${level}\n    match: {types: [platform:Api]}\n    expression: new == null || new.?labels.?owner.hasValue()\n    message: an API has an owner\n`;

  it('advise, ask for a reason, or deny', async () => {
    rules(owner('advise'));
    const advised = await world.plan(cwd);
    expect(advised.plan).toMatchObject({ guards: [], policies: { rules: 1 } });
    expect(advised.plan.notices).toContainEqual(
      expect.objectContaining({
        code: 'policy-advice',
        summary: 'pets: an API has an owner',
        place: expect.objectContaining({ line: 1 }) as unknown,
      }),
    );
    rules(owner('warn'));
    const name = 'policy:owner:pets';
    expect((await world.plan(cwd)).plan.guards).toMatchObject([{ name, level: 'warn', addresses: ['pets'] }]);
    expect((await world.apply(cwd)).result.status).toBe('blocked');
    const allow = [{ guard: 'policy:owner', reason: 'ticket 7' }];
    expect((await world.plan(cwd, { allow })).plan.guards).toMatchObject([{ lifted: 'ticket 7' }]);
    rules(owner('deny'));
    const denied = await world.apply(cwd, { allow: [...allow, { guard: name, reason: 'please' }] });
    expect(denied.plan.guards).toMatchObject([{ name, level: 'deny' }]);
    expect(denied.plan.guards[0]?.lifted).toBeUndefined();
    expect(denied.result.status).toBe('blocked');
    rules(owner('warn'));
    expect((await world.apply(cwd, { allow })).result.status).toBe('done');
    const [row] = (await world.store().runs({ kinds: ['plan'], limit: 1 })).map(({ content }) => content);
    expect(row).toMatchObject({
      policies: { rules: 1, found: [{ level: 'warn', lifted: 'ticket 7', addresses: ['pets'] }] },
    });
  });

  it('see no secret, and nothing that is not known yet', async () => {
    world.write(cwd, {
      resources: {
        pets: api({ name: 'Pets', labels: { owner: { 'fn::env': 'OWNER' }, team: 'a' } }),
        other: api({ name: '${pets.id}' }),
      },
    } as never);
    const asks = (expression: string): Promise<readonly string[]> => {
      rules(`rules:\n  - {name: asks, level: deny, expression: '${expression}'}\n`);
      return world.plan(cwd).then(({ plan }) => plan.guards.map(({ level, summary }) => `${level ?? ''} ${summary}`));
    };
    for (const asked of [
      'new.labels.owner == "hush-hush"',
      'new.labels == old',
      '"hush-hush" in new.labels.map(k, new.labels[k])',
    ])
      expect(await asks(`step.address != "pets" || ${asked}`)).toEqual([
        expect.stringMatching(/^warn the rule can't be asked: no rule reads a secret/),
      ]);
    expect(
      await asks(
        'step.address != "pets" || (has(new.labels.owner) && new.labels.team == "a" && !known(new.labels.owner))',
      ),
    ).toEqual([]);
    expect(await asks('new.name != "x"')).toEqual([
      expect.stringMatching(/^warn the rule can't be asked: pets.id is known only after the apply/),
    ]);
    expect(await asks('!known(new.name) || new.name != "x"')).toEqual([]);
  });

  it('judge what is there, what comes, and the plan as a whole', async () => {
    rm();
    await world.apply(cwd);
    world.write(cwd, {
      resources: { pets: api({ name: 'Pets', description: 'more' }), cats: api({ name: 'Cats' }) },
    } as never);
    rules(`
variables:
  - {name: word, expression: '"more"'}
rules:
  - name: silent
    level: deny
    match: {types: [platform:Api], actions: [update], addresses: ['pets']}
    matchConditions: [{name: described, expression: has(new.description)}]
    variables: [{name: both, expression: 'variables.word + old.name'}]
    expression: variables.both != "morePets" || old.name != new.name
    messageExpression: '"changes " + step.changed.join(", ") + " of " + resource.type'
  - {name: few, level: deny, expression: plan.summary.create + plan.summary.update < 2, message: at most one at a time}
  - {name: other, level: deny, match: {actions: [delete]}, expression: 'false'}
`);
    const { plan } = await world.plan(cwd);
    expect(plan.guards.map(({ name, summary }) => `${name} ${summary.replace(/ \(.*/, '')}`)).toEqual([
      'policy:few at most one at a time',
      'policy:silent:pets changes description of platform:Api',
    ]);
  });

  it('see what becomes of a field whose line goes, and what others keep in one that stays', async () => {
    rm();
    const labels = (own: object | undefined): void =>
      world.write(cwd, { resources: { pets: api({ name: 'Pets', ...(own && { labels: own }) }) } } as never);
    labels({ owner: 'ann', team: 'a' });
    await world.apply(cwd);
    rules(owner('deny'));
    labels(undefined);
    expect((await world.plan(cwd)).plan.guards.map(({ name }) => name)).toEqual(['policy:owner:pets']);
    labels({ team: 'b' });
    expect((await world.plan(cwd)).plan.guards.map(({ name }) => name)).toEqual(['policy:owner:pets']);
    labels({ owner: 'bob' });
    expect((await world.plan(cwd)).plan.guards).toEqual([]);
  });

  const rm = (): void => rules('rules: []\n');

  it('have tests beside them, which say what is broken, and are asked of what is recorded', async () => {
    rm();
    await world.apply(cwd);
    const tests = `tests:\n  - {name: right, new: {name: a}, breaks: [owner]}\n  - {name: wrong, new: {labels: {owner: b}}, breaks: [owner]}\n  - {name: silent, new: {name: a}, breaks: []}\n`;
    rules(owner('warn') + tests);
    const { cases, rules: number } = await world.open(cwd, (project) => project.testRules());
    expect([number, cases.map(({ name, place, problems }) => [name, place, ...problems])]).toEqual([
      1,
      [
        ['right', 'policies/rules.yaml:8'],
        ['wrong', 'policies/rules.yaml:9', '"owner" holds'],
        ['silent', 'policies/rules.yaml:10', '"owner" does not hold: an API has an owner'],
      ],
    ]);
    const judged = await world.open(cwd, (project) => project.judgeRecords());
    expect(judged.findings).toMatchObject([
      { rule: 'owner', level: 'warn', address: 'pets', message: 'an API has an owner' },
    ]);
  });

  it('of the operator judge every plan, and never lie where a proposal could edit them', async () => {
    rm();
    const { SYNC_POLICY: _none, ...env } = world.env;
    mkdirSync(`${folder}/ops`, { recursive: true });
    writeFileSync(`${folder}/ops/rules.yaml`, owner('deny'));
    const open = { env: { ...env, SYNC_POLICY: JSON.stringify({ rules: [`${folder}/ops`] }) } };
    expect((await world.apply(cwd, { open })).plan).toMatchObject({
      guards: [{ name: 'policy:owner:pets', level: 'deny' }],
      policies: { rules: 1 },
    });
    const inTree = { env: { SYNC_POLICY: JSON.stringify({ rules: [`${cwd}/policies`] }) } };
    await expect(world.open(cwd, (project) => project.plan(), inTree)).rejects.toThrow('policy-in-tree');
  });

  it('that are wrong end every plan, each told at its place', async () => {
    rules('rules:\n  - name: a\n    expression: >-\n      has(new.labels) &&\n      stp.action == "x"\n');
    const { diagnostics, plan } = await world.open(cwd, (project) => project.plan());
    expect(plan).toBeUndefined();
    expect(diagnostics).toMatchObject([
      {
        code: 'policy-expression',
        summary: 'Unknown variable: stp.',
        place: { line: 5, column: 7, text: expect.stringContaining('stp.action') },
      },
    ]);
    rmSync(`${cwd}/policies/rules.yaml`);
    expect((await world.open(cwd, (project) => project.validate())).diagnostics).toMatchObject([
      { code: 'policy-missing' },
    ]);
  });
});

describe('the rules that are shipped', () => {
  it('are twelve, and do what their tests say', async () => {
    const folder = await paperFolder({ one: { policies: 'policies/*.yaml' } });
    cpSync('schemas/policies', `${folder}/one/policies`, { recursive: true });
    const { rules, cases, diagnostics } = await new PaperWorld().open(
      `${folder}/one`,
      (project) => project.testRules(),
      {
        packages: providerPackages,
      },
    );
    expect([rules, diagnostics]).toEqual([12, []]);
    expect(cases.filter(({ passes }) => !passes)).toEqual([]);
    expect(cases.length).toBeGreaterThan(20);
    await removeFolder(folder);
  });
});

describe('a file of rules', () => {
  const told = (text: string): readonly string[] =>
    readRules([{ file: 'rules.yaml', text }], new PaperWorld().platform.package.types).diagnostics.map(
      ({ place, summary, hint }: Diagnostic) =>
        `${place?.line ?? 0}:${place?.column ?? 0} ${summary} ${hint ?? ''}`.trim(),
    );

  it.each([
    ['', '1:1 The file holds no rules.'],
    ['rules: {a: b}', '1:8 "rules" is a list.'],
    ['rules: [{name: a, expresion: "true"}]', '1:19 A rule has no "expresion". Did you mean expression?'],
    ['rules: [{name: a}]', '1:9 A rule needs an "expression"'],
    ['rules: [{name: A b, expression: "true"}]', '1:16 "A b" is no name'],
    ['rules: [{name: a, level: block, expression: "true"}]', '1:26 "level" is one of advise, warn, deny.'],
    [
      'rules: [{name: a, match: {types: [platform:Apy]}, expression: "true"}]',
      '1:35 There is no type "platform:Apy". Did you mean platform:Api?',
    ],
    [
      'rules: [{name: a, match: {types: [platform:Api]}, expression: "has(new.lables)"}]',
      '1:72 No type that the rule is about has a field "lables". Did you mean labels?',
    ],
    ['rules: [{name: a, expression: "step.acton == \\"x\\""}]', '1:37 No such key: acton.'],
    [
      'rules: [{name: a, expression: "1 + 1"}]',
      '1:32 The expression gives int, not bool. It is true where all is well.',
    ],
    ['rules: [{name: a, expression: "step.action = 1"}]', '1:44 Unexpected character: =.'],
    [
      'rules: [{name: a, expression: "true", messageExpression: "size(plan.steps)"}]',
      '1:59 The expression gives int, not string.',
    ],
    ['rules: [{name: a, variables: [{name: b, expression: "1"}], expression: "variables.b == \\"x\\""}]', '1:73'],
    [
      'rules: [{name: a, variables: [{name: b, expression: "true"}], expression: "variables.c"}]',
      '1:86 No such key: c.',
    ],
    [String.raw`rules: [{name: a, expression: 'step.id.matches("(?=a)")'}]`, '1:48 The pattern can'],
    ['rules: [{name: a, expression: "true"}, {name: a, expression: "true"}]', '0:0 Two rules are called "a"'],
    ['rules: [', '1:'],
  ])('%s', (text, problem) => {
    expect(told(text)[0]?.startsWith(problem) === true ? problem : told(text)).toBe(problem);
  });
});
