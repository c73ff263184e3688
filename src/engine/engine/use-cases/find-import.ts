import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Reading } from '@platform-sync/core/model/snapshot';
import { parseImportId } from '../plan/import-id.js';
import type { PlanInput } from '../plan/plan-input.js';
import type { NeededObject } from '../plan/step.js';
import type { Reads } from '../reads/reads.js';
import { readExisting } from '../refresh/find-existing.js';

/** The object that a catalogue or a command names by its id, or why it can't be had. */
export async function findImport(
  reads: Reads,
  { address, type, isChosen }: NeededObject,
  importId: string,
  { desired, imports }: Pick<PlanInput, 'desired' | 'imports'>,
): Promise<{ readonly reading: Reading; readonly diagnostics: readonly Diagnostic[] }> {
  const at = desired.resources.get(address)?.at;
  const place = at === undefined ? {} : { place: desired.sources.place(at) };
  const parsed = parseImportId(type, importId);
  if ('problem' in parsed) {
    const diagnostic = { ...parsed.problem, address, ...place };
    return { reading: { kind: 'failed', diagnostic }, diagnostics: [diagnostic] };
  }
  const reading = await readExisting(reads, type, parsed.identity);
  const lacks = imports.has(address) ? notThere(address, type, importId) : notFound(address, importId);
  return { reading, diagnostics: reading.kind === 'gone' && isChosen !== true ? [{ ...lacks, ...place }] : [] };
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

function notThere(address: string, { name, shortToken }: ResourceType, importId: string): Diagnostic {
  return {
    severity: 'error',
    code: 'import-not-found',
    summary: `${address} is to take over the ${name} ${importId}, but the platform has no such object.`,
    hint: `Correct the id, or the address that it is meant for; sync schema ${shortToken} shows the form of its ids.`,
    address,
  };
}
