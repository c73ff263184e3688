import type { Json } from '@platform-sync/core/model/value';
import type { Measure } from '@platform-sync/report/view/drift-measures';

/** What a request says besides the measures. */
interface OtlpAbout {
  readonly resource: Readonly<Record<string, string>>;
  /** Attributes of every data point. */
  readonly common: Readonly<Record<string, string>>;
  readonly version: string;
  /** When what was measured began and ended, milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
}

// The protocol's number for sums that count from the start on; a backend that knows totals only takes these.
const cumulative = 2;

/**
 * One export request in the JSON encoding of OpenTelemetry's metrics/v1: 64-bit integers are texts, enumerations
 * numbers, names in camel case.
 */
export function otlpBody(measures: readonly Measure[], about: OtlpAbout): Json {
  return {
    resourceMetrics: [
      {
        resource: { attributes: attributes(about.resource) },
        scopeMetrics: [
          {
            scope: { name: 'platform-sync', version: about.version },
            metrics: measures.map((measure) => metric(measure, about)),
          },
        ],
      },
    ],
  };
}

function metric({ name, help, unit, type, samples }: Measure, about: OtlpAbout): Json {
  const dataPoints = samples.map(({ labels, value }) => ({
    attributes: attributes({ ...about.common, ...labels }),
    ...(type === 'counter' ? { startTimeUnixNano: nanoseconds(about.startMs) } : {}),
    timeUnixNano: nanoseconds(about.endMs),
    ...(Number.isSafeInteger(value) ? { asInt: String(value) } : { asDouble: value }),
  }));
  const head = { name, description: help, unit };
  return type === 'gauge'
    ? { ...head, gauge: { dataPoints } }
    : { ...head, sum: { aggregationTemporality: cumulative, isMonotonic: true, dataPoints } };
}

function attributes(labels: Readonly<Record<string, string>>): Json {
  return Object.entries(labels).map(([key, value]) => ({ key, value: { stringValue: value } }));
}

function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms)) * 1_000_000n);
}
