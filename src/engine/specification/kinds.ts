import type { Validator } from '../../generated/validators.js';
import type { JsonObject } from '../model/value.js';

/** A kind of specification with the rules of its official schema. */
export interface SpecificationKind {
  readonly name: string;
  /** Which values of the member at its top mean it. */
  readonly member: 'openapi' | 'swagger' | 'asyncapi';
  readonly version: RegExp;
  /** Members that the schema wants exactly so, for any release that it stands for. */
  readonly read?: JsonObject;
  readonly load: () => Promise<{ readonly default: Validator }>;
}

const kinds: readonly SpecificationKind[] = [
  {
    name: 'OpenAPI 2',
    member: 'swagger',
    version: /^2\.0$/,
    load: () => import('../../generated/specifications/openapi-2.js'),
  },
  {
    name: 'OpenAPI 3.0',
    member: 'openapi',
    version: /^3\.0\./,
    load: () => import('../../generated/specifications/openapi-3.0.js'),
  },
  {
    name: 'OpenAPI 3.1',
    member: 'openapi',
    version: /^3\.1\./,
    load: () => import('../../generated/specifications/openapi-3.1.js'),
  },
  {
    name: 'AsyncAPI 2',
    member: 'asyncapi',
    version: /^2\./,
    read: { asyncapi: '2.6.0' },
    load: () => import('../../generated/specifications/asyncapi-2.js'),
  },
  {
    name: 'AsyncAPI 3',
    member: 'asyncapi',
    version: /^3\./,
    read: { asyncapi: '3.0.0' },
    load: () => import('../../generated/specifications/asyncapi-3.js'),
  },
];

export function kindOf(document: JsonObject): SpecificationKind | undefined {
  return kinds.find(({ member, version }) => version.test(String(document[member] ?? '')));
}
