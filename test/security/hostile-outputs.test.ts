import { describe, expect, it } from 'vitest';
import type { ApplyResult } from '@platform-sync/engine/api';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { changesIn } from '@platform-sync/engine/drift/changes';
import { type DriftResult, summaryOf } from '@platform-sync/core/model/drift';
import type { Event } from '@platform-sync/core/model/event';
import { genericMessage } from '@platform-sync/review/notify/generic-message';
import { documentSlack } from '@platform-sync/report/ci/slack';
import { shownJson } from '@platform-sync/report/words/json-text';
import { driftNewsDocument, sortedNews } from '@platform-sync/report/document/news';
import { applyText, refreshText } from '@platform-sync/report/text/apply-result';
import { undoEditsText } from '@platform-sync/report/text/fix-done';
import { acceptText, ignoreText, recordText } from '@platform-sync/report/text/drift-done';
import { driftMarkdown } from '@platform-sync/report/markdown/drift';
import { driftText } from '@platform-sync/report/text/drift';
import { eventLine } from '@platform-sync/report/text/event-line';
import { dotGraph, mermaidGraph } from '@platform-sync/report/text/graph';
import { driftMetrics } from '@platform-sync/report/ci/prometheus';
import { plainStyle } from '@platform-sync/report/text/style';
import { driftResult, finding } from '../report/drift-builder.js';
import { hostileNames, planWith } from '../report/hostile-plan.js';
import { foreignHtmlIn, foreignMarkdownIn, hiddenIn, ordersIn } from '../report/safe-text.js';
import { driftHtml } from '../report/forms.js';

/** What is rendered from anything but a plan, with a hostile text wherever it can carry one. */

it('JSON on a screen orders no CI system about, and means the same', () => {
  const value = {
    a: '##[error]x',
    b: '##vso[task.setvariable]y',
    c: '\u2028\u202e',
    d: '\n::error::z',
    e: 'section_start:1:a\r\u001b[0K',
  };
  const shown = shownJson(JSON.stringify(value));
  expect(JSON.parse(shown)).toEqual(value);
  expect(shown).not.toMatch(/##\w*\[|^\s*::|[\r\u001b\u2028\u202e]/m);
});

const times = { firstSeen: '2030-05-01T03:00:00.000Z', lastSeen: '2030-05-02T03:00:00.000Z' };

function diagnostic(name: string, severity: Diagnostic['severity'] = 'error'): Diagnostic {
  const place = { file: name, line: 1, column: 1, text: name };
  return {
    ...{ severity, code: name, summary: name, detail: name, hint: name, address: name, field: name, place },
    related: [{ place, message: name }],
  };
}

function drift(names: readonly string[]): DriftResult {
  const [first = ''] = names;
  return driftResult({
    ...{ status: 'incomplete', project: first, stack: first, targets: { [first]: first }, engine: first },
    findings: names.flatMap((name, at) => [
      finding({
        ...{ id: String(at).padStart(10, '0'), address: name, type: name, field: name, old: name, new: `${name}!` },
        ...{ source: name, todo: name, updatedAt: name, objectId: name, with: name, trend: at % 2 ? 'worse' : 'new' },
        expired: { reason: name, until: name },
      }),
      finding({ address: name, old: { [name]: [name] }, new: `before\n${name}\n`, field: 'content' }),
    ]),
    notCompared: names.map((name) => ({
      ...{ id: 'aaaaaaaaaa', address: name, type: name, trend: 'new', firstSeen: times.firstSeen },
      diagnostic: diagnostic(name),
    })),
    resolved: names.map((name) => ({
      ...{ id: 'bbbbbbbbbb', address: name, field: name, class: 'modified', severity: 'low', ...times, by: 'settled' },
    })),
    ignored: names.map((name) => ({
      ...{ id: 'x', address: name, type: name, class: 'modified', field: name, reason: name },
    })),
    converged: names.map((name) => ({ address: name, type: name, field: name })),
    unapplied: names.map((name) => ({ address: name, type: name, action: 'update', fields: [name], source: name })),
    unmanaged: names.map((name) => ({ type: name, under: name, count: 2 })),
    diagnostics: names.map((name) => diagnostic(name, 'warning')),
  });
}

function applied(name: string): ApplyResult {
  const step = { address: name, action: name, id: name, because: name, diagnostics: [diagnostic(name)] };
  return {
    status: 'partly',
    steps: [
      { ...step, outcome: 'done' },
      { ...step, outcome: 'failed' },
      { ...step, outcome: 'skipped' },
    ],
    outputs: { [name]: { [name]: [name] } },
    diagnostics: [diagnostic(name, 'warning')],
    mismatches: [{ what: name, reviewed: name, now: name, meaning: name }],
    requests: 1,
  };
}

function events(name: string): readonly Event[] {
  const about = { address: name, resourceType: name, action: 'update' } as const;
  return [
    { type: 'step-done', ...about, id: name, durationMs: 1 },
    { type: 'step-failed', ...about, diagnostics: [diagnostic(name)] },
    { type: 'step-skipped', ...about, because: name },
    { type: 'recovered', address: name, outcome: 'adopted' },
  ];
}

/** Texts for people at a terminal or in a log, by what makes them. */
function texts(name: string): Readonly<Record<string, string>> {
  const findings = drift([name]).findings;
  const skipped = findings.map((each) => ({ finding: each, why: name }));
  const view = { types: new Map([[name, name]]), dependencies: new Map([[name, [name]]]) };
  return {
    drift: driftText(drift([name]), plainStyle),
    apply: applyText(applied(name), planWith(name), plainStyle),
    refresh: refreshText(
      { diagnostics: [diagnostic(name)], changed: [name], gone: [name], unchanged: 1, notCompared: 1 },
      plainStyle,
    ),
    accept: acceptText({ accepted: findings, skipped, files: [name], diagnostics: [] }, plainStyle),
    record: recordText({ recorded: findings, diagnostics: [] }, plainStyle),
    undo: undoEditsText(
      {
        edits: [{ kind: 'value', address: name, field: name, at: name, to: name }],
        skipped: [{ edit: { kind: 'add', address: name }, why: name }],
        ...{ files: [name], diagnostics: [] },
      },
      false,
      plainStyle,
    ),
    ignore: ignoreText({ ignored: findings, file: name, diagnostics: [] }, plainStyle),
    progress: events(name)
      .map((event) => eventLine(event, plainStyle) ?? '')
      .join('\n'),
    mermaid: mermaidGraph(view),
    dot: dotGraph(view),
    markdown: driftMarkdown(drift([name])),
    html: driftHtml(drift([name])),
  };
}

/** The headings that a check of as many harmless names has. */
function driftHeadings(count: number): readonly RegExp[] {
  const harmless = driftMarkdown(drift(Array.from({ length: count }, (_, at) => `x-${at}`)));
  return (harmless.match(/^#+ .*$/gm) ?? []).map((line) => {
    const words = line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    // The names in it are code, or told to be empty; what has no name is not named.
    const unnamed = words.replace(/`[^`]*`/g, '(?:\\(empty\\))?').replace(/ — drift of .*$/, '(?:$&)?');
    return new RegExp(`^${unnamed}$`);
  });
}

const groups: readonly (readonly string[])[] = [hostileNames, ...hostileNames.map((name) => [name])];

describe('hostile names and values', () => {
  it('leave nothing invisible, and give no order to a CI system', () => {
    for (const name of hostileNames)
      for (const [maker, text] of Object.entries(texts(name)))
        expect([maker, name, hiddenIn(text), ordersIn(text)]).toEqual([maker, name, undefined, []]);
  });

  it('are no markup in the Markdown of a drift check, and no tag of its page', () => {
    const [alone, together] = [driftHeadings(1), driftHeadings(hostileNames.length)];
    expect([alone.length > 4, together.length > 3]).toEqual([true, true]);
    for (const names of groups) {
      const [name = ''] = names;
      const result = drift(names);
      const headings = names.length === 1 ? alone : together;
      expect([name, foreignMarkdownIn(driftMarkdown(result), headings)]).toEqual([name, []]);
      expect([name, foreignHtmlIn(driftHtml(result))]).toEqual([name, []]);
    }
  });

  it('are labels of the metrics, and end none', () => {
    const pattern = /^(?:# (?:HELP|TYPE) sync_\w+ .+|sync_\w+\{(?:\w+="(?:[^"\\]|\\["\\n])*",?)*\} [\d.e+]+)$/;
    for (const names of groups) {
      const lines = driftMetrics(drift(names)).trimEnd().split('\n');
      expect(lines.filter((line) => !pattern.test(line))).toEqual([]);
    }
  });

  it('are neither markup nor a mention in a message, and plain strings in the other', () => {
    for (const names of groups) {
      const [name = ''] = names;
      const result = drift(names);
      const failed = { kind: 'failed', problems: result.diagnostics } as const;
      const news = sortedNews({ check: summaryOf(result), changes: [...changesIn(result), failed] });
      const place = { ownersOf: () => names };
      const { blocks } = documentSlack(driftNewsDocument(news, place.ownersOf)) as {
        blocks: { text: { text: string } }[];
      };
      for (const { text } of blocks.map((block) => block.text)) {
        const bare = text.replace(/`[^`\n]*`/g, '').replace(/^\*[A-Z0-9][A-Za-z0-9 ,;:().]*\*$/gm, '');
        const markup = [...(text.match(/[<>]|&(?!amp;|lt;|gt;)/g) ?? []), ...(bare.match(/[`*_~@]/g) ?? [])];
        expect([name, hiddenIn(text), markup]).toEqual([name, undefined, []]);
        expect(text.length).toBeLessThanOrEqual(3000);
      }
      const generic = JSON.parse(JSON.stringify(genericMessage(news, place))) as { project: string };
      expect(generic.project).toBe(name);
    }
  });
});
