import { sizeOf, type Shape } from '../catalogue.js';
import type { Measurement, Setting } from '../measurement.js';
import { inWorld, type Bench } from '../world.js';
import { lifeNames, measureLife } from './life.js';

/** The latency at which the closest peer published its own figures. */
export const peerLatencyMs = 86;
export const smallCase = { label: '50 × 10 × 8 KiB', shape: { apis: 50, documents: 10, content: 8192 } } as const;
export const largeCase = { label: '1,000 × 10', shape: { apis: 1000, documents: 10, content: 200 } } as const;

export const caseName = (name: string, { label }: { readonly label: string }): string => `${name} (${label})`;

/** APIs × documents, as the closest peer measures itself: all of a life for few large ones, the empty plan for many. */
export async function measurePeerCases(bench: Bench, latencyMs = peerLatencyMs): Promise<readonly Measurement[]> {
  return [
    ...(await measureLife(bench, settingOf(smallCase.shape, latencyMs), smallCase)),
    ...(await measureLargeCase(bench, latencyMs)),
  ];
}

/** Created without latency: only the plan after it is measured. */
export async function measureLargeCase(bench: Bench, latencyMs: number): Promise<readonly Measurement[]> {
  const setting = settingOf(largeCase.shape, latencyMs);
  return inWorld(
    bench,
    setting,
    async (world) => {
      await world.write(largeCase.shape);
      await world.sync(['apply', '--yes']);
      await world.slowDown();
      return [await world.measure(caseName(lifeNames.nothing, largeCase), ['plan', '--detailed-exitcode'])];
    },
    { fast: true },
  );
}

function settingOf(shape: Shape, latencyMs: number): Setting {
  return { size: sizeOf(shape), latencyMs, backend: 'sqlite' };
}
