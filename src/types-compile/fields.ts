import { defined } from '../engine/model/defined.js';
import type { Json, JsonObject } from '../engine/model/value.js';
import type { FieldDefinition } from '../providers/rest/definition.js';
import { snakeCase } from '../providers/rest/names.js';
import type { Description } from './description.js';
import { fieldType, kindOf, merged } from './field-type.js';
import type { TypeSite } from './find-types.js';
import { camel, pascal, sentence, singular } from './words.js';

/** The rule that made a field what it is (the numbers are those of the guide). */
export type DecidedBy =
  | 'path parameter: part of the place'
  | 'create body alone: replaces'
  | 'no update call: replaces'
  | 'create and update body'
  | 'answers alone: output'
  | 'read-only: output'
  | 'correction';

/** One field, which rule decided, and whether people must declare it. */
export interface CompiledField {
  readonly name: string;
  readonly field: FieldDefinition;
  readonly isOutput: boolean;
  readonly isRequired: boolean;
  readonly isAlways: boolean;
  readonly rule: DecidedBy;
}

const limitWords = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minimum',
  'maximum',
  'pattern',
  'format',
] as const;
const secretName = /(?:secret|password|private_?key|token_?value|api_?key)$/i;
const setName = /^(?:tags|labels|scopes|.*_?ids)$/i;

/** Rules 2 to 6: the fields of bodies and answers. `typeNamed` tells the type that an id's stem names. */
export function bodyFields(
  description: Description,
  site: TypeSite,
  typeNamed: (stem: string) => string | undefined,
): readonly CompiledField[] {
  const made = membersOf(
    description,
    site.calls.create === undefined ? undefined : description.bodyOf(site.calls.create),
  );
  const updated = site.calls.update;
  const changed = membersOf(description, updated === undefined ? undefined : description.bodyOf(updated));
  const answered = description.answerOf(site.calls.read ?? site.calls.create ?? {});
  const shown = membersOf(description, answered);
  const hasAnswer = shown.members.size > 0;
  const names = [...new Set([...made.members.keys(), ...changed.members.keys(), ...shown.members.keys()])];
  return names
    .filter((wire) => wire !== 'id')
    .map((wire): CompiledField => {
      const schema = merged(
        description,
        made.members.get(wire) ?? changed.members.get(wire) ?? shown.members.get(wire),
      );
      const isSent = made.members.has(wire) || changed.members.has(wire);
      const isReadOnly = schema['readOnly'] === true;
      const isOutput = !isSent || isReadOnly;
      const replaces = !isOutput && !changed.members.has(wire);
      const isHidden = !isOutput && hasAnswer && (schema['writeOnly'] === true || !shown.members.has(wire));
      return {
        name: camel(wire),
        field: {
          ...rowsOf(description, site, wire, schema, typeNamed),
          ...(replaces && updated !== undefined ? { replaces: true as const } : {}),
          ...(isHidden ? { writeOnly: true } : {}),
          ...(!isOutput && !isHidden && !shown.required.has(wire) ? { nullable: true } : {}),
        },
        isOutput,
        isRequired: !isOutput && made.required.has(wire),
        isAlways: shown.required.has(wire) && shown.members.has(wire),
        rule: isReadOnly
          ? 'read-only: output'
          : isOutput
            ? 'answers alone: output'
            : updated === undefined
              ? 'no update call: replaces'
              : replaces
                ? 'create body alone: replaces'
                : 'create and update body',
      };
    });
}

function rowsOf(
  description: Description,
  site: TypeSite,
  wire: string,
  schema: JsonObject,
  typeNamed: (stem: string) => string | undefined,
): FieldDefinition {
  const name = camel(wire);
  const type = fieldType(description, schema, `${site.name}${pascal(wire)}`);
  const reference = referenceOf(name, typeNamed);
  const isSecret = isMarkedSecret(schema) || secretName.test(wire);
  const limits = limitsOf(schema, type);
  const value = schema['default'];
  const isSet = kindOf(schema) === 'array' && typeof type === 'object' && 'list' in type && setName.test(wire);
  return {
    ...(type === 'string' ? {} : { type }),
    description: sentence(name),
    ...(snakeCase(name) === wire ? {} : { wire }),
    ...(isSecret ? { secret: true } : {}),
    ...defined({ references: reference }),
    ...(isSet ? { equality: 'set' as const } : {}),
    ...(isNullable(schema) ? { nullable: true } : {}),
    ...(value === undefined || value === null ? {} : { clearing: { by: 'value' as const, value } }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(/^updatedAt$/.test(name) ? { role: 'revision' as const } : {}),
    ...(/^createdAt$/.test(name) ? { role: 'creation' as const, stable: true } : {}),
  };
}

function isMarkedSecret(schema: JsonObject): boolean {
  return ['x-sensitive', 'x-encrypted'].some((mark) => Boolean(schema[mark])) || schema['format'] === 'password';
}

function isNullable({ nullable, type }: JsonObject): boolean {
  return nullable === true || (Array.isArray(type) && type.includes('null'));
}

/** Rule 6: `portalId`, `portalIds` where there is a type Portal. */
function referenceOf(name: string, typeNamed: (stem: string) => string | undefined): string | undefined {
  const stem = /^(.+?)Ids?$/.exec(name)?.[1];
  return stem === undefined ? undefined : typeNamed(pascal(singular(stem)));
}

function limitsOf(schema: JsonObject, type: FieldDefinition['type']): JsonObject {
  if (typeof type === 'object' && ('choice' in type || 'record' in type)) return {};
  return Object.fromEntries(
    limitWords.flatMap((word): [string, Json][] => {
      const limit = schema[word];
      return typeof limit === 'number' || typeof limit === 'string' ? [[word, limit]] : [];
    }),
  );
}

interface Members {
  readonly members: ReadonlyMap<string, Json>;
  readonly required: ReadonlySet<string>;
}

function membersOf(description: Description, schema: Json | undefined): Members {
  const at = merged(description, schema);
  const required = Array.isArray(at['required']) ? at['required'].map(String) : [];
  return { members: new Map(Object.entries(description.at(at['properties']))), required: new Set(required) };
}
