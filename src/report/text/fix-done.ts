import type { Fix, FixResult, UndoneEdit, UndoEditsResult } from '@platform-sync/core/model/results';
import type { Json } from '@platform-sync/core/model/value';
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

/** What `sync undo --edit` wrote, or would write. */
export function undoEditsText({ edits, skipped, files }: UndoEditsResult, isDryRun: boolean, style: Style): string {
  if (edits.length + skipped.length === 0)
    return 'Nothing to write: the catalogue says what was recorded before the run.\n';
  const verbs = {
    value: isDryRun ? 'would write' : 'wrote',
    add: isDryRun ? 'would put back' : 'put back',
    remove: isDryRun ? 'would take out' : 'took out',
  };
  const lines = [
    ...edits.map((edit) => `${style.green(verbs[edit.kind])} ${undoneText(edit)}`),
    ...skipped.map(({ edit, why }) => `${style.yellow('skipped')} ${undoneText(edit)}: ${visible(why)}`),
  ];
  const total = `${count(edits.length, 'edit')} ${isDryRun ? 'to write' : 'written'}, ${skipped.length} skipped.`;
  const edited =
    files.length === 0 ? '' : `\nEdited: ${files.map(visible).join(', ')}. To see what that does, type:\n  sync plan`;
  return `${lines.map((line) => `${line}\n`).join('')}${style.bold(total)}${edited}\n`;
}

function undoneText({ kind, address, field, at, to }: UndoneEdit): string {
  const place = at === undefined ? '' : `${visible(at)} `;
  if (kind !== 'value') return `${place}${visible(address)}, with what is below it`;
  if (field === undefined) return `${place}${visible(address)}`;
  return `${place}${visible(address)}.${visible(field)}: ${to === undefined ? '(nothing)' : briefValue(to)}`;
}

const mostOfValue = 60;

function briefValue(value: Json): string {
  const text = visible(JSON.stringify(value));
  return text.length > mostOfValue ? `${text.slice(0, mostOfValue)}…` : text;
}
