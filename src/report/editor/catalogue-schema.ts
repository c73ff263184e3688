import { addressKeyPattern } from '@platform-sync/core/model/address';
import type { FieldRule, Nesting, ResourceType } from '@platform-sync/core/model/resource-type';
import { isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { limits } from '../words/limits.js';
import {
  editorSchema,
  expressible,
  expressionDefinitions,
  named,
  type Named,
  names,
  ofKind,
  oneOfNames,
  ref,
} from './editor-values.js';
import { lookupSchema, type Known } from './lookup-schema.js';

const keyed = (member: JsonObject): JsonObject => ({
  type: ['object', 'null'],
  propertyNames: { pattern: addressKeyPattern.source },
  additionalProperties: member,
});

/** What editors need to know of a catalogue file. `sync validate` knows more; of the types in `named`, editors know the names. */
export function catalogueSchema(packages: readonly Known[], derived: readonly Named[], comment: string): JsonObject {
  const types = packages.flatMap((each) => [...each.types.values()]);
  return editorSchema('A catalogue file', 'What should exist on the platform.', {
    $comment: comment,
    type: ['object', 'null'],
    additionalProperties: false,
    properties: {
      defaults: {
        description: 'Properties for every resource of a type in this file; of an overlay, in all files.',
        type: ['object', 'null'],
        additionalProperties: false,
        properties: Object.fromEntries([
          ...types.flatMap((type) => names(type).map((name) => [name, ref(`${type.name}.properties`)] as const)),
          ...derived.map(({ shortToken }) => [shortToken, { type: ['object', 'null'] }] as const),
        ]),
      },
      variables: { description: 'Values to use in several places, as `${name}`.', ...keyed(ref('value')) },
      sources: {
        description: 'Folders or patterns of files that stand for resources, each with their type.',
        type: ['object', 'null'],
        additionalProperties: ref('source'),
      },
      resources: { description: 'What should exist, by key.', ...keyed(ref('resource')) },
      outputs: { description: 'Values to tell after an apply.', ...keyed(ref('value')) },
      removed: {
        description: 'Addresses that leave the state, with everything below them, while their objects stay.',
        type: ['array', 'null'],
        items: { type: 'string', pattern: addressPattern },
      },
      moved: movedAway,
      patches: {
        description: 'Of an overlay: what differs in this stack, by address. `!unset` switches a resource off.',
        type: ['object', 'null'],
        propertyNames: { pattern: addressPattern },
        additionalProperties: ref('patch'),
      },
    },
    $defs: {
      resource: resourceOf(
        types.map((type) => ({ type, filled: [] })),
        derived.length === 0 ? [] : [ref('otherType')],
      ),
      ...Object.fromEntries(types.map((type) => [`${type.name}.properties`, propertiesSchema(type)])),
      ...Object.fromEntries(types.flatMap((type) => childrenDefinition(type, types, derived))),
      source: sourceSchema(types),
      patch,
      options,
      ...expressionDefinitions,
      lookup: lookupSchema(packages, derived),
      ...(derived.length === 0 ? {} : { otherType: oneOfNames(derived), otherName: named(...derived) }),
    },
  });
}

const addressPattern = '^[A-Za-z_][A-Za-z0-9_-]*(/[A-Za-z_][A-Za-z0-9_-]*)*$';

const patch: JsonObject = {
  // `!unset` leaves no value behind.
  type: ['object', 'null', 'string'],
  maxLength: 0,
  additionalProperties: false,
  properties: {
    properties: { description: 'Fields that differ. Maps merge.', type: ['object', 'null'] },
    options: ref('options'),
  },
};

/** `specs: platform:Api`, or a map with the type and more. */
function sourceSchema(types: readonly ResourceType[]): JsonObject {
  const known = types.filter(({ file }) => file !== undefined);
  const type = known.length === 0 ? { type: 'string' } : oneOfNames(known);
  return {
    anyOf: [
      type,
      {
        type: 'object',
        additionalProperties: false,
        required: ['type'],
        properties: {
          type: { description: 'What each file stands for.', ...type },
          under: { description: 'Address of what all of it stands under.', type: 'string', pattern: addressPattern },
          properties: { description: 'Fields of each, over what its file says.', type: ['object', 'null'] },
        },
      },
    ],
  };
}

function choicesOf({ anyOf }: JsonObject): readonly Json[] {
  return isList(anyOf) ? anyOf : [];
}

/** Types that are known in full, and the others by what stands for their names in one place. */
function typeNames(known: readonly Named[], others: readonly JsonObject[]): JsonObject {
  const own = known.length === 0 ? [] : choicesOf(oneOfNames(known));
  return { anyOf: [...own, ...others] };
}

interface Choice {
  readonly type: ResourceType;
  /** Properties that the place fills in. */
  readonly filled: readonly string[];
}

/** A resource of one of some types. `if` and `then` keep an editor's messages to the type that was meant. */
function resourceOf(choices: readonly Choice[], others: readonly JsonObject[] = []): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      type: {
        description: 'Type of the resource. One that a source makes has it from there.',
        ...typeNames(
          choices.map(({ type }) => type),
          others,
        ),
      },
      properties: { description: 'What the resource should be.', type: ['object', 'null'] },
      children: { description: 'Resources that belong to this one.', type: ['object', 'null'] },
      options: ref('options'),
    },
    ...(choices.length === 0
      ? {}
      : {
          allOf: choices.map((choice) => ({
            if: { properties: { type: named(choice.type) }, required: ['type'] },
            then: bodyOf(choice),
          })),
        }),
  };
}

function bodyOf({ type, filled }: Choice): JsonObject {
  const required = inputs(type).filter((rule) => rule.required && !filled.includes(rule.name));
  return {
    title: type.shortToken,
    description: type.description,
    properties: {
      properties: { allOf: [ref(`${type.name}.properties`)], required: required.map((rule) => rule.name) },
      children: ref(`${type.name}.children`),
    },
    ...(required.length === 0 ? {} : { required: ['properties'] }),
  };
}

function childrenDefinition(
  type: ResourceType,
  types: readonly ResourceType[],
  derived: readonly Named[],
): readonly [string, JsonObject][] {
  const choices = types.flatMap((child) =>
    child.nesting
      .filter((nesting) => nesting.under === type.token)
      .map((nesting) => ({ type: child, filled: filled(nesting) })),
  );
  const none: JsonObject = { type: ['object', 'null'], maxProperties: 0 };
  return [
    // Offered are those that live there; of the others, editors know too little to refuse them.
    [
      `${type.name}.children`,
      choices.length + derived.length === 0
        ? none
        : keyed(resourceOf(choices, derived.length === 0 ? [] : [ref('otherName')])),
    ],
  ];
}

function filled(nesting: Nesting): readonly string[] {
  return [nesting.field, ...nesting.inherits];
}

function propertiesSchema(type: ResourceType): JsonObject {
  return {
    title: type.shortToken,
    type: ['object', 'null'],
    additionalProperties: false,
    properties: Object.fromEntries(
      inputs(type).map((rule) => [rule.name, clearable(rule, expressible(described(rule)))]),
    ),
    ...(type.kinds === undefined ? {} : { allOf: type.kinds.map(ofKind) }),
  };
}

/** Null puts a field back to what it is without a declaration, where the platform can do that. */
function clearable(rule: FieldRule, schema: JsonObject): JsonObject {
  const takesNull = !rule.required && (rule.clearing.by !== 'nothing' || rule.nullIsValue === true);
  return takesNull ? { ...schema, anyOf: [...choicesOf(schema), { type: 'null' }] } : schema;
}

function described(rule: FieldRule): JsonObject {
  const said = rule.description === '' ? constraints(rule.schema) : rule.description;
  const text = rule.deprecated === undefined ? said : `${said} Deprecated: ${rule.deprecated}`.trim();
  return {
    ...(text === '' ? {} : { description: text }),
    ...(rule.deprecated === undefined ? {} : { deprecated: true }),
    ...rule.schema,
  };
}

/** What may stand there, where nobody has said what it means. */
function constraints(schema: JsonObject): string {
  const text = limits(schema).join('; ');
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** What a stack gives. */
const movedAway: JsonObject = {
  description: 'Addresses that another stack takes over, with everything below them: nothing is deleted here.',
  type: ['array', 'null'],
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['from', 'to'],
    properties: {
      from: { type: 'string', pattern: addressPattern },
      to: { description: '`STACK:ADDRESS`.', type: 'string' },
    },
  },
};

const addresses: JsonObject = { type: ['array', 'null'], items: { type: 'string' } };

const options: JsonObject = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    dependsOn: { description: 'Resources that must be done first, beyond what references say.', ...addresses },
    protect: { description: 'Deleting or replacing it is blocked.', type: 'boolean' },
    ignoreChanges: { description: 'Properties whose difference is left alone; `*` alone means all.', ...addresses },
    replaceOnChanges: { description: 'Properties whose change replaces instead of updating.', ...addresses },
    deleteBeforeReplace: { description: 'Whether a replacement deletes the old object first.', type: 'boolean' },
    retainOnDelete: {
      description: 'Taking it out of the catalogue leaves the object on the platform.',
      type: 'boolean',
    },
    import: { description: 'Id of an existing object to bring under management.', type: ['string', 'object'] },
    aliases: { description: 'Former addresses of the resource.', ...addresses },
    moved: {
      description: 'Another stack of the project has had it so far, and hands it over: `{from: STACK:ADDRESS}`.',
      type: ['object', 'null'],
      additionalProperties: false,
      properties: { from: { type: 'string' } },
    },
    allowBrokenSpecification: {
      description: 'A specification that is broken is published all the same, and every report says so.',
      type: 'boolean',
    },
  },
};

function inputs(type: ResourceType): readonly FieldRule[] {
  return Object.values(type.fields).filter((rule) => rule.input);
}
