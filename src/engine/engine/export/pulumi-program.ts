import { stringify } from 'yaml';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import { importIdText } from '@platform-sync/core/model/import-id';
import type { Address } from '@platform-sync/core/model/address';
import type { FieldRule } from '@platform-sync/core/model/resource-type';
import { isObject, type Json } from '@platform-sync/core/model/value';
import type { FittingObject } from './fit-rules.js';
import { keyOf, referencedIn, type FoundObject } from './found-object.js';

interface ProgramInput {
  /** Name of the Pulumi project. */
  readonly name: string;
  readonly objects: ReadonlyMap<string, FittingObject>;
  readonly addresses: ReadonlyMap<string, Address>;
}

/** Names of the two files. */
const pulumiFiles = { program: 'Pulumi.yaml', imports: 'import.json' } as const;

/**
 * What exists as a Pulumi program in YAML, and the file for `pulumi import --file` that brings it into a stack: after that,
 * `pulumi up` finds nothing to change. Path → text.
 */
export function pulumiProgram({ name, objects, addresses }: ProgramInput): ReadonlyMap<string, string> {
  const names = namesOf(addresses);
  const found = [...addresses.keys()].flatMap((key) => objects.get(key) ?? []);
  const resources = found.map(
    ({ object, fields }) => [nameIn(names, object), resource(object, fields, names)] as const,
  );
  const imports = found.map(({ object }) => ({
    type: object.type.token,
    name: nameIn(names, object),
    id: importIdText(object.type.importId, object.identity),
  }));
  const program = { name, runtime: 'yaml', resources: Object.fromEntries(resources) };
  return new Map([
    [pulumiFiles.program, stringify(program, { lineWidth: 0, aliasDuplicateObjects: false })],
    [pulumiFiles.imports, `${JSON.stringify({ resources: imports }, null, 2)}\n`],
  ]);
}

/** Words that expressions of a program can name: letters, digits and underscores. By object key. */
function namesOf(addresses: ReadonlyMap<string, Address>): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    [...addresses].map(([key, address]) => {
      const word = address.replace(/[^A-Za-z0-9]+/g, '_').replace(/^(?=\d)/, '_');
      let name = word;
      for (let number = 2; taken.has(name); number++) name = `${word}_${String(number)}`;
      taken.add(name);
      return [key, name];
    }),
  );
}

function nameIn(names: ReadonlyMap<string, string>, object: FoundObject): string {
  return names.get(keyOf(object)) ?? '';
}

function resource(
  object: FoundObject,
  fields: ReadonlyMap<string, Json>,
  names: ReadonlyMap<string, string>,
): { readonly type: string; readonly properties: Readonly<Record<string, Json>> } {
  const properties = [...fields].flatMap(([name, value]): [string, Json][] => {
    const rule = object.type.fields[name];
    return rule === undefined ? [] : [[name, property(object, rule, value, names)]];
  });
  return { type: object.type.token, properties: Object.fromEntries(properties) };
}

function property(object: FoundObject, rule: FieldRule, value: Json, names: ReadonlyMap<string, string>): Json {
  const referenced = typeof value === 'string' ? referencedIn(names, object, rule) : undefined;
  if (referenced !== undefined) return `\${${referenced}.id}`;
  return literal(rule.type === 'string' && isObject(value) ? canonicalJson(value) : value);
}

/** Texts in which nothing is an expression. */
function literal(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (Array.isArray(value)) return value.map(literal);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, literal(member)]));
}
