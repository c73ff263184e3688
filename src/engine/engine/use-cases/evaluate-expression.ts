import type { Evaluated, EvaluatedPart } from '../api.js';
import { discoverFiles } from '@platform-sync/catalogue/read/discover';
import { typed } from '@platform-sync/catalogue/read-files';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { type Diagnostic, hasErrors, type SourceRange } from '@platform-sync/core/model/diagnostic';
import {
  type Expression,
  type PathSegment,
  type ReferenceExpression,
  visitExpression,
} from '@platform-sync/core/model/expression';
import { ProviderError } from '@platform-sync/core/model/provider';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { defined, type Json, type JsonObject, secret, unknown, type Value } from '@platform-sync/core/model/value';
import { evaluate, type EvaluationScope, lookupKey, writtenScope } from '@platform-sync/core/resolve/evaluate';
import { type LookupCall, lookupFailure } from '@platform-sync/core/resolve/lookup-call';
import type { Seals } from '@platform-sync/core/value/seal';
import {
  expressionOf,
  hasSealed,
  isSealedByParts,
  withSealedParts,
  withSecretParts,
} from '@platform-sync/core/value/secret-parts';
import { sealsOf } from '../sealed-state.js';
import type { Workspace } from '../workspace.js';

/** What a typed expression stands for, and what its parts do. */
export async function evaluateExpression(
  workspace: Workspace,
  { asks }: { readonly asks: boolean },
): Promise<Evaluated> {
  const { desired, diagnostics } = await workspace.catalogue();
  const told = diagnostics.map(withoutTypedPlace);
  const expression = desired?.outputs.get(typed.output);
  if (desired === undefined || expression === undefined) return { parts: [], lookups: [], diagnostics: told };
  const overlays = new Set((await discoverFiles(workspace.config.root, workspace.config.overlays ?? [])).files);
  const known = await knownNow(workspace, asks);
  const { scope, waiting } = scopeOf(workspace, desired, known);
  let value = evaluate(expression, scope);
  const parts = new Parts(workspace, desired, scope, overlays, (each) => shown(each, known.seals));
  parts.add(expression);
  while (asks && waiting.size > 0) {
    const failed = await answered(workspace, desired, waiting, known.answers);
    if (failed.length > 0) return { parts: [], lookups: parts.lookups, diagnostics: failed.map(withoutTypedPlace) };
    waiting.clear();
    value = evaluate(expression, scope);
  }
  const found = asks ? parts.again(expression) : parts.found;
  return {
    ...{ value: shown(value, known.seals), parts: found, lookups: parts.lookups },
    diagnostics: [...told.filter((each) => hasErrors([each])), ...workspace.warnings],
  };
}

/** What it takes beyond the files. */
interface Known {
  readonly recorded: ReadonlyMap<string, RecordedResource>;
  readonly seals: Seals;
  readonly answers: Map<string, JsonObject>;
}

async function knownNow(workspace: Workspace, asks: boolean): Promise<Known> {
  const stored = asks && workspace.hasState ? await (await workspace.state()).read() : undefined;
  const seals = sealsOf(stored ?? { fingerprintKey: '' }, workspace.redactor, workspace.isUnderReview);
  return { recorded: stored?.resources ?? new Map<string, RecordedResource>(), seals, answers: new Map() };
}

/** What files say, else what is recorded; lookups that have no answer yet are waited for. */
function scopeOf(
  { typeOf }: Workspace,
  desired: DesiredState,
  { recorded, seals, answers }: Known,
): { readonly scope: EvaluationScope; readonly waiting: Map<string, LookupCall> } {
  const waiting = new Map<string, LookupCall>();
  const written = writtenScope(desired, (address) => recorded.get(address)?.identity);
  const scope: EvaluationScope = {
    property: (address, name, text) => {
      const resource = desired.resources.get(address);
      const expression = name === 'id' ? undefined : resource?.properties.get(name);
      if (expression !== undefined) return asField(evaluate(expression, scope), typeOf(resource?.type ?? ''), name);
      if (name === 'id') return written.property(address, name, text);
      const value = recorded.get(address)?.outputs[name];
      if (value === undefined) return recorded.has(address) ? null : unknown([text]);
      return hasSealed(value) ? secret(value, expressionOf(value, name)) : value;
    },
    variable: (name) => {
      const expression = desired.variables.get(name);
      return expression === undefined ? null : evaluate(expression, scope);
    },
    lookup: (call) => {
      const key = lookupKey(call.token, call.args, canonicalJson);
      const answer = answers.get(key);
      if (answer !== undefined) return seals.answer(answer, `!lookup ${call.token}`);
      waiting.set(key, call);
      return unknown([`lookup ${call.token}`]);
    },
  };
  return { scope, waiting };
}

/** A value with what its field keeps secret marked as such. */
function asField(value: Value, { fields }: ReturnType<Workspace['typeOf']>, name: string): Value {
  const rule = fields[name];
  if (rule === undefined) return value;
  if (rule.secret) return secret(value, expressionOf(value, name));
  if (!isSealedByParts(rule)) return value;
  return withSecretParts(rule, value, [], (part) => secret(part.value, part.expression));
}

async function answered(
  workspace: Workspace,
  desired: DesiredState,
  waiting: ReadonlyMap<string, LookupCall>,
  answers: Map<string, JsonObject>,
): Promise<readonly Diagnostic[]> {
  for (const [key, call] of waiting) {
    try {
      answers.set(key, await workspace.catalogueLookup(call));
    } catch (error) {
      const failure = lookupFailure(error, call, desired.sources);
      if (failure instanceof ProviderError) return failure.diagnostics;
      throw failure;
    }
  }
  return [];
}

/** As it is told: of a secret only its words. */
function shown(value: Value, seals: Seals): Json {
  const words = withSealedParts(seals.output(value), ({ $secret: { expression } }) => ({ $secret: { expression } }));
  return words as Json;
}

type Origin = Pick<EvaluatedPart, 'from' | 'place'>;

/** The parts of an expression, those of what it names included. */
class Parts {
  found: EvaluatedPart[] = [];
  readonly #seen = new Set<string>();
  readonly #lookups = new Set<string>();
  readonly #workspace: Workspace;
  readonly #desired: DesiredState;
  readonly #scope: EvaluationScope;
  readonly #overlays: ReadonlySet<string>;
  readonly #shown: (value: Value) => Json;

  constructor(
    workspace: Workspace,
    desired: DesiredState,
    scope: EvaluationScope,
    overlays: ReadonlySet<string>,
    shownAs: (value: Value) => Json,
  ) {
    this.#workspace = workspace;
    this.#desired = desired;
    this.#scope = scope;
    this.#overlays = overlays;
    this.#shown = shownAs;
  }

  get lookups(): readonly string[] {
    return [...this.#lookups];
  }

  /** The same once more is known. */
  again(expression: Expression): readonly EvaluatedPart[] {
    this.#seen.clear();
    this.found = [];
    this.add(expression);
    return this.found;
  }

  add(expression: Expression, depth = 0): void {
    visitExpression(expression, {
      reference: (each) => this.#reference(each, depth),
      lookup: (each) => {
        this.#lookups.add(each.function);
        const text = `!lookup ${each.function}`;
        this.#part(`${text} ${each.at.file} ${String(each.at.start)}`, {
          ...{ text, from: 'lookup', ...this.#place(each.at), depth },
          value: this.#shown(evaluate(each, this.#scope)),
        });
      },
      secret: (text) => {
        if (!text.startsWith('!env ')) return;
        this.#part(text, { text, from: 'environment', value: { $secret: { expression: text } }, depth });
      },
    });
  }

  #reference(reference: ReferenceExpression, depth: number): void {
    const text = `\${${reference.text}}`;
    const declared = this.#declared(reference);
    const value = this.#shown(evaluate(reference, this.#scope));
    const isNew = this.#part(text, { text, ...this.#origin(reference, declared), value, depth });
    if (isNew && declared !== undefined && reference.target !== 'param') this.add(declared, depth + 1);
  }

  #part(key: string, part: EvaluatedPart): boolean {
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    this.found.push(part);
    return true;
  }

  /** What the files say of it; undefined for what the platform says. */
  #declared({ to, target, path }: ReferenceExpression): Expression | undefined {
    const { variables, resources } = this.#desired;
    if (to === 'variable') return memberAt(variables.get(target), path);
    const [name = 'id', ...rest] = path;
    return name === 'id' ? undefined : memberAt(resources.get(target)?.properties.get(String(name)), rest);
  }

  #origin({ to, target, path }: ReferenceExpression, declared: Expression | undefined): Origin {
    if (to === 'variable' && target === 'param')
      return {
        from: 'parameter',
        ...defined({ place: this.#workspace.config.parameters?.origins.get(String(path[0])) }),
      };
    if (to === 'variable' && (target === 'project' || target === 'stack')) return { from: 'settings' };
    if (declared === undefined) return { from: 'state' };
    return { from: this.#overlays.has(declared.at.file) ? 'overlay' : 'file', ...this.#place(declared.at) };
  }

  #place(at: SourceRange): Pick<EvaluatedPart, 'place'> {
    if (at.file === typed.file) return {};
    const { file, line } = this.#desired.sources.place(at);
    return { place: `${file}:${String(line)}` };
  }
}

/** The part of an expression that a path leads to, or the last one on the way that has a place. */
function memberAt(expression: Expression | undefined, path: readonly PathSegment[]): Expression | undefined {
  let found = expression;
  for (const segment of path) {
    const inside: Expression | undefined =
      found?.kind === 'map'
        ? found.entries.get(String(segment))?.value
        : found?.kind === 'list'
          ? found.items[Number(segment)]
          : undefined;
    if (inside === undefined) return found;
    found = inside;
  }
  return found;
}

/** What was typed stands in no file. */
function withoutTypedPlace({ place, ...diagnostic }: Diagnostic): Diagnostic {
  return place === undefined || place.file === typed.file ? diagnostic : { ...diagnostic, place };
}
