/** What a statement gives to the database beside its text. */
export type Value = string | number | null;

/** A statement, or a part of one: a value stands between each two pieces of its text. */
export class Sql {
  readonly pieces: readonly string[];
  readonly values: readonly Value[];

  constructor(pieces: readonly string[], values: readonly Value[]) {
    this.pieces = pieces;
    this.values = values;
  }
}

/** The tag of a template whose places hold values, and parts of statements. */
export function sql(texts: TemplateStringsArray, ...given: readonly (Value | Sql)[]): Sql {
  return joined(given, (nth) => texts[nth] ?? '');
}

/** Values or parts, with commas between them. */
export function list(items: readonly (Value | Sql)[]): Sql {
  return joined(items, (nth) => (nth === 0 || nth === items.length ? '' : ', '));
}

function joined(given: readonly (Value | Sql)[], textBefore: (nth: number) => string): Sql {
  const pieces: string[] = [];
  const values: Value[] = [];
  let piece = textBefore(0);
  for (let at = 0; at < given.length; at += 1) {
    const one = given[at] ?? null;
    if (one instanceof Sql) {
      for (let nth = 0; nth < one.pieces.length; nth += 1) {
        if (nth > 0) pieces.push(piece);
        piece = nth > 0 ? (one.pieces[nth] ?? '') : piece + (one.pieces[0] ?? '');
      }
      values.push(...one.values);
    } else {
      pieces.push(piece);
      values.push(one);
      piece = '';
    }
    piece += textBefore(at + 1);
  }
  pieces.push(piece);
  return new Sql(pieces, values);
}
