import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { Flaw } from './flaw.js';
import { References, type ReferredFiles } from './references.js';
import { SpecificationText } from './text.js';
import { pointerKeys } from '@platform-sync/core/model/json-pointer';
import type { ValidationError, Validator } from '@platform-sync/core/model/validator';

/** What is wrong with a specification: that it can't be read, or the first broken rule and all references that lead nowhere. */
export async function flawsOf(text: string, file: string, files?: ReferredFiles): Promise<readonly Flaw[]> {
  const document = new SpecificationText(file, text);
  const { value, unreadable } = document;
  if (unreadable !== undefined)
    return [{ code: 'no-specification', severity: 'error', ...unreadable, document, path: [] }];
  if (!isObject(value)) return [noSpecification(document, 'is neither YAML nor JSON of a specification')];
  const said = kindOf(value);
  switch (said.is) {
    case 'nothing':
      return [noSpecification(document, 'has no openapi, swagger or asyncapi at its top')];
    case 'no-version':
      return [noSpecification(document, `says no version in ${said.member}`, said.member)];
    case 'unknown-version': {
      const what = `is of a version that is not known here (${said.member}: ${said.version}): its rules are not checked`;
      const path = [said.member];
      const place = document.placeOf(path);
      const flaw: Flaw = { code: 'unknown-specification-version', severity: 'warning', what, place, document, path };
      return [flaw, ...new References(files).check(document)];
    }
    case 'known':
      return [
        ...(await brokenRules(document, value, said.kind, said.isRelease)),
        ...new References(files).check(document),
      ];
  }
}

function noSpecification(document: SpecificationText, what: string, member?: string): Flaw {
  const path = member === undefined ? [] : [member];
  return { code: 'no-specification', severity: 'error', what, place: document.placeOf(path), document, path };
}

async function brokenRules(
  document: SpecificationText,
  value: JsonObject,
  kind: SpecificationKind,
  isRelease: boolean,
): Promise<readonly Flaw[]> {
  const validate = (await kind.load()).default;
  if (validate(isRelease ? { ...value, ...kind.read } : value)) return [];
  // Schemas of another dialect have words of their own.
  const isForeign = !ownDialect.test(String(value['jsonSchemaDialect'] ?? ''));
  const errors = (validate.errors ?? []).filter(({ schemaPath }) => !isForeign || !schemaPath.startsWith(schemaWords));
  if (errors.length === 0) return [];
  const { path, member, what } = firstBroken(errors);
  const place = document.placeOf(path, member);
  const sentence = `is not valid ${kind.name}: ${what}`;
  return [{ code: 'invalid-specification', severity: 'error', what: sentence, place, document, path }];
}

const ownDialect = /^(?:$|https:\/\/spec\.openapis\.org\/oas\/3\.1\/|https:\/\/json-schema\.org\/draft\/2020-12\/)/;
/** Rules of JSON Schema among those of OpenAPI: for schemas that name no dialect of their own. */
const schemaWords = '#/else/properties/';

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
function firstBroken(errors: readonly ValidationError[]): BrokenRule {
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

/** A kind of specification with the rules of its official schema. */
interface SpecificationKind {
  readonly name: string;
  /** Which values of the member at its top mean it. */
  readonly member: 'openapi' | 'swagger' | 'asyncapi';
  readonly version: RegExp;
  /** The releases of it that there are. */
  readonly releases: RegExp;
  /** Members that the schema wants exactly so, for any release that it stands for. */
  readonly read?: JsonObject;
  readonly load: () => Promise<{ readonly default: Validator }>;
}

const kinds: readonly SpecificationKind[] = [
  {
    name: 'OpenAPI 2',
    member: 'swagger',
    version: /^2(?:\.0)?$/,
    releases: /^2\.0$/,
    load: () => import('../generated/specifications/openapi-2.js'),
  },
  {
    name: 'OpenAPI 3.0',
    member: 'openapi',
    version: /^3\.0(?:\.|$)/,
    releases: /^3\.0\.[0-4]$/,
    load: () => import('../generated/specifications/openapi-3.0.js'),
  },
  {
    name: 'OpenAPI 3.1',
    member: 'openapi',
    version: /^3\.1(?:\.|$)/,
    releases: /^3\.1\.[0-2]$/,
    load: () => import('../generated/specifications/openapi-3.1.js'),
  },
  {
    name: 'AsyncAPI 2',
    member: 'asyncapi',
    version: /^2(?:\.|$)/,
    releases: /^2\.[0-6]\.0$/,
    read: { asyncapi: '2.6.0' },
    load: () => import('../generated/specifications/asyncapi-2.js'),
  },
  {
    name: 'AsyncAPI 3',
    member: 'asyncapi',
    version: /^3(?:\.|$)/,
    releases: /^3\.0\.0$/,
    read: { asyncapi: '3.0.0' },
    load: () => import('../generated/specifications/asyncapi-3.js'),
  },
];

const members = ['openapi', 'swagger', 'asyncapi'] as const;

/** What a document says it is. */
type SaidKind =
  | { readonly is: 'known'; readonly kind: SpecificationKind; readonly isRelease: boolean }
  /** A version that no rules are known of. */
  | { readonly is: 'unknown-version'; readonly member: string; readonly version: string }
  | { readonly is: 'no-version'; readonly member: string }
  | { readonly is: 'nothing' };

function kindOf(document: JsonObject): SaidKind {
  const member = members.find((name) => Object.hasOwn(document, name));
  if (member === undefined) return { is: 'nothing' };
  const said = document[member] ?? null;
  const version = versionText(said);
  if (version === undefined) return { is: 'no-version', member };
  const kind = kinds.find((one) => one.member === member && one.version.test(version));
  const isRelease = typeof said === 'string' && kind?.releases.test(said) === true;
  // A version that is written wrong breaks a rule; one that is only newer breaks none that is known.
  const isWrong = typeof said === 'number' || !/^\d+\.\d+\.\d+/.test(version);
  if (kind !== undefined && (isRelease || isWrong)) return { is: 'known', kind, isRelease };
  return { is: 'unknown-version', member, version };
}

/** `3` of `openapi: 3.0` without quotes is 3.0, and so is `'3'`. */
function versionText(said: Json): string | undefined {
  const text = typeof said === 'number' ? String(said) : said;
  if (typeof text !== 'string' || !/^\d+(?:\.\d+)*(?:[-+].*)?$/.test(text)) return undefined;
  return /^\d+$/.test(text) ? `${text}.0` : text;
}
