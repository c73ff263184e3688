import type { PolicyCheck, PolicyFinding } from '@platform-sync/core/model/policy-check';
import { visible } from '../words/escape.js';
import { count } from '../words/value.js';
import type { Style } from './style.js';

const verbs: Readonly<Record<PolicyFinding['kind'], string>> = {
  address: 'sends to',
  'state-file': 'writes',
  lookup: 'sends in a lookup',
  variable: 'reads',
};

/** What the files of a project could do, stack by stack, refused things with the line that allows them. */
export function policyCheckText({ policy, findings }: PolicyCheck, style: Style): string {
  const lines = [`Permissions: ${policy === undefined ? 'none (SYNC_POLICY is not set)' : visible(policy)}`];
  for (const stack of new Set(findings.map((finding) => finding.stack))) {
    lines.push('', `Stack ${visible(stack)}`);
    for (const finding of findings) if (finding.stack === stack) lines.push(...findingLines(finding, style));
  }
  const refused = findings.filter(({ isAllowed }) => !isAllowed).length;
  lines.push(
    '',
    refused === 0
      ? 'Everything is allowed.'
      : `${count(refused, 'thing')} refused, ${findings.length - refused} allowed.`,
  );
  return `${lines.join('\n')}\n`;
}

function findingLines({ kind, from, to, isAllowed, because, hint }: PolicyFinding, style: Style): readonly string[] {
  const mark = isAllowed ? style.green('allowed') : style.red('refused');
  const why = because === undefined ? '' : ` (${because})`;
  const line = `  ${mark}  ${visible(from)} ${verbs[kind]} ${visible(to)}${why}`;
  return hint === undefined ? [line] : [line, `           ${style.cyan('hint:')} ${visible(hint)}`];
}
