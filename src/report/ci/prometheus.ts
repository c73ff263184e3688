import type { DriftResult } from '@platform-sync/core/model/drift';
import { driftMeasures, measureLabels, type Measure } from '../view/drift-measures.js';

/** A drift check in the text format that a node exporter's textfile collector reads. */
export function driftMetrics(result: DriftResult): string {
  const common = measureLabels(result);
  return driftMeasures(result)
    .map((measure) => metricText(measure, common))
    .join('');
}

function metricText({ name, type, help, samples }: Measure, common: Readonly<Record<string, string>>): string {
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
