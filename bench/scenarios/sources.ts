import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFolders } from '../catalogue.js';
import { measurementOf, repeat } from '../measurement.js';
import type { Measurement } from '../measurement.js';
import { runNode } from '../process.js';
import type { Bench } from '../world.js';

export const sourceNames = {
  sources: 'validate, folders of specifications and pages',
  'written out': 'validate, the same written out',
} as const;

const shape = { apis: 300, documents: 4, content: 200 };

/** What reading folders costs beside a catalogue that says the same in full. */
export async function measureSources(bench: Bench): Promise<readonly Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sync-bench-'));
  const setting = { size: shape.apis * (2 + shape.documents), latencyMs: 0, backend: 'sqlite' } as const;
  try {
    const rows: Measurement[] = [];
    for (const form of ['sources', 'written out'] as const) {
      await writeFolders(folder, shape, form);
      const runs = await repeat(bench.runs, () => runNode([bench.program, 'validate'], { cwd: folder }));
      rows.push(measurementOf(sourceNames[form], setting, runs));
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
