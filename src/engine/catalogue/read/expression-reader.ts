import type { Expression, MapEntry } from '../../model/expression.js';
import type { SourceRange } from '../../model/place-in-file.js';
import type { Scalar } from '../../model/value.js';
import { brokenValue, type BuildContext } from './build-context.js';
import { callFunction, functionNames, tagFunctions } from './functions.js';
import { didYouMean } from '../../model/nearest.js';
import type { Entries } from './shape.js';
import { readTemplate } from './template-text.js';
import { isUnset } from './unset.js';
import type { EventReader } from './yaml-events.js';
import {
  maxDepth,
  type YamlAlias,
  type YamlList,
  type YamlMap,
  type YamlNode,
  type YamlPair,
  type YamlScalar,
} from './yaml-node.js';

/** Values that aliases may add to a file; an alias bomb multiplies to billions. */
const maxAliasedValues = 1_000_000;

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

  read(node: YamlNode): Expression {
    const at = this.#range(node);
    // Most are plain scalars, and need none of what follows.
    if (node.kind === 'scalar' && node.tag === undefined && node.anchor === undefined && this.#depth < maxDepth) {
      this.#size++;
      return this.#plain(node, at);
    }
    if (node.kind === 'alias') return this.#alias(node, at);
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

  /** The same of what comes next among events. Nodes are made only of what has a tag or an anchor, or may call a function. */
  readNext(events: EventReader): Expression {
    switch (this.#depth < maxDepth ? events.bareKind() : undefined) {
      case 'scalar': {
        this.#size++;
        const value = events.scalar();
        return this.#scalar(value, this.#range(events));
      }
      case 'map':
        return this.#nextMap(events);
      case 'list':
        return this.#nextList(events);
      default:
        return this.read(events.node());
    }
  }

  #nextMap(events: EventReader): Expression {
    this.#size++;
    this.#depth++;
    const isFlow = events.opens('{');
    const { start } = events;
    const entries = new Map<string, MapEntry>();
    const merged: Expression[] = [];
    while (!events.closes()) {
      const name = events.key();
      const key = this.#range(events);
      const isMerge = events.isPlain && name === '<<';
      const isKept = isMerge || this.#isNew(name, key, entries);
      const hasValue = events.hasValue(isFlow);
      if (!isKept) {
        if (hasValue) events.node();
        continue;
      }
      const value = hasValue ? this.readNext(events) : this.#nothing(this.#range(events));
      if (isMerge) merged.push(value);
      else entries.set(name, { key, value });
    }
    if (isFlow) events.leave('}');
    for (const source of merged) this.#merge(entries, source);
    this.#depth--;
    return { kind: 'map', entries, at: { file: this.#file, start, end: events.end } };
  }

  #nextList(events: EventReader): Expression {
    this.#size++;
    this.#depth++;
    const isFlow = events.opens('[');
    const { start } = events;
    const items: Expression[] = [];
    while (!events.closes()) items.push(this.#item(this.readNext(events)));
    if (isFlow) events.leave(']');
    this.#depth--;
    // A list that grew has taken room for more than is there.
    return { kind: 'list', items: items.slice(), at: { file: this.#file, start, end: events.end } };
  }

  #nothing(at: SourceRange): Expression {
    this.#size++;
    return { kind: 'literal', value: null, at };
  }

  #tagged(node: Exclude<YamlNode, YamlAlias>, at: SourceRange): Expression {
    const { tag } = node;
    if (tag === undefined) return this.#plain(node, at);
    const name = tagFunctions[tag];
    if (name === undefined) {
      this.#context.problems.add('unknown-tag', at, `There is no tag ${shortTag(tag)}.`, {
        hint:
          referenceHint(node) ??
          didYouMean(tag, Object.keys(tagFunctions)) ??
          `Tags are ${Object.keys(tagFunctions).join(', ')}.`,
      });
      return this.#broken(at);
    }
    return callFunction(name, this.#plain(node, at), at, this.#context);
  }

  #item(item: Expression): Expression {
    if (!isUnset(item)) return item;
    const summary = '!unset (fn::unset) stands for a key of a map, not for an item of a list.';
    this.#context.problems.add('bad-function-call', item.at, summary, { hint: 'Leave the item out.' });
    return this.#broken(item.at);
  }

  #plain(node: YamlScalar | YamlMap | YamlList, at: SourceRange): Expression {
    if (node.kind === 'map') return this.#map(node, at);
    if (node.kind === 'list') return { kind: 'list', items: node.items.map((item) => this.#item(this.read(item))), at };
    return this.#scalar(node.value, at);
  }

  #scalar(value: Scalar, at: SourceRange): Expression {
    if (typeof value === 'string') return readTemplate(value, at, this.#context);
    if (typeof value === 'number' && !Number.isFinite(value)) {
      this.#context.problems.add('wrong-type', at, 'Infinity and not-a-number are no values of a catalogue.');
      return this.#broken(at);
    }
    return { kind: 'literal', value, at };
  }

  #map(node: YamlMap, at: SourceRange): Expression {
    const [first] = node.pairs;
    if (first !== undefined && functionName(first) !== undefined) return this.#call(node, at);
    const entries = new Map<string, MapEntry>();
    const merged: Expression[] = [];
    for (const pair of node.pairs) {
      const key = this.#key(pair);
      if (key === undefined) continue;
      if (key.merge) {
        merged.push(this.#value(pair, key.at));
        continue;
      }
      if (!this.#isNew(key.name, key.at, entries)) continue;
      entries.set(key.name, { key: key.at, value: this.#value(pair, key.at) });
    }
    for (const source of merged) this.#merge(entries, source);
    return { kind: 'map', entries, at };
  }

  /** False (reported) for a key that is there already. */
  #isNew(name: string, at: SourceRange, entries: Entries): boolean {
    if (name.startsWith('fn::')) {
      this.#context.problems.add('bad-function-call', at, `${name} can't stand beside other keys.`, {
        hint: 'A map that calls a function has that one key only.',
      });
    }
    const earlier = entries.get(name);
    if (earlier === undefined) return true;
    this.#context.problems.add('duplicate-key', at, `The key "${name}" stands twice in one map.`, {
      hint: 'Remove one of the two; YAML would silently keep only the last.',
      related: [{ at: earlier.key, message: 'first here' }],
    });
    return false;
  }

  #value(pair: YamlPair, key: SourceRange): Expression {
    return pair.value === undefined
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

  #call(node: YamlMap, at: SourceRange): Expression {
    const [pair] = node.pairs;
    const name = pair === undefined ? undefined : functionName(pair);
    if (pair?.key === undefined || name === undefined) return this.#broken(at);
    const keyAt = this.#range(pair.key);
    if (node.pairs.length > 1) {
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

  #key(pair: YamlPair): { readonly name: string; readonly at: SourceRange; readonly merge: boolean } | undefined {
    const { key } = pair;
    if (key?.kind !== 'scalar' || (key.value === null && key.text === '')) {
      const written = key ?? pair.value;
      this.#context.problems.add('bad-key', written && this.#range(written), 'A key must be plain text.');
      return undefined;
    }
    // Keys are text as written: `1.0: x` is the key "1.0".
    return { name: key.text, at: this.#range(key), merge: key.text === '<<' && key.plain };
  }

  #alias({ name }: YamlAlias, at: SourceRange): Expression {
    const anchored = this.#anchors.get(name);
    if (anchored === undefined || anchored === 'open') {
      const summary = anchored === undefined ? `There is no anchor &${name} above this.` : `*${name} contains itself.`;
      this.#context.problems.add('bad-alias', at, summary, {
        hint: anchored === undefined && this.#anchors.size <= 100 ? didYouMean(name, this.#anchors.keys()) : undefined,
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

  #range({ start, end }: Pick<YamlNode, 'start' | 'end'>): SourceRange {
    return { file: this.#file, start, end };
  }
}

function functionName({ key }: YamlPair): string | undefined {
  return key?.kind === 'scalar' && typeof key.value === 'string' && key.value.startsWith('fn::')
    ? key.value
    : undefined;
}

function shortTag(tag: string): string {
  return tag.replace('tag:yaml.org,2002:', '!!');
}

/** Tags by which other tools refer to an object: `!ref pets`, `!Ref pets`, `!ref pets#name`, `!GetAtt pets.name`. */
const referring = /^!(?:ref|reference|getatt)$/i;

/** A reference needs no tag here. */
function referenceHint({ tag = '', ...node }: Exclude<YamlNode, YamlAlias>): string | undefined {
  const written = node.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
  if (!referring.test(tag) || written === undefined) return undefined;
  const [, target = '', field = 'id'] = /^([^#.]+)(?:[#.](.+))?$/.exec(written) ?? [];
  return `A reference is written \${${target === '' ? 'KEY' : target}.${field}}, without a tag.`;
}
