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
  /** What stands behind a key among the properties of a type. */
  | { readonly kind: 'value'; readonly type: string; readonly field: string }
  /** The name of a lookup, and a key among its arguments. */
  | { readonly kind: 'lookup' }
  | { readonly kind: 'argument'; readonly lookup: string; readonly there: readonly string[] }
  /** A path behind `!file`, as far as it is written. */
  | { readonly kind: 'file'; readonly path: string }
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
  const path = /!file\s+["']?([^\s"',}#]*)$/.exec(line)?.[1];
  if (path !== undefined) return { kind: 'file', path };
  if (/(?:^|[\s{,])function:\s*[\w:]*$/.test(line)) return { kind: 'lookup' };
  const [, space, field] = /^(\s*)(?:([\w-]+):\s+["']?)?[\w-]*$/.exec(line) ?? [];
  if (space === undefined) return undefined;
  const found = keyPlace(keysOf(lines.slice(0, -1)), keysOf(after.split('\n').slice(1)), space.length);
  if (field === undefined) return found;
  return found?.kind === 'property' && found.path.length === 0 ? { kind: 'value', type: found.type, field } : undefined;
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
    if (key === 'arguments' && path.length === 0) {
      const lookup = siblings(above, below, here).find((each) => each.key === 'function')?.value;
      if (lookup !== undefined)
        return { kind: 'argument', lookup: unquoted(lookup), there: beside(above, below, indent) };
    }
    if (key === 'resources' || key === 'children') return path.length === 1 ? { kind: 'resource' } : undefined;
    if (key === 'properties') {
      const type = siblings(above, below, here).find((each) => each.key === 'type')?.value;
      if (type === undefined) return undefined;
      return {
        kind: 'property',
        type: unquoted(type),
        path: path.reverse(),
        there: beside(above, below, indent),
      };
    }
    path.push(key);
    inner = at;
  }
  return undefined;
}

function unquoted(text: string): string {
  return text.replace(/^["']|["']$/g, '');
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
