import { literalOf, type Expression, type MapEntry } from '@platform-sync/core/model/expression';
import { didYouMean } from '@platform-sync/core/model/nearest';
import type { ParameterSettings } from '@platform-sync/core/model/project';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import { readJson } from '@platform-sync/core/model/read-json';
import { isObject, type Json, ownMember } from '@platform-sync/core/model/value';
import { brokenValue, type BuildContext } from '../read/build-context.js';
import { reportUnsetVariable } from '../read/functions.js';
import { secretExpressionOf } from '../read/hidden-content.js';
import { mapEntries, type Entries } from '../read/shape.js';
import { isUnset } from '../read/overlay.js';
import { Problems } from '../problem/problems.js';
import { fits, refuseLiteralSecret, variableNameOf, type Parameter, type ParameterType } from './parameters.js';
import { plainValue } from './plain-value.js';

type Parameters = ReadonlyMap<string, Parameter>;

/** Environment variables that are not set, by what stands for their values. */
export type UnsetVariables = ReadonlyMap<Expression, { readonly name: string; readonly at: SourceRange }>;

/** Values that whoever runs this gives, beside the environment. */
interface GivenValues {
  /** Name → text (`--var`). */
  readonly vars: Readonly<Record<string, string>>;
  /** Entries of files (`--var-file`), later ones over earlier ones. */
  readonly files: readonly Entries[];
  /** False: a name that is not declared is nobody's mistake (another commit is read). */
  readonly mustBeDeclared: boolean;
}

/** A stack's `parameters:`, checked; those that fit nothing are left out. */
export function stackValues(block: Entries, stack: string, declared: Parameters, context: BuildContext): Entries {
  const value = block.get('parameters')?.value;
  const entries =
    value === undefined ? new Map<string, MapEntry>() : mapEntries(value, `"parameters" of ${stack}`, context);
  return declaredOnly(entries, declared, true, context, (entry, parameter) => {
    refuseLiteralSecret(entry.value, parameter, context);
    return fits(entry.value, parameter, `The parameter ${parameter.name} of the stack ${stack}`, context);
  });
}

/** The entries of a file of values, checked. */
function fileValues(entries: Entries, declared: Parameters, mustBeDeclared: boolean, context: BuildContext): Entries {
  const hidden = [...entries].map(([name, entry]): [string, MapEntry] => {
    const parameter = declared.get(name);
    return [name, parameter?.secret === true ? { ...entry, value: asSecret(entry.value, parameter, context) } : entry];
  });
  return declaredOnly(new Map(hidden), declared, mustBeDeclared, context, (entry, parameter) =>
    fits(entry.value, parameter, `The parameter ${parameter.name}`, context),
  );
}

function declaredOnly(
  entries: Entries,
  declared: Parameters,
  mustBeDeclared: boolean,
  context: BuildContext,
  isGood: (entry: MapEntry, parameter: Parameter) => boolean,
): Entries {
  return new Map(
    [...entries].filter(([name, entry]) => {
      const parameter = declared.get(name);
      if (parameter === undefined && mustBeDeclared) reportUndeclared(name, entry.key, declared, context);
      return parameter !== undefined && !isUnset(entry.value) && isGood(entry, parameter);
    }),
  );
}

/**
 * The value of every parameter: from `--var`, else `--var-file`, else SYNC_VAR_…, else the stack, else its default. What has none is
 * told where the values are needed: what only looks at state needs none.
 */
export function chooseValues(
  declared: Parameters,
  stack: { readonly name: string; readonly values: Entries },
  given: GivenValues,
  unset: UnsetVariables,
  context: BuildContext,
): ParameterSettings {
  for (const name of given.mustBeDeclared ? Object.keys(given.vars) : [])
    if (!declared.has(name)) reportUndeclared(name, undefined, declared, context);
  const files = given.files.map((entries) => fileValues(entries, declared, given.mustBeDeclared, context));
  const problems = new Problems();
  const late: BuildContext = { ...context, problems };
  const values = new Map<string, Expression | undefined>();
  const origins = new Map<string, string>();
  for (const [name, parameter] of declared) {
    const placeOf = (value: Expression | undefined): Candidate => {
      const at = value && context.sources.place(value.at);
      return [value, at === undefined ? '' : `${at.file}:${String(at.line)}`];
    };
    const candidates: readonly (() => Candidate)[] = [
      () => [byVar(parameter, given, late), '--var'],
      () => placeOf(files.findLast((entries) => entries.has(name))?.get(name)?.value),
      () => [byVariable(parameter, late), variableNameOf(name)],
      () => placeOf(stack.values.get(name)?.value),
      () => placeOf(parameter.default),
    ];
    const [value, origin] = firstOf(candidates);
    values.set(name, value === undefined ? undefined : usable(value, parameter, unset, late));
    if (value !== undefined) origins.set(name, origin);
    if (value === undefined) reportMissing(parameter, stack.name, late);
  }
  return { values, origins, problems: problems.diagnostics(context.sources) };
}

/** A value there may be, and what would give it. */
type Candidate = readonly [value: Expression | undefined, origin: string];

/** Those behind the first that there is are not looked at. */
function firstOf(candidates: readonly (() => Candidate)[]): Candidate {
  for (const candidate of candidates) {
    const found = candidate();
    if (found[0] !== undefined) return found;
  }
  return [undefined, ''];
}

/** Undefined where an environment variable is not set, which is told. */
function usable(
  value: Expression,
  parameter: Parameter,
  unset: UnsetVariables,
  context: BuildContext,
): Expression | undefined {
  const missing = plainValue(value, context).used.flatMap((part) => unset.get(part) ?? []);
  for (const { name, at } of missing) reportUnsetVariable(name, at, context);
  if (missing.length > 0 || context.broken.has(value)) return undefined;
  return parameter.secret ? asSecret(value, parameter, context) : value;
}

function asSecret(value: Expression, { name }: Parameter, context: BuildContext): Expression {
  return value.kind === 'secret' || isUnset(value)
    ? value
    : secretExpressionOf(value, `param.${name}`, value.at, context);
}

function byVar(parameter: Parameter, { vars }: GivenValues, context: BuildContext): Expression | undefined {
  const text = Object.hasOwn(vars, parameter.name) ? vars[parameter.name] : undefined;
  if (text === undefined) return undefined;
  if (parameter.secret) {
    context.problems.add('literal-secret', parameter.at, `The parameter ${parameter.name} is secret: --var shows it.`, {
      detail: 'Every process of the machine sees command lines, and shells keep them.',
      hint: `Set ${variableNameOf(parameter.name)}, or write it into a --var-file.`,
    });
    return brokenValue(context, parameter.at);
  }
  return fromText(text, parameter, `The parameter ${parameter.name}, given by --var,`, context);
}

function byVariable(parameter: Parameter, context: BuildContext): Expression | undefined {
  const name = variableNameOf(parameter.name);
  const text = ownMember(context.env, name);
  if (text === undefined) return undefined;
  const { secret, at } = parameter;
  // Of a secret nobody asks whether it is a number, or one of a list.
  if (secret && context.rules?.hide !== undefined)
    return asSecret({ kind: 'literal', value: text, at }, parameter, context);
  return fromText(text, parameter, `The parameter ${parameter.name}, given by ${name},`, context);
}

/** A value given as text. It has no place but that of the parameter. */
function fromText(text: string, parameter: Parameter, what: string, context: BuildContext): Expression {
  const { at, type = 'string' } = parameter;
  const value = parseText(text, type);
  if (value === undefined) {
    const given = parameter.secret ? '' : `, not "${text}"`;
    const form = type === 'list' || type === 'map' ? `a ${type} as JSON` : `a ${type}`;
    context.problems.add('bad-parameter', at, `${what} must be ${form}${given}.`);
    return brokenValue(context, at);
  }
  const expression = literalOf(value, at);
  return fits(expression, parameter, what, context) ? expression : brokenValue(context, at);
}

function parseText(text: string, type: ParameterType): Json | undefined {
  if (type === 'string') return text;
  try {
    const value = readJson(text);
    const found = Array.isArray(value) ? 'list' : isObject(value) ? 'map' : typeof value;
    return found === type ? value : undefined;
  } catch {
    return undefined;
  }
}

function reportMissing(parameter: Parameter, stack: string, { problems }: BuildContext): void {
  const { name, secret } = parameter;
  const variable = variableNameOf(name);
  problems.add('missing-parameter', parameter.at, `The parameter ${name} has no value for the stack ${stack}.`, {
    hint: secret
      ? `Set ${variable}, give it in a file with --var-file, or write !env NAME under stacks.${stack}.parameters in sync.yaml.`
      : `Give it with --var ${name}=…, in a file with --var-file, as ${variable}, under stacks.${stack}.parameters in sync.yaml, or give it a default.`,
  });
}

function reportUndeclared(
  name: string,
  at: SourceRange | undefined,
  declared: Parameters,
  { problems }: BuildContext,
): void {
  problems.add('unknown-parameter', at, `sync.yaml declares no parameter "${name}".`, {
    hint: didYouMean(name, declared.keys()) ?? knownParameters(declared.keys()),
  });
}

/** What to say where no name is near. */
function knownParameters(names: Iterable<string>): string {
  const known = [...names];
  return known.length === 0
    ? 'It declares none: they stand under "parameters".'
    : `Parameters are ${known.join(', ')}.`;
}
