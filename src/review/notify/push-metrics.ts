import { defined } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { DriftResult } from '@platform-sync/core/model/drift';
import { driftMeasures, measureLabels } from '@platform-sync/report/view/drift-measures';
import { otlpBody } from './otlp-body.js';
import type { OtlpSettings } from './otlp-settings.js';
import { post } from './post.js';

export interface MetricsPush extends OtlpSettings {
  /** Version of the program. */
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Between attempts, milliseconds; see `post`. */
  readonly pausesMs?: readonly number[];
}

// What the protocol calls worth another attempt.
const passing = new Set([429, 502, 503, 504]);

/** Sends what a check measured to a collector, by OTLP over HTTP as JSON. Gives the warning when it was not taken. */
export async function pushMetrics(result: DriftResult, push: MetricsPush): Promise<Diagnostic | undefined> {
  const { url, headers, resource, timeoutMs, pausesMs, version, now } = push;
  const body = otlpBody(measuresFor(result), {
    ...{ resource: { 'service.version': version, ...resource }, common: measureLabels(result), version },
    ...{ startMs: Math.min(Date.parse(result.checkedAt), now), endMs: now },
  });
  const posted = await post(
    {
      url,
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': `platform-sync/${version} (drift)` },
      passing: (status) => passing.has(status),
      ...defined({ timeoutMs, pausesMs }),
    },
    JSON.stringify(body),
  );
  const why = posted.taken ? refusal(posted.answer) : posted.why;
  if (why === undefined) return undefined;
  return {
    severity: 'warning',
    code: 'otlp-failed',
    summary: `The collector at ${new URL(url).host} did not accept the metrics: ${why}.`,
    hint: 'The check itself was made: its report and its exit code stand.',
  };
}

/** A failed check that does not know when one succeeded last must not say "never". */
function measuresFor(result: DriftResult): ReturnType<typeof driftMeasures> {
  const knowsNothing = result.status === 'failed' && result.lastSuccess === undefined;
  const measures = driftMeasures(result);
  return knowsNothing ? measures.filter(({ name }) => name !== 'sync_last_success_timestamp_seconds') : measures;
}

/** A collector may say yes and take only a part. Its own words are left out: they may repeat what it was sent. */
function refusal(answer: string): string | undefined {
  try {
    const { partialSuccess } = JSON.parse(answer) as {
      readonly partialSuccess?: { readonly rejectedDataPoints?: unknown };
    };
    const rejected = Number(partialSuccess?.rejectedDataPoints ?? 0);
    return rejected > 0 ? `it rejected ${rejected} of the data points` : undefined;
  } catch {
    return undefined;
  }
}
