import type { ResourceRow } from '@platform-sync/state/tables';

type Row = Pick<ResourceRow, 'stack' | 'address' | 'type' | 'id' | 'dependencies'>;

/** What a verb of the state is asked for, in words of its own: worked out here once more, so that who carries it out is held against it. */
interface Verb {
  readonly verb: string;
  readonly roots: readonly string[];
  readonly to: string | undefined;
  /** The stack that is to have it; absent: the same one. */
  readonly other: string | undefined;
}

function verbIn(argv: readonly string[]): Verb | undefined {
  const [group, verb = '', ...words] = argv;
  if (group !== 'state' || (verb !== 'rm' && verb !== 'mv')) return undefined;
  const at = words.indexOf('--to-stack');
  const [from = '', to = from] = at < 0 ? words : words.slice(0, at);
  return { verb, roots: verb === 'rm' ? words : [from], to, other: at < 0 ? undefined : words[at + 1] };
}

/** What a verb of the state that was said of a stack makes of the records of one; undefined: it says nothing of them. */
export function recordsAfter(
  argv: readonly string[],
  { of, stack }: { readonly of: string; readonly stack: string },
  before: readonly Row[],
): readonly string[] | undefined {
  const said = verbIn(argv);
  if (said === undefined) return undefined;
  const { verb, roots, to = '', other = of } = said;
  const isMeant = (row: Row): boolean =>
    row.stack === of && roots.some((root) => row.address === root || row.address.startsWith(`${root}/`));
  const [meant, rest] = [before.filter(isMeant), before.filter((row) => row.stack === stack && !isMeant(row))];
  if (verb === 'rm' || (other !== stack && stack === of)) return rest.map((row) => textOf(row));
  const [root = ''] = roots;
  const moved = new Map(meant.map(({ address }) => [address, to + address.slice(root.length)]));
  const isAbroad = other !== of;
  const came = meant.map((row) => textOf({ ...row, address: moved.get(row.address) ?? '' }, moved, isAbroad));
  const stay = rest.map((row) => (isAbroad ? textOf(row) : textOf(row, moved)));
  // What had come before, and was cut off, stands there already.
  return [...new Set([...came, ...stay.filter((text) => !isAbroad || !came.some((one) => isAt(one, text)))])];
}

function isAt(one: string, other: string): boolean {
  return one.split(' ')[0] === other.split(' ')[0];
}

/** A record with what it depends on, by addresses of then; `isAbroad`: what stays behind is nothing to it. */
export function textOf(
  { address, type, id, dependencies }: Row,
  moved: ReadonlyMap<string, string> = new Map(),
  isAbroad = false,
): string {
  const needed = JSON.parse(dependencies) as readonly string[];
  const now = needed.flatMap((each) => moved.get(each) ?? (isAbroad ? [] : [each]));
  return [address, type, id, ...now.sort()].join(' ');
}
