import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changesIn } from '@platform-sync/engine/drift/changes';
import { type DriftNews, type DriftResult, summaryOf } from '@platform-sync/core/model/drift';
import { documentSlack } from '@platform-sync/report/ci/slack';
import { tellDrift, type DriftWebhook } from '@platform-sync/review/notify/tell-drift';
import { driftNewsDocument, sortedNews } from '@platform-sync/report/document/news';
import { driftResult, finding } from '../report/drift-builder.js';
import { startReceiver, type Receiver } from './receiver.js';

const unread = (trend: 'new' | 'known'): DriftResult['notCompared'][number] => ({
  ...{ id: 'aaaaaaaaaa', address: 'cats', type: 'platform:index/api:Api', trend },
  firstSeen: '2030-05-02T03:00:00.000Z',
  diagnostic: { severity: 'error', code: 'platform-error', summary: 'The platform answered 503.' },
});
const resolved: DriftResult['resolved'][number] = {
  ...{ id: 'bbbbbbbbbb', address: 'dogs', class: 'deleted', severity: 'high', by: 'settled' },
  ...{ firstSeen: '2030-04-01T03:00:00.000Z', lastSeen: '2030-05-01T03:00:00.000Z' },
};

const newsOf = (result: DriftResult): DriftNews => ({ check: summaryOf(result), changes: changesIn(result) });

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
beforeEach(() => receiver.reset());
afterAll(() => receiver.close());

const webhook = (more: Partial<DriftWebhook> = {}): DriftWebhook => ({
  ...{ url: receiver.url, format: 'generic', userAgent: 'test', pausesMs: [0, 0] },
  ...more,
});

describe('a webhook', () => {
  it.each<readonly [string, DriftResult, boolean]>([
    ['nothing', driftResult(), false],
    ['what is known', driftResult({ findings: [finding({ trend: 'known' })], notCompared: [unread('known')] }), false],
    ['a failure that is known', driftResult({ status: 'failed', before: 'failed' }), false],
    ['a failure that is new', driftResult({ status: 'failed', before: 'clean' }), true],
    ['the first check after failures', driftResult({ before: 'failed' }), true],
    ['something new', driftResult({ findings: [finding({ trend: 'new' })] }), true],
    ['something worse', driftResult({ findings: [finding({ trend: 'worse' })] }), true],
    ['something resolved', driftResult({ resolved: [resolved] }), true],
    ['something that cannot be read any more', driftResult({ notCompared: [unread('new')] }), true],
    ['a check that failed', driftResult({ status: 'failed' }), true],
  ])('may hear of %s: %#', (_name, result, heard) => {
    expect(changesIn(result).length > 0).toBe(heard);
  });

  it('gets what is news, and short values only', async () => {
    const secret = { $secret: { expression: '!env NAME', fingerprint: 'hmac-sha256:canary' } };
    await tellDrift(
      newsOf(
        driftResult({
          findings: [
            finding({ id: '1111111111', old: 'x'.repeat(10_000), new: 'y' }),
            finding({ id: '2222222222', trend: 'worse', old: secret, new: secret }),
            finding({ id: '3333333333', trend: 'known' }),
          ],
          resolved: [resolved],
        }),
      ),
      webhook(),
    );
    const [post] = receiver.posts;
    expect(post?.body).toMatchObject({
      event: 'drift',
      project: 'payments',
      findings: 3,
      new: [{ id: '1111111111', new: 'y' }],
      worse: [{ id: '2222222222', old: '(secret)', new: '(secret)' }],
      resolved: [{ id: 'bbbbbbbbbb', by: 'settled' }],
    });
    expect(post?.text).not.toMatch(/x{10}|canary/);
  });

  it('can prove where the message comes from', async () => {
    const result = driftResult({ status: 'failed' });
    await tellDrift(newsOf(result), webhook({ secret: 'key' }));
    await tellDrift(newsOf(result), webhook());
    const [signed, plain] = receiver.posts;
    const expected = createHmac('sha256', 'key')
      .update(signed?.text ?? '')
      .digest('hex');
    expect(signed?.headers['x-sync-signature-256']).toBe(`sha256=${expected}`);
    expect(plain?.headers['x-sync-signature-256']).toBeUndefined();
  });

  it.each([
    ['a busy server is asked again', [503, 429, 204], 3, undefined],
    ['a server that stays down is not', [500], 3, 'status 500'],
    ['a refusal is final', [404], 1, 'status 404'],
    ['a redirect is not followed', [302], 1, 'status 302'],
    ['silence ends', ['hang'], 3, 'in time'],
  ] as const)('%s', async (_name, statuses, posts, why) => {
    receiver.answer(...statuses);
    const trouble = await tellDrift(
      newsOf(driftResult({ status: 'failed' })),
      webhook({ timeoutMs: why === 'in time' ? 400 : 60_000 }),
    );
    expect(receiver.posts).toHaveLength(posts);
    if (why === undefined) return expect(trouble).toBeUndefined();
    expect(trouble).toMatchObject({ severity: 'warning', code: 'webhook-failed' });
    expect(trouble?.summary).toContain(why);
    expect(JSON.stringify(trouble)).not.toContain('/hook');
  });

  it.each([
    ['[]'],
    ['null'],
    ['<html>'],
    [`${'['.repeat(5_000)}${']'.repeat(5_000)}`],
    [`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
  ])('whatever it answers with its yes or no, only the status counts', async (body) => {
    for (const [status, why] of [
      [200, undefined],
      [404, 'status 404'],
    ] as const) {
      receiver.answer({ status, body });
      const trouble = await tellDrift(newsOf(driftResult({ status: 'failed' })), webhook());
      expect(trouble?.summary).toEqual(why === undefined ? undefined : expect.stringContaining(why));
    }
  });

  it('that is not there is a warning', async () => {
    const url = 'http://127.0.0.1:1/canary';
    const trouble = await tellDrift(newsOf(driftResult({ status: 'failed' })), webhook({ url }));
    expect(trouble?.summary).toContain('could not be reached');
    expect(JSON.stringify(trouble)).not.toContain('canary');
  });
});

describe('the message for Slack', () => {
  const message = (
    result: DriftResult,
    ownersOf = (): readonly string[] => [],
  ): { text: string; blocks: { text: { text: string } }[] } =>
    documentSlack(driftNewsDocument(sortedNews(newsOf(result)), ownersOf), 'https://ci.example.com/1?a=b&c') as never;

  it('says the verdict, and what is news', () => {
    const { text, blocks } = message(
      driftResult({ status: 'incomplete', findings: [finding()], notCompared: [unread('new')], resolved: [resolved] }),
    );
    expect(text).toContain('1 read failed');
    expect(blocks.map((block) => block.text.text)).toEqual([
      expect.stringContaining('Project `payments`, stack `default`'),
      expect.stringMatching(
        /^\*New: 1\*\n• low: `petstore.description` changed outside: `"All about pets"` → `"Clicked"` in `/,
      ),
      '*Could not be compared: 1*\n• `cats` The platform answered 503.',
      '*Resolved: 1*\n• `dogs`',
      '<https://ci.example.com/1?a=b&amp;c|The run with the whole report>',
    ]);
  });

  it('says who answers for the file, worst first, and long values by their beginning', () => {
    const secret = { $secret: { expression: '!env NAME', fingerprint: 'hmac-sha256:canary' } };
    const { blocks } = message(
      driftResult({
        findings: [
          finding({ id: '1111111111', old: 'x'.repeat(900), new: secret }),
          finding({ id: '2222222222', severity: 'high', class: 'deleted', field: undefined as never }),
          finding({ id: '3333333333', old: `${'y'.repeat(900)}then`, new: `${'y'.repeat(900)}now` }),
        ],
      }),
      () => ['@acme/pets', 'ann@example.com'],
    );
    const lines = blocks[1]?.text.text.split('\n') ?? [];
    expect(lines[1]).toMatch(
      /^• high: `petstore` deleted outside in .*, of `@acme\/pets` `ann@example.com` \(2222222222\)$/,
    );
    expect(lines[2]).toMatch(/^• low: .*: `"x{79}…` → `\(secret.*` \(long: see the report\)/);
    expect(lines[3]).toMatch(/^• low: .*: `"…y{20,}then"` → `"…y{20,}now"` \(long: see the report\)/);
    expect(JSON.stringify(blocks)).not.toContain('canary');
  });

  it.each(['<!channel>', '<https://evil.example|click>', '`code` *bold* @here', '\u202e\u001b[31m'])(
    'cannot be forged by %j',
    (name) => {
      const findings = Array.from({ length: 400 }, () => finding({ address: name }));
      const { blocks } = message(driftResult({ findings, notCompared: [{ ...unread('new'), address: name }] }));
      expect(blocks.pop()?.text.text).toContain('|The run');
      for (const { text } of blocks) {
        expect(text.text.length).toBeLessThanOrEqual(3000);
        expect(text.text).not.toMatch(/<|>|\u202e|\u001b/);
        expect(text.text.replace(/`[^`\n]*`/g, '')).not.toMatch(/[`@]|\*bold/);
      }
    },
  );
});
