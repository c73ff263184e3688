import type { JsonObject, Json } from '@platform-sync/core/model/value';
import { cloudServiceDomain } from '@platform-sync/sandbox/wire';
import type { ConformanceRow } from '../conformance/row.js';
import { rows } from '../conformance/rows.js';
import { schemas } from './engine.js';
import { partOf } from '../harness/part-of-table.js';

/** A resource as a program declares it; a text `${name.id}` is another one's id. */
export interface Declared {
  readonly name: string;
  /** Full token. */
  readonly type: string;
  readonly properties: JsonObject;
}

/** One program, the same with every input of every type edited, each in a resource of its own, and what each edit must do. */
export interface EveryField {
  readonly before: readonly Declared[];
  readonly after: readonly Declared[];
  /** By name of the resource. */
  readonly expected: ReadonlyMap<string, 'update' | 'replace'>;
}

/** The service whose policy the sandbox has to empty beforehand, since each may have one policy alone. */
export const spareService = `payments.${cloudServiceDomain}`;
export const emptied: JsonObject = { policy: { etag: 'BwYVx3tsmGE=', bindings: null, auditConfigs: null } };

/** What keeps two objects of one type apart, where the platform takes a key but once. */
const keys: Readonly<Record<string, readonly string[]>> = {
  'platform:Api': ['name', 'slug'],
  'platform:Portal': ['name'],
  'platform:PortalCustomDomain': ['hostname'],
};

export function everyField(): EveryField {
  const cases = rows.flatMap((row, at) =>
    partOf(Object.entries(row.changes), 3, at).flatMap(([field, change], nth) => {
      // The other one of a kind is an object that only the suite of one type makes.
      const isAlone = change.untried === undefined && !JSON.stringify(change.to).includes('${other');
      return isAlone ? [oneCase(row, field, `x${String(at)}x${String(nth)}`)] : [];
    }),
  );
  return {
    before: cases.flatMap(({ needs, before }) => [...needs, before]),
    after: cases.flatMap(({ needs, after }) => [...needs, after]),
    expected: new Map(cases.map(({ before, action }) => [before.name, action])),
  };
}

interface Case {
  readonly needs: readonly Declared[];
  readonly before: Declared;
  readonly after: Declared;
  readonly action: 'update' | 'replace';
}

function oneCase(row: ConformanceRow, field: string, key: string): Case {
  const change = row.changes[field];
  if (change === undefined) throw new Error(field);
  const declared = (name: string, type: string, properties: JsonObject): Declared => ({
    name,
    type: fullToken(type),
    properties: inForm(type, apart(type, properties, key)),
  });
  const needs = Object.entries(row.needs).map(([name, { type, properties = {} }]) =>
    declared(`${key}${name}`, String(type), properties as JsonObject),
  );
  const entries = Object.entries(row.properties).filter(([name]) => change.without?.includes(name) !== true);
  const properties: JsonObject = { ...Object.fromEntries(entries), ...change.with };
  const rest = Object.fromEntries(Object.entries(properties).filter(([name]) => !isInGroup(row, field, name)));
  const consent = row.guards === undefined ? {} : { allowEmptyOnDelete: true };
  return {
    needs,
    before: declared(key, row.type, { ...properties, ...consent }),
    after: declared(key, row.type, { ...rest, [field]: change.to, ...consent }),
    action: change.action,
  };
}

/** Of the two references of an implementation only one may be there. */
function isInGroup({ type }: ConformanceRow, field: string, name: string): boolean {
  const group = ['serviceReference', 'controlPlaneReference'];
  return type === 'platform:ApiImplementation' && group.includes(field) && group.includes(name);
}

/** The properties with keys and references of their own. */
function apart(type: string, properties: JsonObject, key: string): JsonObject {
  const own = keys[type] ?? [];
  const nth = Number(key.split('x').at(-1));
  const members = Object.entries(properties).map(([name, value]): [string, Json] => {
    if (own.includes(name)) return [name, name === 'hostname' ? `${key}.${String(value)}` : `${String(value)}-${key}`];
    if (name === 'serviceReference') return [name, anotherService(value, nth)];
    if (name === 'policyData') return [name, value];
    return [name, JSON.parse(JSON.stringify(value).replace(/\$\{(\w+)\.id\}/g, `\${${key}$1.id}`)) as Json];
  });
  const all = Object.fromEntries(members);
  return type === 'cloud:endpoints:ServiceIamPolicy' && nth > 0 ? { ...all, serviceName: spareService } : all;
}

/** A service can be linked to once: each case has a first and a second one of its own. */
function anotherService(value: Json, nth: number): Json {
  return JSON.parse(
    JSON.stringify(value).replace(/(2c1f0b)0(\d)"/, (_, kind: string, first: string) => {
      return `${kind}0${String(Number(first) + 2 * nth)}"`;
    }),
  ) as Json;
}

/** Maps that programs write as JSON text. */
function inForm(type: string, properties: JsonObject): JsonObject {
  const token = fullToken(type);
  const spec = schemas[token.split(':')[0] ?? '']?.resources?.[token]?.inputProperties ?? {};
  const members = Object.entries(properties).map(([name, value]): [string, Json] => {
    const isText = spec[name]?.type === 'string' && typeof value === 'object' && value !== null;
    return [name, isText ? JSON.stringify(value) : value];
  });
  return Object.fromEntries(members);
}

export function fullToken(short: string): string {
  const name = short.split(':').at(-1) ?? '';
  const tokens = Object.values(schemas).flatMap(({ resources = {} }) => Object.keys(resources));
  const found = tokens.find((token) => token.endsWith(`:${name}`) && token.startsWith(short.split(':')[0] ?? ''));
  if (found === undefined) throw new Error(short);
  return found;
}

/** The program in YAML. It can't say null. */
export function asYaml(resources: readonly Declared[]): string {
  const entries = resources.map(({ name, type, properties }) => {
    const [pack = '', path = '', last = ''] = type.split(':');
    const folder = path.split('/')[0] ?? '';
    const short = folder === 'index' ? `${pack}:${last}` : `${pack}:${folder}:${last}`;
    return `  ${name}:\n    type: ${short}\n    properties: ${JSON.stringify(properties)}\n`;
  });
  return entries.join('');
}

/** The program in JavaScript, by the classes of the SDK. */
export function asScript(resources: readonly Declared[]): string {
  const lines = resources.map(({ name, type, properties }) => {
    const [pack = '', path = '', last = ''] = type.split(':');
    const folder = path.split('/')[0] ?? '';
    const place = folder === 'index' ? `${pack}.${last}` : `${pack}.${folder}.${last}`;
    const text = JSON.stringify(properties).replace(/"\$\{(\w+)\.id\}"/g, '$1.id');
    return `const ${name} = new ${place}('${name}', ${text});\n`;
  });
  return lines.join('');
}
