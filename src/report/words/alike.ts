import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { placeText } from './diagnostics.js';

/** One for all of a kind, and the others of it. */
interface AlikeGroup<T> {
  readonly lead: T;
  readonly others: readonly T[];
}

/** So many alike, and more, are told as one. */
const least = 4;
/** How sentences name an object that no address stands for: `"main" (id 4f…)`. */
const named = /(?:"[^"]*" )?\(id [^)]*\)/g;

/** What is wrong, whatever it is wrong with: the same for all who made the same mistake. */
function problemKind({ severity, code, summary, address }: Diagnostic): string {
  const whose = summary.replace(named, '…');
  return `${severity} ${code} ${address === undefined ? whose : withoutName(whose, address)}`;
}

/** What is quoted is what is wrong; an address in the open is whose it is. */
function withoutName(sentence: string, address: string): string {
  const name = new RegExp(`(?<![\\w/.-])${address.replace(/[^\w]/g, '\\$&')}(?![\\w/-])`, 'g');
  return sentence
    .split(/("[^"]*")/)
    .map((part, at) => (at % 2 === 0 ? part.replace(name, '…') : part))
    .join('');
}

/** In the order of the first of each kind; few of a kind stay apart, and so does what is of none. */
function alikeGroups<T>(items: readonly T[], kindOf: (item: T) => string | undefined): readonly AlikeGroup<T>[] {
  const kinds = new Map<string, T[]>();
  const own = items.map((item) => {
    const kind = kindOf(item);
    if (kind === undefined) return [item];
    const same = kinds.get(kind) ?? [];
    kinds.set(kind, same);
    same.push(item);
    return same;
  });
  return items.flatMap((lead, at) => {
    const same = own[at] ?? [];
    if (same.length < least) return [{ lead, others: [] }];
    return same[0] === lead ? [{ lead, others: same.slice(1) }] : [];
  });
}

/** What is wrong in one place is one mistake, however many resources it reaches. */
export function oncePerPlace(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>();
  const others = new Map<Diagnostic, readonly Diagnostic[]>();
  for (const found of diagnostics) {
    const { place, code, severity, field, hint, address } = found;
    if (place === undefined || address === undefined) continue;
    const { file, line, column } = place;
    const key = JSON.stringify([file, line, column, code, severity, field, hint]);
    const [lead, ...rest] = groups.get(key) ?? [];
    if (lead === undefined) groups.set(key, [found]);
    else if (!rest.some((one) => one.address === address) && lead.address !== address) {
      groups.set(key, [lead, ...rest, found]);
      others.set(lead, [...rest, found]);
    }
  }
  const hidden = new Set([...others.values()].flat());
  return diagnostics
    .filter((found) => !hidden.has(found))
    .map((found) => {
      const names = others.get(found)?.map(({ address = '' }) => address) ?? [];
      if (names.length === 0) return found;
      return { ...found, detail: [`The same for ${someOf(names, 5)}.`, found.detail ?? []].flat().join('\n') };
    });
}

/** The same mistake in many places as one problem that says where else: a hundred of a kind tell people no more. */
export function folded(diagnostics: readonly Diagnostic[]): readonly AlikeGroup<Diagnostic>[] {
  return alikeGroups(oncePerPlace(diagnostics), problemKind).map(({ lead, others }) => ({
    others,
    lead:
      others.length === 0
        ? lead
        : { ...lead, detail: [alikeText(others.map(whereOf)), lead.detail ?? []].flat().join('\n') },
  }));
}

/** `119 more alike: a, b and 117 more` */
export function alikeText(names: readonly string[]): string {
  return `${names.length} more alike: ${someOf(names, 5)}`;
}

/** `a, b and 117 more` */
export function someOf(names: readonly string[], shown = 10): string {
  const hidden = names.length - shown;
  return `${names.slice(0, shown).join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`;
}

function whereOf({ place, address, field, summary }: Diagnostic): string {
  if (place !== undefined) return placeText(place);
  if (address !== undefined) return field === undefined ? address : `${address}.${field}`;
  return summary.match(named)?.[0] ?? summary;
}
