import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { bareFiles } from '@platform-sync/report/report-files';
import { planReports } from '@platform-sync/report/reports';
import { freshWorlds } from '../harness/fresh-worlds.js';
import type { World } from '../harness/world.js';

let world: World;
freshWorlds((made) => (world = made));

const specification = (summary = '', more = ''): string => `openapi: 3.0.3
info: {title: Pets, version: '1'}
paths:
  /pets:
    get:
      operationId: list
      ${summary === '' ? '' : `summary: ${summary}`}
      responses: {'200': {description: ok}}
${more}`;

const named = `rules:
  operation-summary:
    description: Each operation has a summary.
    message: '{{path}} lacks a summary'
    documentationUrl: https://rules.example.com/summary
    severity: SEVERITY
    given: '$.paths[*][get,put,post,delete]'
    then: {field: summary, function: truthy}
`;
const rules = (severity: string): string => named.replace('SEVERITY', severity);

const catalogue = `resources:
  pets: {type: platform:Api, properties: {name: Pets}, children: {v1: {type: platform:ApiVersion, properties: {specContent: !file ../specs/pets.yaml}}}}
`;
const project = (set: string): string => `project: test\nspecificationRules: ${set}\n`;

function files(rulesText: string, text: string): Readonly<Record<string, string>> {
  return {
    'sync.yaml': project('rules/house.yaml'),
    'rules/house.yaml': rulesText,
    'specs/pets.yaml': text,
    'catalogue/all.yaml': catalogue,
  };
}

const brief = (found: readonly Diagnostic[]): readonly string[] =>
  found.map(
    ({ severity, code, place }) =>
      `${severity} ${code} ${place?.file ?? ''}:${String(place?.line)}:${String(place?.column)}`,
  );
const validated = async (): Promise<readonly Diagnostic[]> =>
  (await world.open((opened) => opened.validate())).diagnostics;

describe('a rule of the house', () => {
  it.each([
    ['error', 'error'],
    ['warn', 'warning'],
    ['info', 'info'],
    ['hint', 'info'],
  ])('of severity %s is told at the line of the specification, with its link', async (severity, told) => {
    await world.write(files(rules(severity), specification()));
    const found = await validated();
    expect(brief(found)).toEqual([`${told} house-rule specs/pets.yaml:5:5`]);
    expect(found[0]?.summary).toContain('breaks the rule operation-summary: ');
    expect(found[0]?.hint).toBe('The rule: https://rules.example.com/summary');
  });

  it('that is broken as an error keeps the specification from being published', async () => {
    await world.write(files(rules('error'), specification()));
    const { plan, diagnostics } = await world.planResult();
    expect(plan).toBeUndefined();
    expect(brief(diagnostics)).toContain('error house-rule specs/pets.yaml:5:5');
  });

  it('that is broken as a warning goes into every report', async () => {
    await world.write(files(rules('warn'), specification()));
    const plan = await world.plan();
    expect(brief(plan.notices.filter(({ code }) => code !== 'no-record'))).toEqual([
      'warning house-rule specs/pets.yaml:5:5',
    ]);
    const parts = ['operation-summary', 'rules.example.com/summary'];
    const lacking = [...planReports(plan)].flatMap(([name, text]) =>
      parts.every((part) => text.includes(part)) ? [] : [name],
    );
    expect(lacking.toSorted()).toEqual(bareFiles.toSorted());
  });

  it('of examples is told wherever one does not fit, and a request is asked otherwise than an answer', async () => {
    const holder = "{content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}, example: {}}}}";
    const text = `openapi: 3.0.3
info: {title: Pets, version: '1'}
paths:
  /pets:
    post:
      requestBody: ${holder}
      responses:
        '200': {description: ok, content: ${holder.slice(10, -1)}}
        '201': {description: ok, content: ${holder.slice(10, -1)}}
components: {schemas: {Pet: {type: object, required: [id], properties: {id: {type: string, readOnly: true}}}}}
`;
    const set = 'extends: [[spectral:oas, off]]\nrules: {oas3-valid-media-example: error}\n';
    await world.write(files(set, text));
    expect(brief(await validated()).map((line) => line.replace(/:\d+$/, ''))).toEqual([
      'error house-rule specs/pets.yaml:8',
      'error house-rule specs/pets.yaml:9',
    ]);
  });

  it('is not spoken of where it is kept', async () => {
    await world.write(files(rules('error'), specification('All')));
    expect(await validated()).toEqual([]);
  });

  it('may come from a set of Spectral, or from another file', async () => {
    const extending = 'extends: [[spectral:oas, off], ../rules/more.yaml]\nrules: {info-contact: error}\n';
    await world.write({ ...files(extending, specification()), 'rules/more.yaml': rules('warn') });
    expect(brief(await validated()).toSorted()).toEqual([
      'error house-rule specs/pets.yaml:2:1',
      'warning house-rule specs/pets.yaml:5:5',
    ]);
  });
});

describe('a rule set that brings what is never run or fetched is refused', () => {
  it.each([
    ['code', 'functions: [own]\nrules: {}\n'],
    ['a folder of code', 'functionsDir: ./own\nrules: {}\n'],
    ['an address', 'extends: https://example.com/rules.yaml\n'],
    ['a package', 'extends: "@example/rules"\n'],
    ['a set as code', 'extends: ./rules.js\n'],
    ['a way out of the project', 'extends: ../../../rules.yaml\n'],
    ['a function that nobody knows', rules('error').replace('truthy', 'evil')],
    ['a rule that is none', 'rules: {a: {given: 7}}\n'],
    ['no YAML', 'rules: {\n'],
  ])('%s', async (_name, text) => {
    await world.write(files(text, specification()));
    const told = await world
      .open((opened) => opened.validate())
      .then(({ diagnostics }) => brief(diagnostics).join())
      .catch((error: unknown) => String(error));
    expect(told).toMatch(/bad-rule-set|The rule set rules\/house\.yaml |lies outside the project folder/);
  });
});

describe('in a request', () => {
  it('only what the branch breaks is told', async () => {
    await world.write(
      files(rules('error'), specification('', '  /cats: {get: {responses: {"200": {description: ok}}}}\n')),
    );
    const base = mkdtempSync(join(tmpdir(), 'house-'));
    onTestFinished(() => rmSync(base, { recursive: true }));
    execFileSync('cp', ['-r', `${world.folder}/.`, base]);
    const text = specification(
      '',
      '  /cats: {get: {responses: {"200": {description: ok}}}}\n  /dogs: {get: {responses: {"200": {description: ok}}}}\n',
    );
    writeFileSync(join(world.folder, 'specs/pets.yaml'), text);
    expect(brief(await validated())).toHaveLength(3);
    const { diagnostics } = await world.planResult({ base: { folder: base } });
    expect(brief(diagnostics)).toEqual([expect.stringMatching(/^error house-rule specs\/pets\.yaml:10:/)]);
  });

  it('of others, the rules are those of the base', async () => {
    await world.write(files(rules('error'), specification('All')));
    const git = (...args: readonly string[]): void => {
      const own = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
      execFileSync('git', [...own, ...args], { cwd: world.folder, stdio: 'ignore' });
    };
    git('init', '-b', 'main');
    git('add', '.');
    git('commit', '-m', 'base');
    writeFileSync(join(world.folder, 'rules/house.yaml'), 'rules: {}\n');
    writeFileSync(join(world.folder, 'specs/pets.yaml'), specification());
    const found = await world.open((opened) => opened.validate(), { untrusted: { base: 'main' } });
    expect(brief(found.diagnostics)).toContain('error house-rule specs/pets.yaml:5:5');
  });
});
