import {
  context,
  type Histogram,
  metrics,
  propagation,
  type MeterProvider,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Job } from '@platform-sync/core/model/fleet';
import type { World } from '@platform-sync/core/model/world';

// Says nothing to anybody unless the process was started with an SDK of OpenTelemetry.
const scope = 'platform-sync-fleet';
const tracer = (): Tracer => trace.getTracer(scope);

/** What goes along with a job, so that its trace is that of whoever asked for it. */
type Carrier = Readonly<Record<string, string>>;

interface Durations {
  readonly jobs: Histogram;
  readonly requests: Histogram;
}

const known = new WeakMap<MeterProvider, Durations>();

/** Made at the first use: a meter that is asked for before the SDK is there stays silent. */
function durations(): Durations {
  const provider = metrics.getMeterProvider();
  const made = known.get(provider);
  if (made !== undefined) return made;
  const meter = provider.getMeter(scope);
  const of = (name: string, description: string): Histogram => meter.createHistogram(name, { unit: 's', description });
  const all = {
    jobs: of('sync.job.duration', 'How long jobs of the fleet ran'),
    requests: of('http.server.request.duration', 'How long requests to the console took'),
  };
  known.set(provider, all);
  return all;
}

/** Of the trace that is under way; undefined: of none. */
export function traceOf(): Carrier | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return Object.keys(carrier).length === 0 ? undefined : carrier;
}

/** Runs the job of a payload in a span of its own; false of `work`: another worker is to do it. */
export async function tracedJob(
  { kind, project, stack, commit }: Job,
  payload: unknown,
  world: Pick<World, 'steady'>,
  work: () => Promise<boolean>,
): Promise<boolean> {
  const asked = propagation.extract(context.active(), carrierIn(payload));
  const of = { 'sync.job.kind': kind, 'sync.project': project, 'sync.stack': stack };
  const attributes = commit === undefined ? of : { ...of, 'vcs.ref.head.revision': commit };
  const begun = world.steady();
  return tracer().startActiveSpan(`sync ${kind}`, { kind: SpanKind.CONSUMER, attributes }, asked, async (span) => {
    let outcome = 'failed';
    try {
      const isDone = await work();
      outcome = isDone ? 'done' : 'handed over';
      return isDone;
    } catch (error) {
      // Its words may quote what nobody should read elsewhere; the log of the worker has them.
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.setAttribute('sync.job.outcome', outcome);
      span.end();
      durations().jobs.record((world.steady() - begun) / 1_000, { 'sync.job.kind': kind, 'sync.job.outcome': outcome });
    }
  });
}

function carrierIn(payload: unknown): Carrier {
  const given: unknown = typeof payload === 'object' && payload !== null ? Reflect.get(payload, 'trace') : undefined;
  const members: readonly [string, unknown][] =
    typeof given === 'object' && given !== null ? Object.entries(given) : [];
  return Object.fromEntries(members.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}

/** A span and a duration for everything that the console is asked for; addresses are told as routes, without what they hold. */
export function traceRequests(app: FastifyInstance, world: Pick<World, 'steady'>): void {
  const open = new WeakMap<FastifyRequest, { readonly span: Span; readonly begun: number }>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions } = request;
    const attributes = {
      'http.request.method': method,
      ...(routeOptions.url === undefined ? {} : { 'http.route': routeOptions.url }),
    };
    const name = `${method} ${routeOptions.url ?? ''}`.trim();
    const asked = propagation.extract(context.active(), headers);
    open.set(request, {
      begun: world.steady(),
      span: tracer().startSpan(name, { kind: SpanKind.SERVER, attributes }, asked),
    });
    done();
  });
  // Whoever reads the body leaves the context of what came before.
  app.addHook('preHandler', (request, _reply, done) => {
    const known = open.get(request);
    if (known === undefined) return done();
    context.with(trace.setSpan(context.active(), known.span), done);
  });
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const known = open.get(request);
    if (known !== undefined) {
      const { method, routeOptions } = request;
      known.span.setAttribute('http.response.status_code', statusCode);
      if (statusCode >= 500) known.span.setStatus({ code: SpanStatusCode.ERROR });
      known.span.end();
      durations().requests.record((world.steady() - known.begun) / 1_000, {
        ...{ 'http.request.method': method, 'http.response.status_code': statusCode },
        ...(routeOptions.url === undefined ? {} : { 'http.route': routeOptions.url }),
      });
    }
    done();
  });
}
