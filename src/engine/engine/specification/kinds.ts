import type { Validator } from '@platform-sync/core/model/validator';
import type { Json, JsonObject } from '@platform-sync/core/model/value';

/** A kind of specification with the rules of its official schema. */
export interface SpecificationKind {
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

export function kindOf(document: JsonObject): SaidKind {
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

/** `3` of `openapi: 3.0` without quotes is 3.0. */
function versionText(said: Json): string | undefined {
  if (typeof said === 'number') return Number.isInteger(said) ? `${String(said)}.0` : String(said);
  return typeof said === 'string' && /^\d+(?:\.\d+)*(?:[-+].*)?$/.test(said) ? said : undefined;
}
