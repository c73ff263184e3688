import type { Fix, FixResult } from '@platform-sync/core/model/results';
import { visible } from '../words/escape.js';
import { count } from '../words/value.js';
import type { Style } from './style.js';

/** What `sync fix` wrote, or would write. */
export function fixText(result: FixResult, isDryRun: boolean, style: Style): string {
  const { fixed, skipped, files } = result;
  if (fixed.length + skipped.length === 0)
    return 'Nothing to write: the catalogue has every move and adoption of this plan, and no replacement can be avoided.\n';
  const verb = isDryRun ? 'would write' : 'wrote';
  const lines = [
    ...fixed.map((fix) => `${style.green(verb)} ${optionText(fix)}`),
    ...skipped.map(({ fix, why }) => `${style.yellow('skipped')} ${optionText(fix)}: the block ${visible(why)}`),
  ];
  const total = style.bold(
    `${count(fixed.length, 'edit')} ${isDryRun ? 'to write' : 'written'}, ${skipped.length} skipped.`,
  );
  const edited =
    files.length === 0 ? '' : `\nEdited: ${files.map(visible).join(', ')}. The catalogue changed; plan again.`;
  return `${lines.map((line) => `${line}\n`).join('')}${total}${edited}\n`;
}

function optionText({ address, option, value }: Fix): string {
  if (option === 'children') return `${visible(address)}: what replaces it, as its child ${visible(value)}`;
  const shown = option === 'aliases' ? `[${visible(value)}]` : visible(value);
  return `${visible(address)}: ${option}: ${shown}`;
}
