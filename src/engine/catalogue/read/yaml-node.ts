import type { Scalar } from '../../model/value.js';

/** A part of a YAML document: what it says and where, without layout. */
export type YamlNode = YamlScalar | YamlMap | YamlList | YamlAlias;

/** Offsets in the file. What stands before a value, its tag and its anchor, is no part of it. */
export interface Placed {
  readonly start: number;
  /** Maps and lists end where the last thing in them ends; in brackets, behind the bracket. */
  readonly end: number;
}

interface Named extends Placed {
  /** Undefined, too, for YAML's own tags: they are in the value already. */
  readonly tag: string | undefined;
  readonly anchor: string | undefined;
}

export interface YamlScalar extends Named {
  readonly kind: 'scalar';
  readonly value: Scalar;
  /** As written, without quotes and escapes: what counts of a key. */
  readonly text: string;
  /** True without quotes, `|` and `>`. */
  readonly plain: boolean;
}

export interface YamlMap extends Named {
  readonly kind: 'map';
  readonly pairs: readonly YamlPair[];
}

export interface YamlPair {
  /** Undefined where nothing is written. */
  readonly key: YamlNode | undefined;
  readonly value: YamlNode | undefined;
}

export interface YamlList extends Named {
  readonly kind: 'list';
  readonly items: readonly YamlNode[];
}

export interface YamlAlias extends Placed {
  readonly kind: 'alias';
  /** The anchor it stands for. */
  readonly name: string;
}

/** Deeper nesting than this is no catalogue but an attack on the stack. */
export const maxDepth = 100;

/** The tags that may stand before a value of each kind. */
export const tagsOf: Readonly<Record<'scalar' | 'map' | 'list', readonly string[]>> = {
  scalar: ['!file', '!env', '!secret', '!json', '!unset'],
  map: ['!secret', '!json', '!lookup'],
  list: ['!secret', '!json'],
};

/** `false`. */
const longestWord = 5;

/** The value of an unquoted word by the rules of YAML 1.2's core schema. */
export function coreValue(text: string): Scalar {
  // Longer than any word that means something and begins like no number: most are plain words.
  if (text.length > longestWord && (text[0] ?? '') >= 'A') return text;
  switch (text) {
    case '':
    case '~':
    case 'null':
    case 'Null':
    case 'NULL':
      return null;
    case 'true':
    case 'True':
    case 'TRUE':
      return true;
    case 'false':
    case 'False':
    case 'FALSE':
      return false;
  }
  if (!/^[-+.\d]/.test(text)) return text;
  if (/^(?:[-+]?\d+|0o[0-7]+|0x[\dA-Fa-f]+)$/.test(text)) return Number(text);
  if (/^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/.test(text)) return Number(text);
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return /^\.(?:nan|NaN|NAN)$/.test(text) ? NaN : text;
}
