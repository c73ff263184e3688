import { defined } from '@platform-sync/core/model/value';
import type { Expression, MapEntry } from '@platform-sync/core/model/expression';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import type { BuildContext } from '../read/build-context.js';
import { describeKind, mapEntries } from '../read/shape.js';
import { encodeExpression } from '../build/meaning.js';
import { isUnset } from '../read/overlay.js';
import { didYouMean } from '@platform-sync/core/model/nearest';

const parameterTypes = ['string', 'number', 'boolean', 'list', 'map'] as const;
export type ParameterType = (typeof parameterTypes)[number];

/** What sync.yaml says about one parameter. */
export interface Parameter {
  readonly name: string;
  readonly at: SourceRange;
  /** Undefined where it is none that there is (reported): then every value has it. */
  readonly type: ParameterType | undefined;
  readonly secret: boolean;
  readonly default?: Expression;
  readonly allowed?: readonly Expression[];
}

/** The variable that gives a parameter: `api-region` → `SYNC_VAR_API_REGION`. */
export function variableNameOf(name: string): string {
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
export function refuseLiteralSecret(value: Expression, { name, secret }: Parameter, context: BuildContext): void {
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
export function fits(value: Expression, parameter: Parameter, what: string, context: BuildContext): boolean {
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
    hint: given === undefined ? undefined : didYouMean(given, names),
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
