import type { AcceptResult, IgnoreResult, RecordDriftResult } from '@platform-sync/core/model/results';
import type { Finding } from '@platform-sync/core/model/drift';
import { findingName } from '../words/drift.js';
import { shellWord, visible } from '../words/escape.js';
import { count } from '../words/value.js';
import type { Style } from './style.js';

/** What accepting did: what is in the files now, and what was left with the reason. */
export function acceptText(result: AcceptResult, style: Style): string {
  const lines = [
    ...result.accepted.map((finding) => `${style.green('accepted')} ${nameOf(finding)}`),
    ...result.skipped.map(({ finding, why }) => `${style.yellow('skipped')}  ${nameOf(finding)}: ${visible(why)}`),
  ];
  const total = `${count(result.accepted.length, 'value')} accepted, ${result.skipped.length} skipped.`;
  const files =
    result.files.length === 0 ? '' : `\nEdited: ${result.files.map(visible).join(', ')}. The next apply records that.`;
  return `${lines.map((line) => `${line}\n`).join('')}${style.bold(total)}${files}\n`;
}

/** Whose next plan changes, too; nothing where nobody else reads the files. */
export function sharedText(
  others: readonly string[],
  { stack, words, overlay }: { readonly stack: string; readonly words: readonly string[]; readonly overlay: string },
): string {
  if (others.length === 0) return '';
  const names = others.map((name) => visible(name)).join(', ');
  const [title, uses, plan] =
    others.length === 1
      ? ['The stack', 'uses', 'its next plan changes']
      : ['The stacks', 'use', 'their next plans change'];
  return `${title} ${names} ${uses} the edited file, so ${plan}, too. To keep the change in ${visible(stack)}, undo it and write it into an overlay of ${visible(stack)}:\n  sync drift accept ${words.map(shellWord).join(' ')} --overlay ${shellWord(overlay)}\n`;
}

export function recordText(result: RecordDriftResult, style: Style): string {
  const lines = result.recorded.map((finding) => `${style.green('recorded')} ${nameOf(finding)}\n`);
  const differs = result.recorded.some((finding) => finding.class !== 'undeclared-changed');
  const also = differs ? '\nWhere the catalogue differs, the next apply changes it back.' : '';
  return `${lines.join('')}${style.bold(`${count(result.recorded.length, 'finding')} recorded.`)} They are reported again when they change again.${also}\n`;
}

export function ignoreText(result: IgnoreResult, style: Style): string {
  const lines = result.ignored.map((finding) => `${style.green('ignored')} ${nameOf(finding)}\n`);
  const total = style.bold(`${count(result.ignored.length, 'finding')} ignored`);
  return `${lines.join('')}${total} by rules in ${visible(result.file)}: commit it. A plan still shows them.\n`;
}

function nameOf(finding: Finding): string {
  return `${visible(findingName(finding))} (${finding.id})`;
}
