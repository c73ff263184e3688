import type { Expression, MapEntry } from '@platform-sync/core/model/expression';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import type { Scalar } from '@platform-sync/core/model/value';
import { brokenValue, type BuildContext } from './build-context.js';
import { callFunction, functionNames, tagFunctions } from './functions.js';
import { type Hint, meant, removing, writing } from '../problem/advice.js';
import type { Entries } from './shape.js';
import { readTemplate } from './template-text.js';
import { isUnset } from './overlay.js';
import {
  eventsFrom,
  maxDepth,
  valueEvents,
  type YamlAlias,
  type YamlEvent,
  type YamlEvents,
  type YamlScalar,
} from './yaml-events.js';

/** Values that aliases may add to a file; an alias bomb multiplies to billions. */
const maxAliasedValues = 1_000_000;

interface Anchored {
  readonly value: Expression;
  readonly size: number;
}

/** What a value that is no alias begins with. */
type YamlValue = Extract<YamlEvent, { readonly tag: string | undefined }>;

/** Turns the events of one YAML document into expressions. */
export class ExpressionReader {
  readonly #file: string;
  readonly #context: BuildContext;
  readonly #anchors = new Map<string, Anchored | 'open'>();
  #depth = 0;
  /** Where the value that was read last ends. */
  #end = 0;
  #size = 0;
  #aliased = 0;

  constructor(file: string, context: BuildContext) {
    this.#file = file;
    this.#context = context;
  }

  /** The next value. */
  read(events: YamlEvents): Expression {
    return this.#value(events.next(), events);
  }

  #value(event: YamlEvent, events: YamlEvents): Expression {
    if (event.kind === 'nothing') return { kind: 'literal', value: null, at: this.#range(event) };
    if (event.kind === 'alias') return this.#alias(event, this.#range(event));
    if (event.kind === 'end') throw new Error('bug: a map or list ends where a value is due');
    if (this.#depth >= maxDepth) return this.#tooDeep(this.#rest(event, events));
    const { anchor } = event;
    const sizeBefore = this.#size++;
    if (anchor !== undefined) this.#anchors.set(anchor, 'open');
    const value = event.tag === undefined ? this.#plain(event, events) : this.#tagged(event.tag, event, events);
    if (anchor !== undefined) this.#anchors.set(anchor, { value, size: this.#size - sizeBefore });
    return value;
  }

  #tooDeep(at: SourceRange): Expression {
    const summary = `Values are nested more than ${String(maxDepth)} levels deep.`;
    this.#context.problems.add('nesting-too-deep', at, summary);
    return this.#broken(at);
  }

  #tagged(tag: string, event: YamlValue, events: YamlEvents): Expression {
    const name = tagFunctions[tag];
    if (name !== undefined) {
      const argument = this.#plain(event, events);
      return callFunction(name, argument, this.#range({ start: event.start, end: this.#end }), this.#context);
    }
    const at = this.#rest(event, events);
    this.#context.problems.add('unknown-tag', at, `There is no tag ${shortTag(tag)}.`, {
      hint:
        referenceHint(tag, event) ??
        meant(tag, Object.keys(tagFunctions)) ??
        `Tags are ${Object.keys(tagFunctions).join(', ')}.`,
    });
    return this.#broken(at);
  }

  /** A value whatever tag and anchor it has; then `#end` is where it ends. */
  #plain(event: YamlValue, events: YamlEvents): Expression {
    if (event.kind === 'scalar') {
      this.#end = event.end;
      return this.#scalar(event.value, this.#range(event));
    }
    this.#depth++;
    const value = event.kind === 'map' ? this.#map(event.start, events) : this.#list(event.start, events);
    this.#depth--;
    return value;
  }

  #list(start: number, events: YamlEvents): Expression {
    const items: Expression[] = [];
    let event = events.next();
    for (; event.kind !== 'end'; event = events.next()) items.push(this.#item(this.#value(event, events)));
    this.#end = event.end;
    // A list that grew has taken room for more than is there.
    return { kind: 'list', items: items.slice(), at: this.#range({ start, end: event.end }) };
  }

  #item(item: Expression): Expression {
    if (!isUnset(item)) return item;
    const summary = '!unset (fn::unset) stands for a key of a map, not for an item of a list.';
    this.#context.problems.add('bad-function-call', item.at, summary, { hint: 'Leave the item out.' });
    return this.#broken(item.at);
  }

  #scalar(value: Scalar, at: SourceRange): Expression {
    if (typeof value === 'string') return readTemplate(value, at, this.#context);
    if (typeof value === 'number' && !Number.isFinite(value)) {
      this.#context.problems.add('wrong-type', at, 'A catalogue cannot hold infinity or not-a-number.');
      return this.#broken(at);
    }
    return { kind: 'literal', value, at };
  }

  #map(start: number, events: YamlEvents): Expression {
    const entries = new Map<string, MapEntry>();
    const merged: Expression[] = [];
    let event = events.next();
    if (event.kind === 'scalar' && event.text.startsWith('fn::')) return this.#call(event, start, events);
    for (; event.kind !== 'end'; event = events.next()) {
      const key = this.#rest(event, events);
      const name = keyName(event);
      if (name === undefined) this.#context.problems.add('bad-key', key, 'A key must be plain text.');
      if (name === '<<' && event.kind === 'scalar' && event.plain) merged.push(this.read(events));
      else if (name === undefined || !this.#isNew(name, key, entries)) this.#rest(events.next(), events);
      else entries.set(name, { key, value: this.read(events) });
    }
    for (const source of merged) this.#merge(entries, source);
    this.#end = event.end;
    return { kind: 'map', entries, at: this.#range({ start, end: event.end }) };
  }

  /** False (reported) for a key that is there already. */
  #isNew(name: string, at: SourceRange, entries: Entries): boolean {
    if (name.startsWith('fn::')) {
      this.#context.problems.add('bad-function-call', at, `${name} can't stand beside other keys.`, {
        hint: 'A map that calls a function has only that key.',
      });
    }
    const earlier = entries.get(name);
    if (earlier === undefined) return true;
    this.#context.problems.add('duplicate-key', at, `The key "${name}" stands twice in one map.`, {
      hint: removing('Remove one of the two; YAML would silently keep only the last.'),
      related: [{ at: earlier.key, message: 'first here' }],
    });
    return false;
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

  /** A map with one key, the name of a function. What stands beside it is not read, nor what calls no function. */
  #call({ text: name, start: from, end: to }: YamlScalar, start: number, events: YamlEvents): Expression {
    const argument = valueEvents(events.next(), events);
    const others = restOfMap(events);
    const at = this.#range({ start, end: others.end });
    const keyAt = this.#range({ start: from, end: to });
    const value = this.#called(name, keyAt, others.count === 0, argument, at);
    this.#end = others.end;
    return value;
  }

  #called(
    name: string,
    key: SourceRange,
    isAlone: boolean,
    argument: readonly YamlEvent[],
    at: SourceRange,
  ): Expression {
    if (!isAlone) {
      this.#context.problems.add('bad-function-call', key, `${name} can't stand beside other keys.`, {
        hint: 'A map that calls a function has only that key.',
      });
      return this.#broken(at);
    }
    if (!functionNames.includes(name)) {
      this.#context.problems.add('unknown-function', key, `There is no function ${name}.`, {
        hint: meant(name, functionNames) ?? `Functions are ${functionNames.join(', ')}.`,
      });
      return this.#broken(at);
    }
    return callFunction(name, this.read(eventsFrom(argument)), at, this.#context);
  }

  /** Passes over what is left of a value that is not to be read; gives its place. */
  #rest(event: YamlEvent, events: YamlEvents): SourceRange {
    if (event.kind === 'scalar') return this.#range(event);
    const last = valueEvents(event, events).at(-1);
    return this.#range({
      start: 'start' in event ? event.start : 0,
      end: last !== undefined && 'end' in last ? last.end : 0,
    });
  }

  #alias({ name }: YamlAlias, at: SourceRange): Expression {
    const anchored = this.#anchors.get(name);
    if (anchored === undefined || anchored === 'open') {
      const summary = anchored === undefined ? `There is no anchor &${name} above this.` : `*${name} contains itself.`;
      this.#context.problems.add('bad-alias', at, summary, {
        hint: anchored === undefined && this.#anchors.size <= 100 ? meant(name, this.#anchors.keys()) : undefined,
      });
      return this.#broken(at);
    }
    const before = this.#aliased;
    this.#aliased += anchored.size;
    this.#size += anchored.size;
    if (this.#aliased <= maxAliasedValues) return anchored.value;
    if (before > maxAliasedValues) return this.#broken(at);
    this.#context.problems.add('alias-bomb', at, 'Aliases multiply to over a million values.', {
      detail: 'Nested aliases turn a small file into a gigantic one.',
      hint: 'Write the values out, or share them through variables.',
    });
    return this.#broken(at);
  }

  #broken(at: SourceRange): Expression {
    return brokenValue(this.#context, at);
  }

  #range({ start, end }: Pick<SourceRange, 'start' | 'end'>): SourceRange {
    return { file: this.#file, start, end };
  }
}

/** Keys are text as written: `1.0: x` is the key "1.0". */
function keyName(event: YamlEvent): string | undefined {
  return event.kind !== 'scalar' || (event.value === null && event.text === '') ? undefined : event.text;
}

/** Passes over the other keys of a map and their values. */
function restOfMap(events: YamlEvents): { readonly count: number; readonly end: number } {
  let count = 0;
  let event = events.next();
  for (; event.kind !== 'end'; event = events.next(), count++) {
    valueEvents(event, events);
    valueEvents(events.next(), events);
  }
  return { count, end: event.end };
}

function shortTag(tag: string): string {
  return tag.replace('tag:yaml.org,2002:', '!!');
}

/** Tags by which other tools refer to an object: `!ref pets`, `!Ref pets`, `!ref pets#name`, `!GetAtt pets.name`. */
const referring = /^!(?:ref|reference|getatt)$/i;

/** A reference needs no tag here. */
function referenceHint(tag: string, event: YamlValue): Hint | undefined {
  const written = event.kind === 'scalar' && typeof event.value === 'string' ? event.value : undefined;
  if (!referring.test(tag) || written === undefined) return undefined;
  const [, target = '', field = 'id'] = /^([^#.]+)(?:[#.](.+))?$/.exec(written) ?? [];
  const text = `A reference is written \${${target === '' ? 'KEY' : target}.${field}}, without a tag.`;
  return target === '' ? text : writing(text, `\${${target}.${field}}`);
}
