import type { FieldKind, Naming, RestStyle, WireNames } from '@platform-sync/rest/style';
import { brandedNames, foreignLabelPrefixes, paging, reservedLabelPrefixes } from './wire.js';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import type { FieldType } from '@platform-sync/rest/definition';
import * as rest from '@platform-sync/rest/names';

export { camelCase, snakeCase } from '@platform-sync/rest/names';

const naming: Naming = { rule: 'snake_case', names: brandedNames };

interface FromWireOptions {
  readonly names?: WireNames;
  /** See `rest/names.ts`. */
  readonly fill?: boolean;
}

/** The wire name of a field. */
export function wireName(name: string, names?: WireNames): string {
  return rest.wireName(withNames(names), name);
}

export function toWire(schema: JsonObject, value: Json): Json {
  return rest.toWire(naming, schema, value);
}

export function fromWire(schema: JsonObject, value: Json, { names, fill }: FromWireOptions = {}): Json {
  return rest.fromWire(withNames(names), schema, value, fill);
}

function withNames(names: WireNames | undefined): Naming {
  return names === undefined ? naming : { ...naming, names: { ...brandedNames, ...names } };
}

const visibility: FieldType = {
  choice: 'PortalContentVisibility',
  description: 'Who sees content of a portal.',
  values: { public: 'Every visitor.', private: 'Developers who have signed in.' },
};

/** Rows that fields of several types share. */
const kinds: Readonly<Record<string, FieldKind>> = {
  id: { type: 'string', limits: { format: 'uuid' } },
  /** The place of what an API has, and loses with itself. */
  ofApi: {
    type: 'string',
    description: 'Identifier of the API.',
    limits: { format: 'uuid' },
    references: 'Api',
    nests: true,
    diesWith: true,
  },
  /** The place of what a portal has, and loses with itself. */
  ofPortal: {
    type: 'string',
    description: 'Identifier of the portal.',
    limits: { format: 'uuid' },
    references: 'Portal',
    nests: true,
    diesWith: true,
  },
  idOfControlPlane: { type: 'string', limits: idsWithin('controlPlane', ['id']) },
  idsOfService: { type: 'string', limits: idsWithin('service', ['controlPlaneId', 'id']) },
  slug: { type: 'string', limits: { pattern: String.raw`^[\w-]+$` } },
  // Whether null makes the platform choose again is not documented; sending what it would choose is safe either way.
  chosenSlug: { type: 'string', limits: { pattern: String.raw`^[\w-]+$` }, clearing: { by: 'derived' } },
  /** Taken at create, and shown by the version that it becomes: falling silent about it leaves it there. */
  specification: {
    type: 'string',
    equality: 'document',
    writeOnly: true,
    replaces: 'if-declared',
    keptAs: 'ApiVersion',
    movesWith: 'currentVersionSummary',
    clearing: { by: 'nothing', why: 'the platform keeps the specification among the versions of the API' },
  },
  /** A specification that its object shows: two spellings of one document are the same. */
  document: { type: 'string', equality: 'document', inList: false, nullable: true },
  /** Labels can bear an ownership mark, public ones are for readers alone. */
  labels: { ...labels(), role: 'mark' },
  publicLabels: labels(),
  attributes: { type: 'string', equality: 'multisets', accepts: attributes(), clearing: { by: 'value', value: {} } },
  version: { type: 'string', size: [1, 255], nullable: true },
  /** Texts people read. */
  prose: { type: 'string', equality: 'text', nullable: true },
  switchedOn: { type: 'boolean', clearing: { by: 'value', value: true } },
  switchedOff: { type: 'boolean', clearing: { by: 'value', value: false } },
  /** What it is at first is nowhere said. */
  defaultVisibility: {
    type: visibility,
    clearing: { by: 'nothing', why: 'the first choice of the platform is not documented' },
  },
  seenBy: {
    type: visibility,
    exposure: {
      shown: 'public',
      hidden: 'private',
      says: {
        shown: 'becomes public: every visitor of the portal sees it',
        hidden: 'becomes private: only developers who have signed in see it',
      },
      where: { field: 'status', is: 'published' },
    },
    clearing: { by: 'nothing', why: 'the portal decides only when the object is created' },
  },
  shownOnPortal: {
    type: {
      choice: 'PortalContentStatus',
      description: 'Whether content of a portal is shown.',
      values: { published: 'Shown.', unpublished: 'Not shown.' },
    },
    exposure: { shown: 'published', hidden: 'unpublished' },
    clearing: { by: 'value', value: 'unpublished' },
  },
  /** Front matter of the content beats what stands in a body. */
  frontMatter: { type: 'string', clearing: { by: 'derived' }, derivedWins: true },
  /** A picture, as the bytes of a file: `!file` reads it. */
  image: {
    type: 'string',
    description: 'The picture: `data:image/png;base64,…`, also jpeg, gif, svg+xml, ico.',
    limits: {
      pattern: String.raw`^data:image/(png|jpe?g|gif|svg\+xml|x-icon|ico|icon|vnd\.microsoft\.icon)(;base64)?,[A-Za-z0-9+/]*={0,2}$`,
    },
    clearing: { by: 'nothing', why: 'a portal always has one' },
  },
  versionSummary: {
    type: {
      record: 'ApiCurrentVersionSummary',
      description: 'The version of an API that counts as its current one.',
      members: {
        id: 'Identifier of the version.',
        version: 'What it is called.',
        createdAt: 'When it was created, ISO 8601.',
        updatedAt: 'When it was last changed, ISO 8601.',
      },
    },
    description: 'The version that counts as the current one, without its specification.',
  },
  implementationMode: {
    type: {
      choice: 'ApiImplementationMode',
      description: 'How an API is implemented.',
      values: {
        gateway_entity_binding: 'By one gateway service.',
        access_control_enforcement: 'By a whole control plane that enforces access.',
      },
    },
    description: 'How the API is implemented.',
    absent: null,
  },
  created: { type: 'string', description: 'When it was created, ISO 8601.', stable: true, role: 'creation' },
  updated: { type: 'string', description: 'When it was last changed, ISO 8601.', role: 'revision' },
};

/** Members of a record within a record that hold ids. */
function idsWithin(member: string, names: readonly string[]): JsonObject {
  const properties = Object.fromEntries(names.map((name) => [name, { format: 'uuid' }]));
  return { allOf: [{ properties: { [member]: { properties } } }] };
}

function labels(): FieldKind {
  return {
    type: { map: 'string' },
    limits: labelLimits(),
    foreignKeys: foreignLabelPrefixes,
    clearing: { by: 'value', value: {} },
    entriesAtOnce: 50,
  };
}

/** Labels and public labels obey the same rules. A null value drops a label that a default would add. */
function labelLimits(): JsonObject {
  return {
    maxProperties: 50,
    propertyNames: { minLength: 1, maxLength: 63, not: { pattern: `^(?:${reservedLabelPrefixes.join('|')})` } },
    additionalProperties: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 63,
      pattern: '^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$',
    },
  };
}

/**
 * Attributes as a map of lists. One text may stand for a list of one, null for none. The platform's schema asks for
 * JSON text; that is accepted too and checked as the map it spells.
 */
function attributes(): JsonObject {
  const text: JsonObject = { minLength: 1, maxLength: 512, pattern: '^[^,<>]*$' };
  return {
    type: ['object', 'string'],
    propertyNames: { maxLength: 128, pattern: '^[a-z0-9_-]+$' },
    additionalProperties: {
      type: ['array', 'string', 'null'],
      minItems: 1,
      maxItems: 20,
      items: { type: 'string', ...text },
      ...text,
    },
  };
}

/** What all types of the platform have in common. */
export const style: RestStyle = { naming, paging, kinds, reservedKeys: reservedLabelPrefixes };
