import { defined, isObject, type Json, ownMember } from '@platform-sync/core/model/value';
import { type Expression, literalOf, type MapEntry } from '@platform-sync/core/model/expression';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import { brokenValue, type BuildContext } from '../read/build-context.js';
import { describeKind, type Entries, mapEntries } from '../read/shape.js';
import { encodeExpression } from '../build/meaning.js';
import { isUnset } from '../read/overlay.js';
import { meant } from '../problem/advice.js';
import type { ParameterSettings } from '@platform-sync/core/model/project';
import { readJson } from '@platform-sync/core/model/read-json';
import { reportUnsetVariable, secretExpressionOf } from '../read/functions.js';
import { Problems } from '../problem/problems.js';
import { plainValue } from './plain-value.js';

const parameterTypes = ['string', 'number', 'boolean', 'list', 'map'] as const;
type ParameterType = (typeof parameterTypes)[number];

/** What sync.yaml says about one parameter. */
interface Parameter {
  readonly name: string;
  readonly at: SourceRange;
  /** Undefined where it is none that there is (reported): then every value has it. */
  readonly type: ParameterType | undefined;
  readonly secret: boolean;
  readonly default?: Expression;
  readonly allowed?: readonly Expression[];
}

/** The variable that gives a parameter: `api-region` → `SYNC_VAR_API_REGION`. */
function variableNameOf(name: string): string {
  return `SYNC_VAR_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** `parameters:` of sync.yaml. */
export function readParameters(value: Expression | undefined, context: BuildContext): ReadonlyMap<string, Parameter> {
  const found = new Map<string, Parameter>();
  const variables = new Map<string, Parameter>();
  for (const [name, entry] of value === undefined ? [] : mapEntries(value, '"parameters"', context)) {
    const parameter = readParameter(name, entry, context);
    const other = variables.get(variableNameOf(name));
    if (other !== undefined) {
      context.problems.add('duplicate-name', entry.key, `${variableNameOf(name)} would give two parameters.`, {
        hint: `Rename ${name} or ${other.name}.`,
        related: [{ at: other.at, message: 'the other one' }],
      });
    }
    variables.set(variableNameOf(name), parameter);
    found.set(name, parameter);
  }
  return found;
}

/** What breaks a rule of the schema is reported there, and says nothing here. */
function readParameter(name: string, { key, value }: MapEntry, context: BuildContext): Parameter {
  const of = (part: string): Expression | undefined =>
    value.kind === 'map' ? value.entries.get(part)?.value : undefined;
  const [type, secret, fallback, allowed] = [of('type'), of('secret'), of('default'), of('allowed')];
  const parameter = {
    name,
    at: key,
    type: type === undefined ? 'string' : parameterTypes.find((one) => type.kind === 'literal' && one === type.value),
    secret: secret?.kind === 'literal' && secret.value === true,
  };
  const values = allowed?.kind === 'list' ? allowed.items : undefined;
  for (const item of values ?? []) fits(item, parameter, `An allowed value of ${name}`, context);
  const whole: Parameter = { ...parameter, ...defined({ allowed: values }) };
  if (fallback === undefined || isUnset(fallback)) return whole;
  refuseLiteralSecret(fallback, whole, context);
  return fits(fallback, whole, `The default of ${name}`, context) ? { ...whole, default: fallback } : whole;
}

/** A secret parameter takes its value from the environment: files end up in version control. */
function refuseLiteralSecret(value: Expression, { name, secret }: Parameter, context: BuildContext): void {
  if (!secret || value.kind === 'secret' || isUnset(value) || context.broken.has(value)) return;
  context.sources.hide(value.at);
  context.problems.add('literal-secret', value.at, `The parameter ${name} is secret and stands in plain text.`, {
    detail: 'Files end up in version control.',
    hint: `Write !env NAME, or leave it out and set ${variableNameOf(name)}.`,
  });
}

/**
 * Whether a value is one of a parameter, reported as `what` when it is not. Values hold no references and call no
 * functions but those of the environment.
 */
function fits(value: Expression, parameter: Parameter, what: string, context: BuildContext): boolean {
  if (context.broken.has(value)) return true;
  const plain = withoutSecret(value);
  if (isHole(plain)) return true;
  const isHidden = parameter.secret || plain !== value;
  if (isHidden) context.sources.hide(value.at);
  if (!isPlain(plain)) {
    const summary = `${what} must be a plain value, without references and functions other than !env.`;
    context.problems.add('bad-parameter', value.at, summary);
    return false;
  }
  if (parameter.type !== undefined && typeOfValue(plain) !== parameter.type) {
    const summary = `${what} must be a ${parameter.type}, not ${describeKind(plain)}.`;
    const isScalar = plain.kind === 'literal' && plain.value !== null;
    const quoted = parameter.type === 'string' && isScalar && !isHidden;
    const hint = quoted ? `Quote it: "${context.sources.slice(plain.at).trim()}"` : undefined;
    context.problems.add('bad-parameter', value.at, summary, { hint });
    return false;
  }
  return isAllowed(plain, parameter, isHidden, what, context);
}

function isAllowed(
  value: Expression,
  { allowed }: Parameter,
  isHidden: boolean,
  what: string,
  { problems }: BuildContext,
): boolean {
  const form = encodeExpression(value);
  if (allowed === undefined || allowed.some((one) => encodeExpression(one) === form)) return true;
  const names = allowed.map((one) => (one.kind === 'literal' ? String(one.value) : encodeExpression(one)));
  const given = value.kind === 'literal' && !isHidden ? String(value.value) : undefined;
  problems.add('bad-parameter', value.at, `${what} must be one of the allowed values.`, {
    detail: `Allowed are ${names.join(', ')}.`,
    hint: given === undefined ? undefined : meant(given, names),
  });
  return false;
}

/** The value inside `!env` and `!secret`. */
function withoutSecret(value: Expression): Expression {
  return value.kind === 'secret' ? withoutSecret(value.value) : value;
}

/** What is not looked at breaks no rule. */
function isHole(value: Expression): boolean {
  return value.kind === 'literal' && value.hidden === true;
}

function isPlain(value: Expression): boolean {
  switch (value.kind) {
    case 'literal':
      return true;
    case 'list':
      return value.items.every(isPlain);
    case 'map':
      return [...value.entries.values()].every((entry) => isPlain(entry.value));
    case 'secret':
      return isPlain(value.value);
    default:
      return false;
  }
}

function typeOfValue(value: Expression): ParameterType | undefined {
  if (value.kind === 'list' || value.kind === 'map') return value.kind;
  const type = value.kind === 'literal' ? typeof value.value : undefined;
  return parameterTypes.find((one) => one === type);
}

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
    hint: meant(name, declared.keys()) ?? knownParameters(declared.keys()),
  });
}

/** What to say where no name is near. */
function knownParameters(names: Iterable<string>): string {
  const known = [...names];
  return known.length === 0
    ? 'It declares none: they stand under "parameters".'
    : `Parameters are ${known.join(', ')}.`;
}
