import { pointerKeys } from '@platform-sync/core/model/json-pointer';
import type { ValidationError } from '@platform-sync/core/model/validator';

/** Rules that only say that one of several others is broken. */
const whole = new Set(['oneOf', 'anyOf', 'allOf', 'if', 'not', '$ref', 'dependentSchemas']);

/** A place in a document that breaks a rule. */
interface BrokenRule {
  /** Names on the way to the value, from the top. */
  readonly path: readonly string[];
  /** The key of it that should not be there. */
  readonly member?: string;
  /** Of the path and the rule: `at /paths, there must be object`. */
  readonly what: string;
}

/** The place that is wrong, and what of it: of several forms that were tried, the one that fits furthest. */
export function firstBroken(errors: readonly ValidationError[]): BrokenRule {
  const told = errors.filter(({ keyword, params }) => !whole.has(keyword) && params['missingProperty'] !== '$ref');
  const [first] = [...(told.length > 0 ? told : errors)].sort((a, b) => depth(b) - depth(a));
  if (first === undefined) return { path: [], what: 'a rule is broken' };
  const { instancePath, params } = first;
  const member = params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['propertyName'];
  return {
    path: pointerKeys(instancePath),
    ...(typeof member === 'string' && { member }),
    what: `${instancePath === '' ? 'at its top' : `at ${instancePath}`}, ${words(first)}`,
  };
}

function depth({ instancePath }: ValidationError): number {
  return instancePath.split('/').length;
}

function words({ keyword, params }: ValidationError): string {
  switch (keyword) {
    case 'required':
      return `"${String(params['missingProperty'])}" is missing`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `"${String(params['additionalProperty'] ?? params['unevaluatedProperty'])}" is not known`;
    case 'propertyNames':
      return `"${String(params['propertyName'])}" is no name for a member`;
    case 'type':
      return `there must be ${[params['type']].flat().map(String).join(' or ')}`;
    case 'enum':
      return `the value is none of ${[params['allowedValues']].flat().map(String).join(', ')}`;
    case 'const':
      return `the value must be ${JSON.stringify(params['allowedValue'])}`;
    case 'pattern':
      return `the text must match ${String(params['pattern'])}`;
    default:
      return `the rule "${keyword}" is broken`;
  }
}
