// Writes fixtures/plans/*.json: one small plan of every kind, made by the real planner against the sandbox, with
// everything that differs between two runs replaced. The reports of each are in fixtures/plans/expected.
// Usage: tsx scripts/golden-plans.ts [NAME…]
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plan } from '@platform-sync/core/model/plan';
import { sha256 } from '@platform-sync/core/model/canonical';
import { digestOf, serializePlan } from '@platform-sync/engine/plan/saved-plan';
import { makeWorld } from '../test/harness/world.js';
import { Bench, scenarios } from './golden-worlds.js';

const folder = fileURLToPath(new URL('../fixtures/plans/', import.meta.url));

/** The plan as it would be in any run: ids, digests, times and hosts by their order of appearance. */
function normalised(plan: Plan): Plan {
  const { digest: _digest, meta, ...rest } = plan;
  const ids = new Map<string, string>();
  const hashes = new Map<string, string>();
  const text = JSON.stringify({ ...rest, engine: '0.0.0' })
    .replace(/Trace id: [^".]+/g, 'Trace id: 1')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://platform.example')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) =>
      known(ids, id, (at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`),
    )
    .replace(/\b[0-9a-f]{64}\b/g, (hash) => known(hashes, hash, (at) => sha256(`digest ${at}`)));
  const body = JSON.parse(text) as Omit<Plan, 'digest' | 'meta'>;
  const fixed = { createdAt: '2026-01-01T00:00:00.000Z', host: 'builder', requests: 0 };
  return { ...body, digest: digestOf(body), meta: { ...meta, ...fixed } };
}

function known(seen: Map<string, string>, value: string, make: (at: number) => string): string {
  const found = seen.get(value) ?? make(seen.size + 1);
  seen.set(value, found);
  return found;
}

const wanted = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const world = await makeWorld();
try {
  for (const [name, scenario] of Object.entries(scenarios)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    world.loseState();
    await world.call('DELETE', '/_sandbox/faults');
    await world.call('POST', '/_sandbox/reset');
    const plan = await scenario(new Bench(world)).catch((error: unknown) => {
      throw new Error(`${name} failed`, { cause: error });
    });
    await writeFile(`${folder}${name}.json`, serializePlan(normalised(plan)));
    console.log(`${name}: ${plan.steps.length} steps`);
  }
} finally {
  await world.close();
}
