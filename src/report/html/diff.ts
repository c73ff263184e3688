import type { FieldDetail, FieldView } from '../view/field-view.js';
import { specChangeText, specSummary } from '../openapi/words.js';
import type { SpecDiff } from '../openapi/diff.js';
import { count } from '../words/plural.js';
import type { PathChange } from '../diff/structural-diff.js';
import { inline } from '../words/value.js';
import { entities } from './escape.js';

/** One field of a step: its name, its remarks, both sides, and the whole difference. */
export function fieldHtml(view: FieldView): string {
  const remarks = view.remarks.map((remark) => ` <span class="remark">${entities(remark)}</span>`).join('');
  const head = `<dt><span class="mark m${markClasses[view.mark]}">${entities(view.mark)}</span> <code>${entities(view.name)}</code>${remarks}</dt>`;
  const body = [sides(view), view.detail === undefined ? '' : detailHtml(view.detail)].join('');
  return `${head}<dd>${body}</dd>`;
}

const markClasses: Readonly<Record<FieldView['mark'], string>> = { '+': 'add', '-': 'del', '~': 'mod', '!': 'mod' };

function sides(view: FieldView): string {
  const old = view.old === undefined ? '' : `<del>${entities(view.old)}</del>`;
  const now = view.new === undefined ? '' : `<ins>${entities(view.new)}</ins>`;
  return [old, now].filter((part) => part !== '').join(' → ');
}

function detailHtml(detail: FieldDetail): string {
  switch (detail.kind) {
    case 'hunks': {
      const about = `<p class="about">${count(detail.added, 'line')} added, ${count(detail.removed, 'line')} removed</p>`;
      const blocks = detail.hunks.map(
        (hunk) => `<span class="hunk">${entities(hunk.header)}</span>${runs(hunk.lines)}`,
      );
      return `${about}<pre class="diff">${blocks.join('')}</pre>`;
    }
    case 'lines':
      return `<pre class="diff">${run(
        '-',
        detail.removed.map((text) => `-${text}`),
      )}${run(
        '+',
        detail.added.map((text) => `+${text}`),
      )}</pre>`;
    case 'paths':
      return `${detail.specification === undefined ? '' : specHtml(detail.specification)}${pathsHtml(detail.changes, detail.specification !== undefined)}`;
  }
}

/** Lines of the same kind in one element: a long diff stays a small page. */
function runs(lines: readonly string[]): string {
  let html = '';
  let current: string[] = [];
  for (const [at, line] of lines.entries()) {
    current.push(line);
    const kind = line[0] ?? ' ';
    if (lines[at + 1]?.[0] !== kind) {
      html += run(kind, current);
      current = [];
    }
  }
  return html;
}

function run(kind: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const name = kind === '+' ? 'add' : kind === '-' ? 'del' : 'same';
  return `<span class="${name}">${entities(lines.join('\n'))}\n</span>`;
}

const effectNames = { breaks: 'breaks clients', 'may-break': 'may break clients', safe: 'safe' } as const;

function specHtml(specification: SpecDiff): string {
  const summary = specSummary(specification);
  if (summary === '') return '';
  const items = specification.changes.map(
    (change) =>
      `<li><span class="effect ${change.effect}">${effectNames[change.effect]}</span> ${entities(specChangeText(change))}</li>`,
  );
  return `<p class="about">${entities(summary)}</p><ul class="spec">${items.join('')}</ul>`;
}

function pathsHtml(changes: readonly PathChange[], collapsed: boolean): string {
  const list = `<ul class="paths">${changes.map((change) => `<li>${pathHtml(change)}</li>`).join('')}</ul>`;
  if (!collapsed) return list;
  return `<details><summary>${count(changes.length, 'difference')} by path</summary>${list}</details>`;
}

function pathHtml(change: PathChange): string {
  const path = `<code>${entities(change.path)}</code>`;
  const old = 'old' in change ? `<del>${entities(inline(change.old))}</del>` : '';
  const now = 'new' in change ? `<ins>${entities(inline(change.new))}</ins>` : '';
  if (change.kind === 'reordered') return `${path}: the same items in another order`;
  return `${path}: ${[old, now].filter((part) => part !== '').join(' → ')}`;
}
