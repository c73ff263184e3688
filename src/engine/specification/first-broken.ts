import type { ValidationError } from '../../generated/validators.js';

/** Rules that only say that one of several others is broken. */
const whole = new Set(['oneOf', 'anyOf', 'allOf', 'if', 'not', '$ref', 'dependentSchemas']);

/** The place that is wrong, and what of it: of several forms that were tried, the one that fits furthest. */
export function firstBroken(errors: readonly ValidationError[]): string {
  const told = errors.filter(({ keyword, params }) => !whole.has(keyword) && params['missingProperty'] !== '$ref');
  const [first] = [...(told.length > 0 ? told : errors)].sort((a, b) => depth(b) - depth(a));
  if (first === undefined) return 'a rule is broken';
  return `${first.instancePath === '' ? 'at its top' : `at ${first.instancePath}`}, ${words(first)}`;
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
