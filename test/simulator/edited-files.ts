import { isSame } from './plan-model.js';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { Block } from './catalogue.js';
import type { HistoryRow } from './ledger.js';

type Files = Readonly<Record<string, Block>>;
type Inputs = { readonly inputs: JsonObject } | null | undefined;

/**
 * What an undo into the files has written, and its run had not changed; undefined: nothing. `recordAt`: what is recorded now, of what no
 * later row speaks.
 */
export function editedBeyond(
  run: number,
  rows: readonly HistoryRow[],
  recordAt: (address: string) => Inputs,
  before: Files,
  after: Files,
): string | undefined {
  // What has moved is told under other addresses.
  if (rows.some(({ kind }) => kind === 'move' || kind === 'replace')) return undefined;
  const recorded = rows.filter(({ kind }) => kind === 'record');
  const beforeOf = (row: HistoryRow | undefined): Inputs =>
    row === undefined ? undefined : (JSON.parse(row.body) as { readonly before: Inputs }).before;
  for (const [address, { properties, options }] of Object.entries(after)) {
    const said = before[address];
    if (said === undefined || (options?.aliases ?? []).length > 0) continue;
    const fields = [...new Set([...Object.keys(properties), ...Object.keys(said.properties)])];
    const written = fields.filter((field) => !isSame(properties[field] ?? null, said.properties[field] ?? null));
    const own = recorded.filter((row) => row.run === run && row.address === address);
    const next = recorded.find((row) => row.address === address && row.number > (own.at(-1)?.number ?? 0));
    const [was, became] = [beforeOf(own[0]), next === undefined ? recordAt(address) : beforeOf(next)];
    // What no record has yet may have the key of what the run wrote, whose address left the files.
    const isElsewhere =
      recordAt(address) === undefined &&
      recorded.some((row) => row.run === run && before[row.address ?? ''] === undefined);
    if (own.length === 0 && written.length > 0 && !isElsewhere) return `${address}.${written.join()}`;
    if (was === undefined || was === null || became === undefined || became === null) continue;
    const beyond = written.find((field) => isSame(was.inputs[field] ?? null, became.inputs[field] ?? null));
    if (beyond !== undefined) return `${address}.${beyond}`;
  }
  return undefined;
}
