import { count } from '../words/value.js';
import { visible } from '../words/escape.js';
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

/** What does not hold for what is recorded, by rule. */
export function recordsJudgedText({ rules, findings }: Judged, style: Style): string {
  const marks = { advise: style.cyan('advise'), warn: style.yellow('warn  '), deny: style.red('deny  ') };
  const lines = findings.map(
    ({ level, rule, address = '', message, place }) =>
      `${marks[level]}  ${visible(address)}  ${visible(rule)}: ${visible(message)} (${visible(place)})`,
  );
  return `${[...lines, `${count(rules, 'rule')}, ${count(findings.length, 'finding')}.`].join('\n')}\n`;
}
