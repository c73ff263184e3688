import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FolderForm, writeFolders } from '../catalogue.js';
import { measurementOf, repeat, type Measurement } from '../measurement.js';
import { runNode } from '../process.js';
import type { Bench } from '../world.js';

export const sourceNames = {
  sources: 'validate, folders of specifications and pages',
  'written out': 'validate, the same written out',
  'as pages': 'validate, the same with specifications as pages, which are not checked',
} as const satisfies Readonly<Record<FolderForm, string>>;

const shape = { apis: 300, documents: 4, content: 200 };
const forms = ['sources', 'written out', 'as pages'] as const;

/** What reading folders and checking specifications costs beside a catalogue that says the same in full, and one without checks; in turns, so that other work meets both alike. */
export async function measureSources(bench: Bench): Promise<readonly Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sync-bench-'));
  const setting = { size: shape.apis * (2 + shape.documents), latencyMs: 0, backend: 'sqlite' } as const;
  try {
    for (const form of forms) await writeFolders(join(folder, form), shape, form);
    const validate = (form: FolderForm) => runNode([bench.program, 'validate', '--cold'], { cwd: join(folder, form) });
    const pairs = await repeat(bench.runs, async () => ({
      sources: await validate('sources'),
      'written out': await validate('written out'),
      'as pages': await validate('as pages'),
    }));
    return forms.map((form) =>
      measurementOf(
        sourceNames[form],
        setting,
        pairs.map((pair) => pair[form]),
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
