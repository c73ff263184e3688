/** What is being typed at the end of a text: where the cursor is. */
export type TypedPlace =
  /** Inside `${`: what stands before the last dot, if one does. */
  | { readonly kind: 'expression'; readonly head?: string }
  | { readonly kind: 'type' }
  /** A key among the properties of a type, or inside one of them. */
  | {
      readonly kind: 'property';
      readonly type: string;
      readonly path: readonly string[];
      readonly there: readonly string[];
    }
  | { readonly kind: 'option' }
  | { readonly kind: 'resource' };

interface KeyLine {
  readonly indent: number;
  readonly key: string;
  readonly value: string;
}

/** Undefined where nothing is known of what may follow. Works on lines, since a file that is being typed is rarely whole. */
export function typedPlace(before: string, after: string): TypedPlace | undefined {
  const lines = before.split('\n');
  const line = lines.at(-1) ?? '';
  const inside = /\$\{([^{}]*)$/.exec(line)?.[1];
  if (inside !== undefined) {
    const dot = inside.lastIndexOf('.');
    return { kind: 'expression', ...(dot < 0 ? {} : { head: inside.slice(0, dot) }) };
  }
  if (/^\s*type:\s*\S*$/.test(line)) return { kind: 'type' };
  const typed = /^(\s*)[\w-]*$/.exec(line);
  if (typed === null) return undefined;
  const indent = (typed[1] ?? '').length;
  return keyPlace(keysOf(lines.slice(0, -1)), keysOf(after.split('\n').slice(1)), indent);
}

function keysOf(lines: readonly string[]): readonly KeyLine[] {
  return lines.flatMap((line) => {
    const found = /^(\s*)(?:"([^"]+)"|([\w/-]+)):(?:\s+(.*))?$/.exec(line);
    if (found === null) return [];
    const [, space = '', quoted, plain = '', value = ''] = found;
    return [{ indent: space.length, key: quoted ?? plain, value: value.trim() }];
  });
}

function keyPlace(above: readonly KeyLine[], below: readonly KeyLine[], indent: number): TypedPlace | undefined {
  const path: string[] = [];
  let inner = indent;
  for (const [back, { indent: at, key }] of [...above].reverse().entries()) {
    if (at >= inner) continue;
    const here = above.length - 1 - back;
    if (key === 'options') return { kind: 'option' };
    if (key === 'resources' || key === 'children') return path.length === 1 ? { kind: 'resource' } : undefined;
    if (key === 'properties') {
      const type = siblings(above, below, here).find((each) => each.key === 'type')?.value;
      if (type === undefined) return undefined;
      return {
        kind: 'property',
        type: type.replace(/^["']|["']$/g, ''),
        path: path.reverse(),
        there: beside(above, below, indent),
      };
    }
    path.push(key);
    inner = at;
  }
  return undefined;
}

/** Keys of the map that a line stands in. */
function siblings(above: readonly KeyLine[], below: readonly KeyLine[], at: number): readonly KeyLine[] {
  const { indent } = above[at] ?? { indent: 0 };
  const all = [...above, ...below];
  const isIn = (line: KeyLine | undefined): boolean => line !== undefined && line.indent >= indent;
  let first = at;
  while (isIn(all[first - 1])) first -= 1;
  let last = at;
  while (isIn(all[last + 1])) last += 1;
  return all.slice(first, last + 1).filter((line) => line.indent === indent);
}

/** Keys that are there already beside what is typed. */
function beside(above: readonly KeyLine[], below: readonly KeyLine[], indent: number): readonly string[] {
  const until = (lines: readonly KeyLine[]): readonly KeyLine[] => {
    const end = lines.findIndex((line) => line.indent < indent);
    return end < 0 ? lines : lines.slice(0, end);
  };
  const near = [...until([...above].reverse()), ...until(below)];
  return near.filter((line) => line.indent === indent).map(({ key }) => key);
}
