import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DriftResult } from '@platform-sync/core/model/drift';
import { otlpSettings } from '@platform-sync/review/notify/otlp-settings';
import { pushMetrics, type MetricsPush } from '@platform-sync/review/notify/push-metrics';
import { driftResult, finding } from '../report/drift-builder.js';
import { startReceiver, type Receiver } from './receiver.js';

let collector: Receiver;
beforeAll(async () => {
  collector = await startReceiver();
});
beforeEach(() => collector.reset());
afterAll(() => collector.close());

const now = Date.parse('2030-05-02T03:00:05.000Z');
const push = (result: DriftResult, more: Partial<MetricsPush> = {}): ReturnType<typeof pushMetrics> =>
  pushMetrics(result, {
    ...{ url: collector.url, headers: {}, resource: { 'service.name': 'checks' }, version: '1.2.3', now },
    ...{ pausesMs: [0, 0] },
    ...more,
  });

interface Point {
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[];
  readonly asInt?: string;
  readonly timeUnixNano: string;
}
interface Metric {
  readonly name: string;
  readonly gauge?: { readonly dataPoints: readonly Point[] };
  readonly sum?: { readonly dataPoints: readonly Point[] };
}
interface Request {
  readonly resourceMetrics: readonly { readonly scopeMetrics: readonly { readonly metrics: readonly Metric[] }[] }[];
}

const metricsOf = (): readonly Metric[] =>
  (collector.posts[0]?.body as Request).resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) => metrics),
  );

describe('metrics by OTLP', () => {
  it('are one export request in the JSON encoding of the protocol', async () => {
    expect(await push(driftResult({ status: 'failed', requests: 3 }))).toBeUndefined();
    const attributes = [
      { key: 'project', value: { stringValue: 'payments' } },
      { key: 'stack', value: { stringValue: 'default' } },
    ];
    expect(collector.posts.map(({ body }) => body)).toEqual([
      {
        resourceMetrics: [
          {
            resource: {
              attributes: [
                { key: 'service.version', value: { stringValue: '1.2.3' } },
                { key: 'service.name', value: { stringValue: 'checks' } },
              ],
            },
            scopeMetrics: [
              {
                scope: { name: 'platform-sync', version: '1.2.3' },
                metrics: [
                  {
                    name: 'sync_last_success_timestamp_seconds',
                    description: expect.any(String) as string,
                    unit: 's',
                    gauge: {
                      dataPoints: [{ attributes, timeUnixNano: '1903921205000000000', asInt: '1903921200' }],
                    },
                  },
                  {
                    name: 'sync_api_requests_total',
                    description: expect.any(String) as string,
                    unit: '{request}',
                    sum: {
                      aggregationTemporality: 2,
                      isMonotonic: true,
                      dataPoints: [
                        {
                          attributes,
                          startTimeUnixNano: '1903921200000000000',
                          timeUnixNano: '1903921205000000000',
                          asInt: '3',
                        },
                      ],
                    },
                  },
                ],
              },
            ],
          },
        ],
      },
    ]);
    expect(collector.posts[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
  });

  it('count findings by class and severity, like the textfile does', async () => {
    await push(driftResult({ status: 'drift', findings: [finding(), finding({ id: '2222222222' })] }));
    const metrics = metricsOf();
    expect(metrics.map(({ name }) => name)).toEqual([
      'sync_drift_findings',
      'sync_drift_oldest_seconds',
      'sync_not_compared',
      'sync_last_success_timestamp_seconds',
      'sync_api_requests_total',
    ]);
    const points = metrics[0]?.gauge?.dataPoints ?? [];
    expect(points).toHaveLength(15);
    const labelled = points.map(({ attributes, asInt }) => [
      attributes.map(({ value }) => value.stringValue).join(' '),
      asInt,
    ]);
    expect(labelled.filter(([, count]) => count !== '0')).toEqual([['payments default modified low', '2']]);
  });

  it('of a failed check that knows no success do not say that there was none', async () => {
    const { lastSuccess: _none, ...blind } = driftResult({ status: 'failed' });
    await push(blind);
    expect(metricsOf().map(({ name }) => name)).toEqual(['sync_api_requests_total']);
  });

  it.each([
    ['is sent again to a busy collector', [503, 429, 200], 3, undefined],
    ['is not sent again after an error that stays', [500], 1, 'status 500'],
    ['is not sent again after a refusal', [400], 1, 'status 400'],
    ['follows no redirect', [302], 1, 'status 302'],
    ['ends with silence', ['hang'], 3, 'in time'],
  ] as const)('%s', async (_name, statuses, posts, why) => {
    collector.answer(...statuses);
    const trouble = await push(driftResult(), {
      timeoutMs: why === 'in time' ? 400 : 60_000,
      headers: { 'api-key': 'canary' },
    });
    expect(collector.posts).toHaveLength(posts);
    if (why === undefined) return expect(trouble).toBeUndefined();
    expect(trouble).toMatchObject({ severity: 'warning', code: 'otlp-failed' });
    expect(trouble?.summary).toContain(why);
    expect(JSON.stringify(trouble)).not.toMatch(/canary|\/hook/);
  });

  it('are not sent again when that should wait for longer than a check', async () => {
    collector.answer({ status: 503, headers: { 'retry-after': '3600' } });
    expect((await push(driftResult()))?.summary).toContain('status 503');
    expect(collector.posts).toHaveLength(1);
  });

  it.each([
    ['{}', undefined],
    ['', undefined],
    ['{"partialSuccess":{}}', undefined],
    ['{"partialSuccess":{"errorMessage":"a warning"}}', undefined],
    ['{"partialSuccess":{"rejectedDataPoints":"4","errorMessage":"canary"}}', 'rejected 4'],
    ['null', undefined],
    ['[]', undefined],
    ['{"partialSuccess":null}', undefined],
    ['{"partialSuccess":{"rejectedDataPoints":{"a":1}}}', undefined],
    [`{"partialSuccess":{"rejectedDataPoints":${'['.repeat(4_000)}5${']'.repeat(4_000)}}}`, undefined],
    [`{"partialSuccess":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}`, undefined],
  ])('answered by %s', async (body, why) => {
    collector.answer({ status: 200, body });
    const trouble = await push(driftResult());
    if (why === undefined) return expect(trouble).toBeUndefined();
    expect(trouble?.summary).toContain(why);
    expect(JSON.stringify(trouble)).not.toContain('canary');
  });
});

describe('the variables of OpenTelemetry', () => {
  const endpoint = 'OTEL_EXPORTER_OTLP_ENDPOINT';
  const own = 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT';

  it.each<readonly [Record<string, string>, string | undefined, string | undefined]>([
    [{}, undefined, undefined],
    [{ [endpoint]: '' }, undefined, undefined],
    [{ [endpoint]: 'http://collector:4318' }, undefined, 'http://collector:4318/v1/metrics'],
    [{ [endpoint]: 'https://otel.example.com/in/' }, undefined, 'https://otel.example.com/in/v1/metrics'],
    [{ [endpoint]: 'https://a.example.com', [own]: 'https://b.example.com/m' }, undefined, 'https://b.example.com/m'],
    [{ [own]: 'https://b.example.com/m' }, 'http://127.0.0.1:4318', 'http://127.0.0.1:4318/v1/metrics'],
    [{ [endpoint]: 'https://a.example.com', OTEL_SDK_DISABLED: 'true' }, undefined, undefined],
    [{ [endpoint]: 'https://a.example.com', OTEL_METRICS_EXPORTER: 'none' }, undefined, undefined],
    [{ OTEL_METRICS_EXPORTER: 'none' }, 'https://a.example.com', 'https://a.example.com/v1/metrics'],
  ])('%j with the flag %s: %s', (env, flag, url) => {
    const { settings, problem } = otlpSettings(env, flag);
    expect([settings?.url, problem]).toEqual([url, undefined]);
  });

  it.each<readonly [string, Record<string, string>]>([
    ['grpc', { [endpoint]: 'http://collector:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
    ['grpc for metrics', { [endpoint]: 'http://c:4317', OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'grpc' }],
    ['no URL', { [endpoint]: 'canary collector' }],
    ['a scheme of something else', { [endpoint]: 'ftp://canary.example.com' }],
    ['a password', { [own]: 'https://me:canary@otel.example.com' }],
    ['headers over an open line', { [endpoint]: 'http://collector', OTEL_EXPORTER_OTLP_HEADERS: 'api-key=canary' }],
    ['a line feed', { [endpoint]: 'https://c.example.com', OTEL_EXPORTER_OTLP_HEADERS: 'api-key=canary%0ax' }],
    ['a name that is none', { [endpoint]: 'https://c.example.com', OTEL_EXPORTER_OTLP_HEADERS: 'api key=canary' }],
  ])('that cannot be done are a warning without their values: %s', (_name, env) => {
    const { settings, problem } = otlpSettings(env);
    expect(settings).toBeUndefined();
    expect(problem).toMatchObject({ severity: 'warning', code: 'otlp-unusable' });
    expect(JSON.stringify(problem)).not.toContain('canary');
  });

  it('name headers, resource and time, those for metrics first', () => {
    const { settings } = otlpSettings({
      [endpoint]: 'https://otel.example.com',
      OTEL_EXPORTER_OTLP_HEADERS: 'x=no',
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'Authorization=Basic%20YWJj, x-scope=a%2Cb,broken,=none',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=ignored,deployment.environment=prod%20eu',
      OTEL_SERVICE_NAME: 'drift-checks',
      OTEL_EXPORTER_OTLP_TIMEOUT: '2500',
    });
    expect(settings).toEqual({
      url: 'https://otel.example.com/v1/metrics',
      headers: { authorization: 'Basic YWJj', 'x-scope': 'a,b' },
      resource: { 'service.name': 'drift-checks', 'deployment.environment': 'prod eu' },
      timeoutMs: 2500,
    });
  });

  it('may leave out the rest', () => {
    const env = { [endpoint]: 'https://otel.example.com', OTEL_EXPORTER_OTLP_TIMEOUT: 'soon' };
    expect(otlpSettings(env).settings).toMatchObject({ headers: {}, resource: { 'service.name': 'platform-sync' } });
    expect(otlpSettings(env).settings).not.toHaveProperty('timeoutMs');
  });

  it('make headers that the collector gets', async () => {
    const { settings } = otlpSettings({ OTEL_EXPORTER_OTLP_HEADERS: 'api-key=canary' }, new URL(collector.url).origin);
    if (settings === undefined) throw new Error('no settings');
    await push(driftResult(), settings);
    expect(collector.posts[0]?.headers['api-key']).toBe('canary');
    expect(collector.posts[0]?.headers['content-type']).toBe('application/json');
  });
});
