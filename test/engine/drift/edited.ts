import { EditableFile } from '@platform-sync/catalogue/edit/properties';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { Json } from '@platform-sync/core/model/value';

const same = (a: Json, b: Json): boolean => canonicalJson(a) === canonicalJson(b);

export interface Change {
  readonly field?: string;
  readonly address?: string;
  readonly from?: Json;
  readonly to?: Json;
  readonly ordered?: boolean;
}

/** The text after the change, or why there is none. */
export function edited(text: string, change: Change): string {
  const file = EditableFile.read(text);
  const { address = 'pets', field = 'x', from, to, ordered = true } = change;
  const result = file?.edit({ address, field, from, to, ordered, same });
  if (result === undefined) return 'unreadable';
  if (result.kind === 'edited') return file?.withEdits(result.edits) ?? '';
  return result.kind === 'file' ? `file ${result.path}` : `fixed: ${result.why}`;
}
