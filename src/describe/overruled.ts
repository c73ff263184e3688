import type { TypeDefinition } from '@platform-sync/rest/definition';
import type { Correction } from './correction.js';
import type { CompiledField } from './body-fields.js';

/** What rules had said where a correction says otherwise. */
export interface Overruled {
  /** The rule that decided about the field; of a type's own rows, none: each has its own. */
  readonly rule?: string;
  /** Row → what it held; null: nothing. */
  readonly said: Readonly<Record<string, unknown>>;
}

/** What no rule speaks of. */
const peoplesOwn = new Set(['why', 'fields', 'accepted', 'skip', 'proven']);

/** By field, and by nothing for the type itself: what rules made of it before it was corrected. */
export function overruledBy(
  correction: Correction | undefined,
  { definition, fields }: { readonly definition: TypeDefinition; readonly fields: readonly CompiledField[] },
): Readonly<Record<string, Overruled>> {
  if (correction === undefined) return {};
  const own = saidBefore(correction, definition);
  const ofFields = fields.flatMap(({ name, field, rule }): [string, Overruled][] => {
    const rows = correction.fields?.[name];
    return rows === undefined ? [] : [[name, { rule, said: saidBefore(rows, field) }]];
  });
  return { ...(Object.keys(own).length === 0 ? {} : { '': { said: own } }), ...Object.fromEntries(ofFields) };
}

function saidBefore(rows: object, before: object): Overruled['said'] {
  const known = new Map<string, unknown>(Object.entries(before));
  const corrected = Object.keys(rows).filter((row) => !peoplesOwn.has(row));
  return Object.fromEntries(corrected.map((row) => [row, known.get(row) ?? null]));
}
