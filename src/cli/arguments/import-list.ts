import type { ImportRequest } from '@platform-sync/engine/api';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { UsageError } from '../process/usage-error.js';

const hint = 'How it is written: sync adopt --help';

/** What the words of `sync adopt` name: one object as ADDRESS ID, or any number as ADDRESS=ID. No address has an equals sign. */
export function importRequests(words: readonly string[], isListGiven: boolean): readonly ImportRequest[] {
  const [address, id, ...more] = words;
  if (address === undefined) {
    if (isListGiven) return [];
    throw new UsageError(
      'sync adopt needs ADDRESS (address in the catalogue) and ID (id of the existing object)',
      hint,
    );
  }
  if (address.includes('=')) return words.map(requestOf);
  if (id === undefined) throw new UsageError('sync adopt needs ID (id of the existing object)', hint);
  if (more.length === 0) return [{ address, id }];
  throw new UsageError('sync adopt takes one object as ADDRESS ID, and several as ADDRESS=ID ADDRESS=ID …', hint);
}

function requestOf(word: string): ImportRequest {
  const equals = word.indexOf('=');
  const [address, id] = [word.slice(0, Math.max(0, equals)), word.slice(equals + 1)];
  if (equals > 0 && id !== '') return { address, id };
  throw new UsageError(`${word} is not ADDRESS=ID`, hint);
}

/** A list of objects: ADDRESS ID in each line; blank lines and lines that begin with `#` say nothing. `file`: as people know it. */
export function importList(
  text: string,
  file: string,
): { readonly requests: readonly ImportRequest[]; readonly problems: readonly Diagnostic[] } {
  const requests: ImportRequest[] = [];
  const problems: Diagnostic[] = [];
  for (const [at, whole] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const line = whole.trim();
    if (line === '' || line.startsWith('#')) continue;
    const place = { file, line: at + 1, column: whole.length - whole.trimStart().length + 1, text: whole };
    const [, address, id] = /^(\S+)\s+(.+)$/.exec(line) ?? [];
    if (address !== undefined && id !== undefined) requests.push({ address, id, place });
    else problems.push({ ...incomplete(line), place });
  }
  return { requests, problems };
}

function incomplete(line: string): Diagnostic {
  return {
    severity: 'error',
    code: 'import-list-line',
    summary: `A line needs an address and an id, and this one has only ${line}.`,
    hint: 'Write ADDRESS ID: petstore 6f1c0c0e-51d5-4f39-8c2c-1a2b3c4d5e6f',
  };
}
