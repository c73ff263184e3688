import type { DesiredState } from '../model/desired.js';
import type { Diagnostic } from '../model/diagnostic.js';
import type { Reading } from '../model/snapshot.js';
import { parseImportId } from '../plan/import-id.js';
import type { NeededObject } from '../plan/proposal.js';
import type { Reads } from '../reads/reads.js';
import { readExisting } from '../refresh/find-existing.js';

/** The object that a catalogue names by its id, or why it can't be had. */
export async function findImport(
  reads: Reads,
  { address, type }: NeededObject,
  importId: string,
  desired: DesiredState,
): Promise<{ readonly reading?: Reading; readonly diagnostics: readonly Diagnostic[] }> {
  const at = desired.resources.get(address)?.at;
  const place = at === undefined ? {} : { place: desired.sources.place(at) };
  const parsed = parseImportId(type, importId);
  if ('problem' in parsed) return { diagnostics: [{ ...parsed.problem, address, ...place }] };
  const reading = await readExisting(reads, type, parsed.identity);
  return { reading, diagnostics: reading.kind === 'gone' ? [{ ...notFound(address, importId), ...place }] : [] };
}

function notFound(address: string, importId: string): Diagnostic {
  return {
    severity: 'error',
    code: 'import-not-found',
    summary: `${address} says it should take over ${importId}, but the platform has no such object.`,
    hint: 'Correct options.import, or take it out to create a new object.',
    address,
  };
}
