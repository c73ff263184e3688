import type { FieldDetail, FieldView } from '../view/field-view.js';
import { effectWords, specChangeText, type SpecDiff, specSummary } from '../openapi/rules.js';
import { count, inline } from '../words/value.js';
import type { PathChange } from '../diff/structural-diff.js';
import { lines, markup, type Html, type Part } from './html.js';
import { sidesHtml } from './line.js';

/** One field of a step: its name, its remarks, both sides, and the whole difference. */
export function fieldHtml(view: FieldView): Html {
  const remarks = view.remarks.map((remark) => markup` <span class="remark">${remark}</span>`);
  const head = markup`<dt><span class="m m${markClasses[view.mark]}">${view.mark}</span> <code>${view.name}</code>${remarks}</dt>`;
  return markup`${head}<dd>${sidesHtml(view.old, view.new)}${view.detail === undefined ? '' : detailHtml(view.detail)}</dd>`;
}

const markClasses: Readonly<Record<FieldView['mark'], string>> = { '+': 'add', '-': 'del', '~': 'mod', '!': 'mod' };

function detailHtml(detail: FieldDetail): Html {
  switch (detail.kind) {
    case 'hunks': {
      const about = markup`<p class="about">${count(detail.added, 'line')} added, ${count(detail.removed, 'line')} removed</p>`;
      const blocks = detail.hunks.map((hunk) => markup`<span class="hunk">${hunk.header}</span>${runs(hunk.lines)}`);
      return markup`${about}<pre class="diff">${blocks}</pre>`;
    }
    case 'lines':
      return markup`<pre class="diff">${run(
        '-',
        detail.removed.map((text) => `-${text}`),
      )}${run(
        '+',
        detail.added.map((text) => `+${text}`),
      )}</pre>`;
    case 'paths':
      return markup`${detail.specification === undefined ? '' : specHtml(detail.specification)}${pathsHtml(detail.changes, detail.specification !== undefined)}`;
  }
}

/** Lines of the same kind in one element: a long diff stays a small page. */
function runs(texts: readonly string[]): Part {
  const found: Part[] = [];
  let current: string[] = [];
  for (const [at, line] of texts.entries()) {
    current.push(line);
    const kind = line[0] ?? ' ';
    if (texts[at + 1]?.[0] !== kind) {
      found.push(run(kind, current));
      current = [];
    }
  }
  return found;
}

function run(kind: string, texts: readonly string[]): Part {
  if (texts.length === 0) return '';
  const name = kind === '+' ? 'add' : kind === '-' ? 'del' : 'same';
  return markup`<span class="${name}">${lines(texts)}\n</span>`;
}

function specHtml(specification: SpecDiff): Part {
  const summary = specSummary(specification);
  if (summary === '') return '';
  const items = specification.changes.map(
    (change) =>
      markup`<li><span class="effect ${change.effect}">${effectWords[change.effect]}</span> ${specChangeText(change)}</li>`,
  );
  return markup`<p class="about">${summary}</p><ul class="spec">${items}</ul>`;
}

function pathsHtml(changes: readonly PathChange[], collapsed: boolean): Html {
  const list = markup`<ul class="paths">${changes.map((change) => markup`<li>${pathHtml(change)}</li>`)}</ul>`;
  if (!collapsed) return list;
  return markup`<details><summary>${count(changes.length, 'difference')} by path</summary>${list}</details>`;
}

function pathHtml(change: PathChange): Html {
  const path = markup`<code>${change.path}</code>`;
  if (change.kind === 'reordered') return markup`${path}: the same items in another order`;
  const old = 'old' in change ? inline(change.old) : undefined;
  const now = 'new' in change ? inline(change.new) : undefined;
  return markup`${path}: ${sidesHtml(old, now)}`;
}
