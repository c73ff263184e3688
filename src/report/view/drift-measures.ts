import {
  type DriftClass,
  type DriftResult,
  type DriftSeverity,
  driftClasses,
  driftSeverities,
} from '@platform-sync/core/model/drift';

/** One thing that a check measured, for whatever format metrics are sent in. */
export interface Measure {
  readonly name: string;
  /** `counter`: of this check alone. */
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  /** As UCUM writes it: `s`, `{finding}`. */
  readonly unit: string;
  readonly samples: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];
}

/** What all samples of a check have in common. */
export function measureLabels({ project, stack }: DriftResult): Readonly<Record<string, string>> {
  return { project, stack };
}

/**
 * What a check measured. One that failed says when one succeeded last (0: never) and nothing about findings: an alert
 * on that time is what notices it.
 */
export function driftMeasures(result: DriftResult): readonly Measure[] {
  const always = [lastSuccess(result), requests(result)];
  return result.status === 'failed' ? always : [...found(result), ...always];
}

function found(result: DriftResult): readonly Measure[] {
  const now = Date.parse(result.checkedAt);
  const oldest = result.findings.reduce((least, { firstSeen }) => Math.min(least, Date.parse(firstSeen)), now);
  return [
    {
      ...{ name: 'sync_drift_findings', type: 'gauge', unit: '{finding}' },
      help: 'Changes made outside, by class and severity.',
      samples: driftClasses.flatMap((kind) =>
        driftSeverities.map((severity) => ({
          labels: { class: kind, severity },
          value: numberOf(result, kind, severity),
        })),
      ),
    },
    {
      ...{ name: 'sync_drift_oldest_seconds', type: 'gauge', unit: 's' },
      help: 'Age of the oldest finding; 0 without any.',
      samples: [{ value: Math.round((now - oldest) / 1000) }],
    },
    {
      ...{ name: 'sync_not_compared', type: 'gauge', unit: '{read}' },
      help: 'Reads that failed, so that nothing is known.',
      samples: [{ value: result.notCompared.length }],
    },
  ];
}

function numberOf(result: DriftResult, kind: DriftClass, severity: DriftSeverity): number {
  return result.findings.filter((finding) => finding.class === kind && finding.severity === severity).length;
}

function lastSuccess(result: DriftResult): Measure {
  const seconds = result.lastSuccess === undefined ? 0 : Date.parse(result.lastSuccess) / 1000;
  return {
    ...{ name: 'sync_last_success_timestamp_seconds', type: 'gauge', unit: 's' },
    help: 'When a check compared everything last; 0 if never.',
    samples: [{ value: seconds }],
  };
}

function requests(result: DriftResult): Measure {
  return {
    ...{ name: 'sync_api_requests_total', type: 'counter', unit: '{request}' },
    help: 'Platform requests that the check took.',
    samples: [{ value: result.requests }],
  };
}
