import type { DriftClass, DriftResult, DriftSeverity } from '../engine/model/drift.js';
import { driftClasses, driftSeverities } from '../engine/model/drift.js';

interface Metric {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly samples: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];
}

/**
 * A drift check in the text format that a node exporter's textfile collector reads. A check that failed says when one
 * succeeded last (0: never) and nothing about findings: an alert on that time is what notices it.
 */
export function driftMetrics(result: DriftResult): string {
  const common = { project: result.project, stack: result.stack };
  const metrics = result.status === 'failed' ? [lastSuccess(result)] : [...found(result), lastSuccess(result)];
  return [...metrics, requests(result)].map((metric) => metricText(metric, common)).join('');
}

function found(result: DriftResult): readonly Metric[] {
  const now = Date.parse(result.checkedAt);
  const oldest = Math.min(now, ...result.findings.map(({ firstSeen }) => Date.parse(firstSeen)));
  return [
    {
      ...{ name: 'sync_drift_findings', type: 'gauge', help: 'Changes made outside, by class and severity.' },
      samples: driftClasses.flatMap((kind) =>
        driftSeverities.map((severity) => ({
          labels: { class: kind, severity },
          value: numberOf(result, kind, severity),
        })),
      ),
    },
    {
      ...{ name: 'sync_drift_oldest_seconds', type: 'gauge', help: 'Age of the oldest finding; 0 without any.' },
      samples: [{ value: Math.round((now - oldest) / 1000) }],
    },
    {
      ...{ name: 'sync_not_compared', type: 'gauge', help: 'Reads that failed, so that nothing is known.' },
      samples: [{ value: result.notCompared.length }],
    },
  ];
}

function numberOf(result: DriftResult, kind: DriftClass, severity: DriftSeverity): number {
  return result.findings.filter((finding) => finding.class === kind && finding.severity === severity).length;
}

function lastSuccess(result: DriftResult): Metric {
  const seconds = result.lastSuccess === undefined ? 0 : Date.parse(result.lastSuccess) / 1000;
  const help = 'When a check compared everything last; 0 if never.';
  return { name: 'sync_last_success_timestamp_seconds', type: 'gauge', help, samples: [{ value: seconds }] };
}

function requests(result: DriftResult): Metric {
  const help = 'Platform requests that the check took.';
  return { name: 'sync_api_requests_total', type: 'counter', help, samples: [{ value: result.requests }] };
}

function metricText({ name, type, help, samples }: Metric, common: Readonly<Record<string, string>>): string {
  const lines = samples.map(({ labels, value }) => `${name}{${labelText({ ...common, ...labels })}} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',');
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
