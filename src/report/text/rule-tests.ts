import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { count } from '../words/value.js';
import { entities, visible } from '../words/escape.js';
import type { Style } from './style.js';

interface Tests {
  readonly rules: number;
  readonly cases: readonly {
    readonly name: string;
    readonly place: string;
    readonly passes: boolean;
    readonly problems: readonly string[];
  }[];
}

interface Judged {
  readonly rules: number;
  readonly findings: readonly {
    readonly rule: string;
    readonly level: 'advise' | 'warn' | 'deny';
    readonly place: string;
    readonly address?: string;
    readonly message: string;
  }[];
}

/** Each test that fails, with why, and how many there were. */
export function ruleTestsText({ rules, cases }: Tests, style: Style): string {
  const failed = cases.filter(({ passes }) => !passes);
  const lines = failed.flatMap(({ name, place, problems }) => [
    `${style.red('failed')}  ${visible(name)} (${visible(place)})`,
    ...problems.map((problem) => `        ${visible(problem)}`),
  ]);
  const outcome = failed.length === 0 ? 'all pass' : `${failed.length} fail`;
  return `${[...lines, `${count(rules, 'rule')}, ${count(cases.length, 'test')}: ${outcome}.`].join('\n')}\n`;
}

/** The same as JUnit writes it, for what shows tests beside a run. A rule that can't be read is an error. */
export function ruleTestsJunit({ cases }: Tests, diagnostics: readonly Diagnostic[], suite: string): string {
  const broken = diagnostics.filter(({ severity }) => severity === 'error');
  const told = [
    ...broken.map(({ code, summary, place }) =>
      testCase(code, place === undefined ? '' : `${place.file}:${String(place.line)}`, 'error', [summary]),
    ),
    ...cases.map(({ name, place, passes, problems }) =>
      testCase(name, place, 'failure', passes ? undefined : problems),
    ),
  ];
  const failed = cases.filter(({ passes }) => !passes).length;
  const counts = `tests="${String(told.length)}" failures="${String(failed)}" errors="${String(broken.length)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${xml(suite)}" ${counts}>`,
    ...told.map((line) => `    ${line}`),
    '  </testsuite>\n</testsuites>\n',
  ].join('\n');
}

const xml = (text: string): string => entities(visible(text));

function testCase(name: string, place: string, kind: string, problems: readonly string[] | undefined): string {
  const [, file = place, line] = /^(.*):(\d+)$/.exec(place) ?? [];
  const at = [...(file === '' ? [] : [`file="${xml(file)}"`]), ...(line === undefined ? [] : [`line="${line}"`])];
  const named = [`name="${xml(name)}"`, `classname="${xml(file)}"`, ...at].join(' ');
  if (problems === undefined) return `<testcase ${named}/>`;
  const [first = name] = problems;
  const text = problems.map(xml).join('\n');
  return `<testcase ${named}><${kind} message="${xml(first)}">${text}</${kind}></testcase>`;
}

/** What does not hold for what is recorded, by rule. */
export function recordsJudgedText({ rules, findings }: Judged, style: Style): string {
  const marks = { advise: style.cyan('advise'), warn: style.yellow('warn  '), deny: style.red('deny  ') };
  const lines = findings.map(
    ({ level, rule, address = '', message, place }) =>
      `${marks[level]}  ${visible(address)}  ${visible(rule)}: ${visible(message)} (${visible(place)})`,
  );
  return `${[...lines, `${count(rules, 'rule')}, ${count(findings.length, 'finding')}.`].join('\n')}\n`;
}
