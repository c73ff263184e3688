import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { noPlanReports } from '@platform-sync/report/reports';
import { diagnosticsText } from '@platform-sync/report/text/diagnostics';
import { plainStyle } from '@platform-sync/report/text/style';
import { folded } from '@platform-sync/report/words/alike';

/** So many routes under services, which none can stand under. */
const routes = (many: number): readonly Diagnostic[] =>
  Array.from({ length: many }, (_, at) => ({
    severity: 'error',
    code: 'cannot-nest',
    summary: "A platform:GatewayRoute can't stand under a platform:GatewayService.",
    hint: `serviceId: \${service-${at}.id} says that it belongs to this one.`,
    address: `service-${at}/route`,
    place: { file: 'catalogue/routes.yaml', line: 10 + at, column: 9, text: '        type: platform:GatewayRoute' },
  }));
const other: Diagnostic = {
  severity: 'error',
  code: 'unknown-property',
  summary: 'a has no property "x".',
  address: 'a',
};

describe('the same mistake in many places', () => {
  it('is one problem with the first places and the number, and all are counted', () => {
    const text = diagnosticsText([...routes(120), other], plainStyle);
    expect(text)
      .toBe(`catalogue/routes.yaml:10:9  cannot-nest  A platform:GatewayRoute can't stand under a platform:GatewayService.
   10 |         type: platform:GatewayRoute
      |         ^
  119 more alike: ${Array.from({ length: 5 }, (_, at) => `catalogue/routes.yaml:${11 + at}:9`).join(', ')} and 114 more
  hint: serviceId: \${service-0.id} says that it belongs to this one.

a  unknown-property  a has no property "x".

121 errors
`);
  });

  it('is one item of a comment and one annotation; SARIF, JSON and code quality have all', () => {
    const reports = noPlanReports({ diagnostics: [...routes(120), other] });
    const of = (name: string): string => reports.get(name) ?? '';
    expect(of('plan.md').match(/^- /gm)).toHaveLength(2);
    expect(of('plan.md')).toContain('121 errors');
    expect(of('plan.md')).toContain('119 more alike: `catalogue/routes.yaml:11:9');
    const annotations = of('github-annotations.txt').trimEnd().split('\n');
    expect(annotations).toHaveLength(2);
    expect(annotations[0]).toMatch(
      /^::error file=catalogue\/routes\.yaml,line=10,.*%0A119 more alike: catalogue\/routes\.yaml:11, /,
    );
    expect(of('plan.sarif').match(/"ruleId"/g)).toHaveLength(121);
    expect(of('no-plan.json').match(/"code": "cannot-nest"/g)).toHaveLength(120);
    expect(of('gitlab-code-quality.json').match(/"fingerprint"/g)).toHaveLength(121);
  });

  it('stays apart where it is made three times', () => {
    expect(folded(routes(3)).map(({ lead }) => lead)).toEqual(routes(3));
    expect(folded(routes(4))).toHaveLength(1);
  });

  const told = (summary: (name: string) => string, names: readonly string[]): number =>
    folded(names.map((address): Diagnostic => ({ ...other, address, summary: summary(address) }))).length;

  it.each<[string, number, (name: string) => string, readonly string[]]>([
    ['whose it is does not count', 1, (name) => `${name} has no property "x".`, ['a', 'b', 'c/d', 'c-d']],
    ['in what it is made does not count', 1, (name) => `"host" of ${name} is too long.`, ['a', 'b', 'c', 'd']],
    ['what is wrong counts', 4, (name) => `it has no property "${name}".`, ['a', 'b', 'c', 'd']],
    [
      'a name that is a word of the sentence hides no other',
      4,
      (name) => `${name} needs the property "${name}".`,
      ['a', 'b', 'c', 'd'],
    ],
    ['a name is no part of a longer one', 4, (name) => `${name}s has no property "x".`, ['a', 'b', 'c', 'd']],
  ])('%s', (_, count, summary, names) => {
    expect(told(summary, names)).toBe(count);
  });

  it('objects without an address are named', () => {
    const left = ['one', 'two', 'three', 'four'].map((name): Diagnostic => ({
      severity: 'warning',
      code: 'export-field-left-out',
      summary: `config of GatewayPluginCors "${name}" (id 4f-${name}) was left out: it is a secret.`,
    }));
    expect(folded(left).map(({ lead }) => lead.detail)).toEqual([
      '3 more alike: "two" (id 4f-two), "three" (id 4f-three), "four" (id 4f-four)',
    ]);
  });
});
