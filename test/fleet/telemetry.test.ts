import { context, metrics, propagation, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { realWorld } from '@platform-sync/core/model/world';
import { jobIn, rowOf } from 'platform-sync-fleet/job-rows';
import { tracedJob, traceRequests } from 'platform-sync-fleet/telemetry';

const spans = new InMemorySpanExporter();
const points = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter: points, exportIntervalMillis: 3_600_000 });
const meters = new MeterProvider({ readers: [reader] });

beforeAll(() => {
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }).register();
  metrics.setGlobalMeterProvider(meters);
});
afterAll(async () => {
  await meters.shutdown();
  for (const each of [trace, metrics, context, propagation]) each.disable();
});

it('is one trace from whoever asks the console to the job that a worker runs, and counts both', async () => {
  const job = { kind: 'plan', project: 'shop', stack: 'prod', commit: 'a'.repeat(40), request: '12' } as const;
  let row = '';
  const app = fastify();
  traceRequests(app, realWorld);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.post('/hooks/:forge', async () => {
    row = JSON.stringify(rowOf(job));
    return 'planned soon';
  });
  app.get('/broken', () => Promise.reject(new Error('canary')));
  const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
  await app.inject({
    method: 'POST',
    url: '/hooks/github?secret=canary',
    headers: { traceparent },
    payload: { any: 'thing' },
  });
  await app.inject({ method: 'GET', url: '/broken' });
  await app.inject({ method: 'GET', url: '/nowhere/canary' });
  await app.close();
  const { payload } = JSON.parse(row) as { readonly payload: unknown };
  expect(jobIn(payload)).toEqual(job);
  const run = (work: () => Promise<boolean>): Promise<boolean> => tracedJob(job, payload, realWorld, work);
  expect(await run(async () => trace.getActiveSpan() !== undefined)).toBe(true);
  expect(await run(async () => false)).toBe(false);
  await expect(run(() => Promise.reject(new Error('canary')))).rejects.toThrow('canary');
  // What another version wrote is no reason not to run a job.
  await tracedJob(job, { trace: { traceparent: 7 } }, realWorld, async () => true);
  const ended = spans.getFinishedSpans();
  expect(
    ended.map(({ name, attributes, status }) => [
      name,
      attributes['sync.job.outcome'] ?? attributes['http.response.status_code'],
      status.code,
    ]),
  ).toEqual([
    ['POST /hooks/:forge', 200, 0],
    ['GET /broken', 500, 2],
    ['GET', 404, 0],
    ['sync plan', 'done', 0],
    ['sync plan', 'handed over', 0],
    ['sync plan', 'failed', 2],
    ['sync plan', 'done', 0],
  ]);
  const [asked, , , done] = ended;
  expect([asked?.spanContext().traceId, asked?.parentSpanId]).toEqual(['1'.repeat(32), '2'.repeat(16)]);
  expect([done?.spanContext().traceId, done?.parentSpanId]).toEqual(['1'.repeat(32), asked?.spanContext().spanId]);
  expect(
    JSON.stringify(ended.map(({ name, attributes, status, events }) => [name, attributes, status, events])),
  ).not.toContain('canary');
  await meters.forceFlush();
  const counted = points.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics: all }) => all));
  const counts = counted.map(({ descriptor, dataPoints }) => [
    descriptor.name,
    ...dataPoints.map(({ value }) => (typeof value === 'object' && 'count' in value ? value.count : 0)),
  ]);
  expect(counts).toEqual([
    ['sync.job.duration', 2, 1, 1],
    ['http.server.request.duration', 1, 1, 1],
  ]);
});
