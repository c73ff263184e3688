import type { RuleCode } from '@platform-sync/core/generated/codes';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { didYouMean } from '@platform-sync/core/model/nearest';
import type { Action } from '@platform-sync/core/model/plan';
import type { RuleText } from '@platform-sync/core/model/project';
import { defined, ownMember } from '@platform-sync/core/model/value';
import { Problems } from '@platform-sync/catalogue/problem/problems';
import type { SourceFiles } from '@platform-sync/catalogue/read/file-texts';
import type { YamlNode, YamlScalar } from '@platform-sync/catalogue/read/yaml-events';
import { foreignDocuments } from '@platform-sync/catalogue/sources/foreign-yaml';
import type { CelFault } from './cel.js';

/** How much weight a rule has: a word, a question that needs a reason, or the end of it. */
export type RuleLevel = 'advise' | 'warn' | 'deny';

/** Which steps a rule is about; absent: of any type, action or address. */
export interface RuleMatch {
  readonly types?: ReadonlySet<string>;
  readonly actions?: ReadonlySet<string>;
  readonly isAt?: (address: string) => boolean;
}

/** What a document says of one rule: its expressions are not read yet. */
export interface RuleDraft {
  readonly node: YamlNode;
  /** Empty: it has none, which is told. */
  readonly name: string;
  readonly level: RuleLevel | undefined;
  readonly match: RuleMatch;
  /** It is asked of each step, whatever its expressions name. */
  readonly isOfSteps: boolean;
  readonly conditions: readonly Named[];
  readonly variables: readonly Named[];
  readonly expression: YamlNode | undefined;
  readonly message: string | undefined;
  readonly messageExpression: YamlNode | undefined;
}

export const actions: readonly Action[] = [
  ...(['create', 'update', 'replace', 'delete', 'forget', 'adopt', 'move', 'options'] as const),
];

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A name and an expression, as `variables` and `matchConditions` have them. */
export interface Named {
  readonly name: string;
  readonly expression: YamlNode;
}

type NodeMembers = ReadonlyMap<string, YamlNode>;

/** One file of rules as YAML: gives what stands where, and tells what is wrong at its place. */
export class RuleNodes {
  readonly file: string;
  readonly #text: string;
  readonly #sources: SourceFiles;
  readonly #syntax = new Problems();
  readonly #found: Diagnostic[] = [];

  constructor({ file, text }: RuleText, sources: SourceFiles) {
    sources.add(file, text);
    this.file = file;
    this.#text = text;
    this.#sources = sources;
  }

  diagnostics(): readonly Diagnostic[] {
    return [...this.#syntax.diagnostics(this.#sources), ...this.#found];
  }

  /** None: the syntax is broken, and told. */
  documents(): readonly YamlNode[] | undefined {
    return foreignDocuments(this.file, this.#text, { problems: this.#syntax });
  }

  /** `policies/owner.yaml:3`. */
  placeText({ start, end }: Range): string {
    return `${this.file}:${this.#sources.place({ file: this.file, start, end }).line}`;
  }

  /** The members of a map by name; what it may not have is told, with what is to be said instead where that is known. */
  members(
    node: YamlNode,
    what: string,
    known: readonly string[],
    instead: Readonly<Record<string, string>> = {},
  ): NodeMembers | undefined {
    if (node.kind !== 'map') {
      this.wrong(node, `${what} is a map.`, `It has ${known.join(', ')}.`);
      return undefined;
    }
    const found = new Map<string, YamlNode>();
    for (const { key, value } of node.pairs) {
      if (key?.kind !== 'scalar') continue;
      const { text } = key;
      const other = ownMember(instead, text);
      if (found.has(text)) this.wrong(key, `"${text}" stands here twice.`, 'Take one of them out.');
      else if (known.includes(text)) {
        if (value !== undefined) found.set(text, value);
      } else if (other === undefined || !saysNothing(value))
        this.wrong(key, `${what} has no "${text}".`, other ?? didYouMean(text, known) ?? `It has ${known.join(', ')}.`);
    }
    return found;
  }

  items(node: YamlNode | undefined, of: string): readonly YamlNode[] {
    if (node === undefined || isNull(node)) return [];
    if (node.kind === 'list') return node.items;
    this.wrong(node, `"${of}" is a list.`, 'Write each item behind a dash.');
    return [];
  }

  /** The texts of a list. */
  texts(node: YamlNode | undefined, of: string): readonly YamlScalar[] {
    return this.items(node, of).filter(isText);
  }

  named(node: YamlNode | undefined, of: string): readonly Named[] {
    return this.items(node, of).flatMap((item): readonly Named[] => {
      const members = this.members(item, `An item of "${of}"`, ['name', 'expression']);
      const name = members && this.name(members, 'name', item, /^[A-Za-z_][A-Za-z0-9_.-]*$/);
      const expression = members?.get('expression');
      if (members !== undefined && expression === undefined)
        this.wrong(item, `An item of "${of}" needs an "expression".`, 'expression: CEL, as text');
      return name === undefined || expression === undefined ? [] : [{ name, expression }];
    });
  }

  name(members: NodeMembers, name: string, of: YamlNode, pattern: RegExp): string | undefined {
    const text = this.plainText(members.get(name), name);
    if (text !== undefined && pattern.test(text)) return text;
    const hint = 'A rule is called by small letters, digits, "-" and ".": owner-label';
    if (text !== undefined) this.wrong(members.get(name) ?? of, `"${text}" is no name.`, hint);
    else if (!members.has(name)) this.wrong(of, `"${name}" is missing.`, hint);
    return undefined;
  }

  plainText(node: YamlNode | undefined, name: string): string | undefined {
    if (node === undefined) return undefined;
    if (isText(node)) return node.text;
    this.wrong(node, `"${name}" is text.`, 'Put it in quotes.');
    return undefined;
  }

  word<Word extends string>(
    node: YamlNode | undefined,
    name: string,
    known: readonly Word[],
    hint?: string,
  ): Word | undefined {
    if (node === undefined) return undefined;
    const found = isText(node) ? known.find((word) => word === node.text) : undefined;
    if (found === undefined)
      this.wrong(
        node,
        `"${name}" is one of ${known.join(', ')}.`,
        hint ?? (isText(node) ? didYouMean(node.text, known) : undefined) ?? 'Write one of these words.',
      );
    return found;
  }

  wrong(at: Range, summary: string, hint?: string): void {
    this.#tell('policy-rule', at, summary, hint);
  }

  /** What is wrong in an expression, where it is. */
  atFault(node: YamlScalar, { message, hint, start, end }: CelFault): void {
    const at = { start: offsetIn(this.#text, node, start), end: offsetIn(this.#text, node, end) };
    this.#tell('policy-expression', at, `${message.replace(/\.$/, '')}.`, hint ?? isCel);
  }

  #tell(code: RuleCode, { start, end }: Range, summary: string, hint: string | undefined): void {
    const place = this.#sources.place({ file: this.file, start, end });
    this.#found.push({ severity: 'error', code, summary, ...defined({ hint }), place });
  }
}

const isCel = 'Expressions are CEL (https://cel.dev), over what the page on policies lists.';

export function isText(node: YamlNode): node is YamlScalar {
  return node.kind === 'scalar';
}

function isNull(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

/** What a program writes out although it says nothing: `{}`, `[]`, `null`. */
function saysNothing(node: YamlNode | undefined): boolean {
  if (node === undefined || isNull(node)) return true;
  return (node.kind === 'map' && node.pairs.length === 0) || (node.kind === 'list' && node.items.length === 0);
}

/** Where a character of a scalar's value stands in the file: white space may be another, signs are the same, in the same order. */
function offsetIn(text: string, node: YamlScalar, offset: number): number {
  const written = text.slice(node.start, node.end);
  const head = /^(?:[|>][^\n]*\n|["'])/.exec(written)?.[0].length ?? 0;
  const wanted = node.text.slice(0, offset).replace(/\s/g, '').length;
  let seen = 0;
  let at = head;
  for (; at < written.length; at += 1) {
    if (/\s/.test(written[at] ?? '')) continue;
    if (seen === wanted) break;
    seen += 1;
    if ((written.startsWith("''", at) && written[0] === "'") || (written.startsWith('\\"', at) && written[0] === '"'))
      at += 1;
  }
  return node.start + Math.min(at, written.length);
}
