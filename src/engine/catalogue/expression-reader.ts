import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Alias,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import type { Expression, MapEntry } from '../model/expression.js';
import type { SourceRange } from '../model/source.js';
import type { Scalar as ScalarValue } from '../model/value.js';
import { brokenValue, type BuildContext } from './build-context.js';
import { callFunction, functionNames, tagFunctions } from './functions.js';
import { didYouMean } from './nearest.js';
import { readTemplate } from './read-template.js';

/** Deeper nesting than this is no catalogue but an attack on the stack. */
const maxDepth = 100;
/** Values that aliases may add to a file; an alias bomb multiplies to billions. */
const maxAliasedValues = 1_000_000;
const coreTag = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)$/;

interface Anchored {
  readonly value: Expression;
  readonly size: number;
}

/** Turns the YAML nodes of one document into expressions. */
export class ExpressionReader {
  readonly #file: string;
  readonly #context: BuildContext;
  readonly #anchors = new Map<string, Anchored | 'open'>();
  #depth = 0;
  #size = 0;
  #aliased = 0;

  constructor(file: string, context: BuildContext) {
    this.#file = file;
    this.#context = context;
  }

  read(node: unknown): Expression {
    if (isAlias(node)) return this.#alias(node);
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return this.#broken({ file: this.#file, start: 0, end: 0 });
    const at = this.#range(node);
    if (this.#depth >= maxDepth) {
      this.#context.problems.add(
        'nesting-too-deep',
        at,
        `Values are nested more than ${String(maxDepth)} levels deep.`,
      );
      return this.#broken(at);
    }
    const { anchor } = node;
    const sizeBefore = this.#size++;
    if (anchor !== undefined) this.#anchors.set(anchor, 'open');
    this.#depth++;
    const value = this.#tagged(node, at);
    this.#depth--;
    if (anchor !== undefined) this.#anchors.set(anchor, { value, size: this.#size - sizeBefore });
    return value;
  }

  #tagged(node: Scalar | YAMLMap | { items: unknown[] }, at: SourceRange): Expression {
    const tag = (node as Node).tag;
    if (tag === undefined || tag === '!' || coreTag.test(tag)) return this.#plain(node, at, tag === undefined);
    const name = tagFunctions[tag];
    if (name === undefined) {
      this.#context.problems.add('unknown-tag', at, `There is no tag ${shortTag(tag)}.`, {
        hint: didYouMean(tag, Object.keys(tagFunctions)) ?? `Tags are ${Object.keys(tagFunctions).join(', ')}.`,
      });
      return this.#broken(at);
    }
    return callFunction(name, this.#plain(node, at, true), at, this.#context);
  }

  #plain(node: unknown, at: SourceRange, untagged: boolean): Expression {
    if (isMap(node)) return this.#map(node, at);
    if (isSeq(node)) return { kind: 'list', items: node.items.map((item) => this.read(item)), at: closed(node, at) };
    return isScalar(node) ? this.#scalar(node, at, untagged) : this.#broken(at);
  }

  #scalar(node: Scalar, at: SourceRange, untagged: boolean): Expression {
    // A tag of ours hides from the parser that plain `12` is a number.
    const value =
      untagged && node.tag !== undefined && node.type === 'PLAIN' ? coreValue(node.source ?? '') : node.value;
    if (typeof value === 'string') return readTemplate(value, at, this.#context);
    if (typeof value === 'number' && !Number.isFinite(value)) {
      this.#context.problems.add('wrong-type', at, 'Infinity and not-a-number are no values of a catalogue.');
      return this.#broken(at);
    }
    return { kind: 'literal', value: value as ScalarValue, at };
  }

  #map(node: YAMLMap, at: SourceRange): Expression {
    const [first] = node.items;
    if (first !== undefined && functionName(first) !== undefined) return this.#call(node, at);
    const entries = new Map<string, MapEntry>();
    const merged: Expression[] = [];
    for (const pair of node.items) {
      const key = this.#key(pair);
      if (key === undefined) continue;
      if (key.merge) {
        merged.push(this.read(pair.value));
        continue;
      }
      if (key.name.startsWith('fn::')) {
        this.#context.problems.add('bad-function-call', key.at, `${key.name} can't stand beside other keys.`, {
          hint: 'A map that calls a function has that one key only.',
        });
      }
      const earlier = entries.get(key.name);
      if (earlier !== undefined) {
        this.#context.problems.add('duplicate-key', key.at, `The key "${key.name}" stands twice in one map.`, {
          hint: 'Remove one of the two; YAML would silently keep only the last.',
          related: [{ at: earlier.key, message: 'first here' }],
        });
        continue;
      }
      entries.set(key.name, { key: key.at, value: this.#value(pair, key.at) });
    }
    for (const source of merged) this.#merge(entries, source);
    return { kind: 'map', entries, at: closed(node, at) };
  }

  #value(pair: Pair, key: SourceRange): Expression {
    return pair.value === null
      ? { kind: 'literal', value: null, at: { file: this.#file, start: key.end, end: key.end } }
      : this.read(pair.value);
  }

  /** Keys the map has itself win over merged ones, earlier merged maps over later ones. */
  #merge(entries: Map<string, MapEntry>, source: Expression): void {
    if (source.kind === 'list') {
      for (const item of source.items) this.#merge(entries, item);
    } else if (source.kind === 'map') {
      for (const [name, entry] of source.entries) if (!entries.has(name)) entries.set(name, entry);
    } else if (!this.#context.broken.has(source)) {
      this.#context.problems.add('bad-merge', source.at, 'Only maps can be merged with "<<".');
    }
  }

  #call(node: YAMLMap, at: SourceRange): Expression {
    const pair = node.items[0];
    const name = pair === undefined ? undefined : functionName(pair);
    if (pair === undefined || name === undefined) return this.#broken(at);
    const keyAt = this.#range(pair.key as Node);
    if (node.items.length > 1) {
      this.#context.problems.add('bad-function-call', keyAt, `${name} can't stand beside other keys.`, {
        hint: 'A map that calls a function has that one key only.',
      });
      return this.#broken(at);
    }
    if (!functionNames.includes(name)) {
      this.#context.problems.add('unknown-function', keyAt, `There is no function ${name}.`, {
        hint: didYouMean(name, functionNames) ?? `Functions are ${functionNames.join(', ')}.`,
      });
      return this.#broken(at);
    }
    return callFunction(name, this.#value(pair, keyAt), at, this.#context);
  }

  #key(pair: Pair): { readonly name: string; readonly at: SourceRange; readonly merge: boolean } | undefined {
    const node = isAlias(pair.key) ? undefined : pair.key;
    if (!isScalar(node) || (node.value === null && node.source === '')) {
      const range = (pair.key as Node | null)?.range ?? (pair.value as Node | null)?.range;
      this.#context.problems.add('bad-key', range ? this.#span(range) : undefined, 'A key must be plain text.');
      return undefined;
    }
    // Keys are text as written: `1.0: x` is the key "1.0".
    const name = typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
    return { name, at: this.#range(node), merge: name === '<<' && node.type === 'PLAIN' };
  }

  #alias(node: Alias): Expression {
    const at = this.#range(node);
    const anchored = this.#anchors.get(node.source);
    if (anchored === undefined || anchored === 'open') {
      const summary =
        anchored === undefined ? `There is no anchor &${node.source} above this.` : `*${node.source} contains itself.`;
      this.#context.problems.add('bad-alias', at, summary, {
        hint:
          anchored === undefined && this.#anchors.size <= 100
            ? didYouMean(node.source, this.#anchors.keys())
            : undefined,
      });
      return this.#broken(at);
    }
    const before = this.#aliased;
    this.#aliased += anchored.size;
    this.#size += anchored.size;
    if (this.#aliased <= maxAliasedValues) return anchored.value;
    if (before > maxAliasedValues) return this.#broken(at);
    this.#context.problems.add('alias-bomb', at, 'Aliases multiply to over a million values.', {
      detail: 'Aliases of aliases make a small file stand for a gigantic one.',
      hint: 'Write the values out, or share them through variables.',
    });
    return this.#broken(at);
  }

  #broken(at: SourceRange): Expression {
    return brokenValue(this.#context, at);
  }

  #range(node: Node): SourceRange {
    return this.#span(node.range ?? [0, 0, 0]);
  }

  #span([start, end]: readonly [number, number, number]): SourceRange {
    return { file: this.#file, start, end };
  }
}

/** The parser lets a block of lines end where the next thing starts; we let it end with its last value. */
function closed(node: unknown, at: SourceRange): SourceRange {
  return { ...at, end: Math.max(at.start, endOf(node) ?? at.end) };
}

function endOf(node: unknown): number | undefined {
  const range = (node as Node | null)?.range ?? undefined;
  if ((!isMap(node) && !isSeq(node)) || node.flow === true) return range?.[1];
  const last = node.items.at(-1);
  const end = isPair(last) ? (endOf(last.value) ?? endOf(last.key)) : endOf(last);
  return end ?? range?.[1];
}

function functionName(pair: Pair): string | undefined {
  const { key } = pair;
  return isScalar(key) && typeof key.value === 'string' && key.value.startsWith('fn::') ? key.value : undefined;
}

/** The value of an unquoted word by the rules of YAML 1.2's core schema. */
function coreValue(source: string): ScalarValue {
  if (/^(?:|~|null|Null|NULL)$/.test(source)) return null;
  if (/^(?:true|True|TRUE)$/.test(source)) return true;
  if (/^(?:false|False|FALSE)$/.test(source)) return false;
  if (/^(?:[-+]?\d+|0o[0-7]+|0x[\dA-Fa-f]+)$/.test(source)) return Number(source);
  if (/^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/.test(source)) return Number(source);
  return source;
}

function shortTag(tag: string): string {
  return tag.replace('tag:yaml.org,2002:', '!!');
}
