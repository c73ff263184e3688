import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { DriftResult, Finding } from '@platform-sync/core/model/drift';
import { driftText } from '@platform-sync/report/text/drift';
import { driftMarkdown } from '@platform-sync/report/markdown/drift';
import { driftMetrics } from '@platform-sync/report/ci/prometheus';
import { plainStyle } from '@platform-sync/report/text/style';
import { driftResult, finding } from '../drift-builder.js';
import { driftHtml } from '../forms.js';

const unread = {
  ...{ id: 'aaaaaaaaaa', address: 'cats', type: 'platform:index/api:Api', trend: 'new' },
  firstSeen: '2030-05-02T03:00:00.000Z',
  diagnostic: { severity: 'error', code: 'platform-error', summary: 'The platform answered 503.' },
} as const satisfies DriftResult['notCompared'][number];
const drift = driftResult({ status: 'drift', findings: [finding()] });
const incomplete = driftResult({ status: 'incomplete', findings: [finding()], notCompared: [unread] });
const failed = driftResult({
  ...{ status: 'failed', compared: 0, targets: {} },
  diagnostics: [{ severity: 'error', code: 'unset-variable', summary: 'NAME is not set.' }],
});

describe('the verdict', () => {
  const cases: readonly (readonly [string, DriftResult, string])[] = [
    ['clean', driftResult(), 'No drift among 12 objects.'],
    ['drift', drift, 'Drift: 1 finding (1 low) among 12 objects.'],
    [
      'incomplete',
      incomplete,
      '1 read failed, so not everything was compared; among 12 objects: drift: 1 finding (1 low).',
    ],
    ['failed', failed, 'The check could not be made: nothing is known about drift.'],
  ];

  it.each(cases)('of a check that is %s is in every format', (_name, result, verdict) => {
    expect(driftText(result, plainStyle)).toContain(verdict);
    expect(driftMarkdown(result)).toContain(verdict.replace(/\.$/, ''));
  });

  it('never says clean of what was not compared', () => {
    const blind = driftResult({ status: 'incomplete', notCompared: [unread] });
    for (const text of [driftText(blind, plainStyle), driftMarkdown(blind)]) {
      expect(text).not.toContain('No drift among');
      expect(text).toContain('cats');
    }
  });
});

describe('a look at a part', () => {
  const formats: readonly (readonly [string, (result: DriftResult) => string])[] = [
    ['text', (result) => driftText(result, plainStyle)],
    ['Markdown', (result) => driftMarkdown(result)],
    ['HTML', driftHtml],
  ];

  it.each(formats)('says in %s that nothing is said of the rest, and that nothing is kept', (_name, render) => {
    const partial = { targets: ['petstore', 'shop'], excludes: ['petstore/guide'] };
    for (const status of ['clean', 'drift', 'incomplete'] as const) {
      const told = render(driftResult({ status, partial })).replace(/[\\`]/g, '');
      expect(told).toContain(
        'Part of the stack: only petstore, shop, without petstore/guide. The rest was not checked, and nothing was stored.',
      );
    }
    expect(render(driftResult())).not.toContain('Part of the stack');
  });

  it.each(formats)('names in %s a choice that stands for nothing', (_name, render) => {
    const told = render(driftResult({ compared: 0, partial: { targets: ['changed:main'], excludes: [] } }));
    expect(told.replaceAll('`', '')).toContain('Part of the stack: only changed:main.');
  });
});

describe('text', () => {
  it('shows a finding with values, place, age, and what to type', () => {
    expect(driftText(drift, plainStyle)).toBe(
      [
        'Drift of payments, stack default: platform at https://platform.example.com',
        '',
        '  low petstore.description (platform:Api): changed outside  catalogue/pets.yaml:4:7',
        '      finding 1a2b3c4d5e, new, first seen 2030-05-01 03:00 UTC; object last changed 2030-04-30 12:00 UTC',
        '      ~ description  "All about pets" → "Clicked"',
        '      Put it back with revert.',
        '      sync drift revert|accept|record|ignore 1a2b3c4d5e',
        '',
        'Drift: 1 finding (1 low) among 12 objects.',
        '',
      ].join('\n'),
    );
  });

  it('tells what is no drift apart', () => {
    const text = driftText(
      driftResult({
        resolved: [
          {
            ...{ id: 'bbbbbbbbbb', address: 'dogs', field: 'version', class: 'modified', severity: 'low' },
            ...{ firstSeen: '2030-04-01T03:00:00.000Z', lastSeen: '2030-05-01T03:00:00.000Z', by: 'settled' },
          },
        ],
        ignored: [
          {
            ...{
              id: 'cccccccccc',
              address: 'cats',
              type: 'platform:index/api:Api',
              class: 'modified',
              field: 'labels',
            },
            ...{ reason: 'ticket 42', until: '2031-01-01' },
          },
        ],
        unapplied: [{ address: 'fish', type: 'platform:index/api:Api', action: 'update', fields: ['slug'] }],
        converged: [{ address: 'ants', type: 'platform:index/api:Api', field: 'slug' }],
        unmanaged: [{ type: 'platform:index/api:Api', count: 7 }],
      }),
      plainStyle,
    );
    for (const part of [
      'dogs.version: no longer differs',
      'Ignored by a rule:\n  cats.labels until 2031-01-01: ticket 42',
      'In the catalogue and not applied yet:\n  update fish of slug',
      'Changed outside, and now as the catalogue says; the next apply records that:\n  ants.slug',
      'Neither in the catalogue nor in state:\n  7 platform:Api',
      'No drift among 12 objects.',
    ])
      expect(text).toContain(part);
  });
});

describe('markdown', () => {
  it('says the same until something changes, the times at its end aside', () => {
    const later = { ...drift, checkedAt: '2030-06-01T00:00:00.000Z', lastSuccess: '2030-06-01T00:00:00.000Z' };
    const lines = (result: DriftResult): readonly string[] => driftMarkdown(result).trimEnd().split('\n');
    expect(lines(later).slice(0, -1)).toEqual(lines(drift).slice(0, -1));
  });

  it('says of each finding what it is, its values, its weight, since when, changed when, where, and what to do', () => {
    const text = driftMarkdown(drift);
    for (const part of [
      '| `low` | **`new`** `petstore.description` (`platform:Api`) changed outside | `catalogue/pets.yaml:4` | 2030-05-01 | `1a2b3c4d5e` |',
      '! description  "All about pets" → "Clicked"',
      '- finding `1a2b3c4d5e`, new, first seen 2030-05-01 03:00 UTC; object last changed 2030-04-30 12:00 UTC\n- Put it back with revert.\n- `sync drift revert|accept|record|ignore 1a2b3c4d5e`\n',
    ])
      expect(text).toContain(part);
  });

  it('says what to do about one without values, too, and no verb that it does not take', () => {
    const { field: _field, old: _old, new: _new, updatedAt: _at, ...whole } = finding({ class: 'deleted' });
    const gone = { ...whole, with: 'pets', verbs: ['revert', 'ignore'] as const, todo: 'Make it again with revert.' };
    const expired = finding({ expired: { reason: 'a campaign', until: '2030-01-01' }, verbs: [] });
    const text = driftMarkdown(driftResult({ status: 'drift', findings: [gone, expired] }));
    expect(text).toContain(
      '- went with `pets`\n- Make it again with revert.\n- `sync drift revert|ignore 1a2b3c4d5e`\n',
    );
    expect(text).toContain('- was ignored until `2030-01-01`: a campaign\n- Put it back with revert.\n');
    expect(text).not.toMatch(/sync drift (accept|record)/);
  });

  it('that lasts is the same at the next check, but for its last line', () => {
    const resolved: DriftResult['resolved'][number] = {
      ...{ id: 'bbbbbbbbbb', address: 'dogs', class: 'deleted', severity: 'high', by: 'settled' },
      ...{ firstSeen: '2030-04-01T03:00:00.000Z', lastSeen: '2030-05-01T03:00:00.000Z' },
    };
    const next = driftResult({
      ...{ status: 'drift', checkedAt: '2031-06-01T00:00:00.000Z', findings: [finding({ trend: 'known' })] },
      unmanaged: [{ type: 'platform:index/api:Api', count: 7 }],
    });
    const lines = (result: DriftResult): readonly string[] =>
      driftMarkdown(result, { lasting: true }).trimEnd().split('\n');
    expect(lines(next).slice(0, -1)).toEqual(lines({ ...drift, resolved: [resolved] }).slice(0, -1));
    expect(lines(next).at(-1)).toMatch(/^<sub>As of 2031-06-01 00:00 UTC\./);
  });

  it('is never longer than an issue takes, and counts what it leaves out', () => {
    const many = (count: number, length: number): readonly Finding[] =>
      Array.from({ length: count }, (_, at) =>
        finding({
          address: `api-${at}`,
          old: `${'a\n'.repeat(length)}x`,
          new: `${'a\n'.repeat(length)}${'y\n'.repeat(9)}`,
        }),
      );
    for (const [count, length] of [
      [30, 20],
      [300, 500],
      [5000, 2],
    ] as const) {
      const text = driftMarkdown(driftResult({ status: 'drift', findings: many(count, length) }));
      expect(text.length).toBeLessThanOrEqual(60_000);
      const rows = text.match(/^\| `low`/gm)?.length ?? 0;
      const hidden = /^Left out for length: (\d+) rows? of the table/m.exec(text)?.[1] ?? '0';
      expect(rows + Number(hidden)).toBe(count);
    }
  });
});

describe('hostile names and values', () => {
  const hostile = [
    '\u001b[31mred\u001b[0m',
    '\u202egnp.exe',
    '<script>alert(1)</script>',
    '| cell | break |',
    '## No drift among 12 objects.',
    '@everyone',
    '#1',
    '[click](https://evil.example)',
    'https://evil.example/x',
    '`code` ``` fence',
    '```\n## heading\n```',
    '</code></summary></details><h1>x</h1>',
    '::error::forged',
    'a\nNo drift among 12 objects.\nb',
    '&lt;b&gt;',
    'x'.repeat(3000),
  ];

  it.each(hostile)('%j can forge nothing', (text) => {
    const nasty = driftResult({
      status: 'incomplete',
      findings: [finding({ address: text, field: text, old: text, new: `${text}!`, source: text, todo: text })],
      notCompared: [{ ...unread, address: text, diagnostic: { ...unread.diagnostic, summary: text, hint: text } }],
      ignored: [{ id: 'x', address: text, type: text, class: 'modified', field: text, reason: text }],
      unapplied: [{ address: text, type: text, action: 'update', fields: [text] }],
      unmanaged: [{ type: text, under: text, count: 2 }],
    });
    const terminal = driftText(nasty, plainStyle);
    expect(terminal).not.toMatch(/[\u001b\u202e]/);
    expect(terminal.split('\n').filter((line) => line.startsWith('No drift'))).toEqual([]);
    const markdown = driftMarkdown(nasty);
    expect(markdown).not.toMatch(/[\u001b\u202e]/);
    const bare = withoutCode(markdown);
    expect(bare).not.toMatch(/<script|<h1|https?:|@everyone|\]\(|::error|(?<!&)#1\b/);
    expect(bare.match(/^#+ .*$/gm)?.filter((line) => /No drift among|heading/.test(line)) ?? []).toEqual([]);
  });

  /** What is left when everything that a reader shows as it is has been taken out. */
  function withoutCode(markdown: string): string {
    return markdown
      .replace(/^(`{3,})[a-z]*\n[\s\S]*?\n\1$/gm, '')
      .replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '')
      .replace(/<code>[^<]*<\/code>/g, '');
  }
});

describe('metrics', () => {
  it('are what a textfile collector reads', () => {
    const lines = driftMetrics(driftResult({ ...incomplete, project: 'a"b\\c\nd' })).split('\n');
    expect(lines.filter((line) => !line.startsWith('#') && !line.endsWith(' 0'))).toEqual([
      String.raw`sync_drift_findings{project="a\"b\\c\nd",stack="default",class="modified",severity="low"} 1`,
      String.raw`sync_drift_oldest_seconds{project="a\"b\\c\nd",stack="default"} 86400`,
      String.raw`sync_not_compared{project="a\"b\\c\nd",stack="default"} 1`,
      String.raw`sync_last_success_timestamp_seconds{project="a\"b\\c\nd",stack="default"} 1903921200`,
      String.raw`sync_api_requests_total{project="a\"b\\c\nd",stack="default"} 3`,
      '',
    ]);
    for (const line of lines) expect(line).toMatch(/^(# (HELP|TYPE) sync_[a-z_]+ .+|sync_[a-z_]+\{.*\} [\d.]+|)$/);
  });

  it('of a failed check say nothing about findings, and when one succeeded last', () => {
    const { lastSuccess: _none, ...never } = failed;
    expect(driftMetrics(never)).toContain(
      'sync_last_success_timestamp_seconds{project="payments",stack="default"} 0\n',
    );
    expect(driftMetrics(failed)).not.toMatch(/findings|not_compared|oldest/);
  });
});

it('the document of every status is as its schema says', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../../../schemas/drift.schema.json', import.meta.url), 'utf8'),
  ) as object;
  const formats = { 'date-time': true, date: true } as const;
  const validate = new Ajv2020({ allErrors: true, formats }).compile(schema);
  for (const result of [driftResult(), drift, incomplete, failed]) {
    validate(result);
    expect(validate.errors).toBeNull();
  }
  expect(validate({ ...drift, extra: 1 })).toBe(false);
});
