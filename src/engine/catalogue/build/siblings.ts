import { compareText } from '../../model/address.js';
import type { MapEntry } from '../../model/expression.js';
import type { BuildContext } from '../read/build-context.js';
import { readOptions } from '../read/options.js';
import type { RawResource } from '../read/raw-file.js';

/** Resources that stand side by side: those with a place among the others depend on the one before them. */
export function inOrder(siblings: readonly RawResource[], context: BuildContext): readonly RawResource[] {
  const placed = siblings.flatMap((raw) => (raw.order === undefined ? [] : [{ raw, order: raw.order }]));
  if (placed.length < 2) return siblings;
  placed.sort((a, b) => a.order.value - b.order.value || compareText(a.raw.address, b.raw.address));
  const before = new Map(placed.slice(1).map(({ raw }, index) => [raw, placed[index]?.raw.address ?? '']));
  return siblings.map((raw) => {
    const earlier = before.get(raw);
    return earlier === undefined ? raw : after(raw, earlier, context);
  });
}

/** Over what an option says: that is a wish of its own, and both can be had. */
function after(raw: RawResource, earlier: string, context: BuildContext): RawResource {
  const at = raw.order?.at ?? raw.at;
  const written = raw.optionEntries.get('dependsOn');
  const items = written?.value.kind === 'list' ? written.value.items : [];
  const entry: MapEntry = {
    key: written?.key ?? at,
    value: { kind: 'list', items: [...items, { kind: 'literal', value: earlier, at }], at },
  };
  const optionEntries = new Map([...raw.optionEntries, ['dependsOn', entry]]);
  return { ...raw, placedAfter: earlier, optionEntries, options: readOptions(optionEntries, raw.address, context) };
}
