import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { withSigns } from '../../src/providers/platform/wire.js';

/**
 * What of a description makes types and serves them, and nothing else: marks, parameters, bodies, answers. One line a path
 * and a schema.
 *
 *     tsx scripts/facts/reduce-description.ts DESCRIPTION > schemas/descriptions/NAME.json
 */
type Node = Readonly<Record<string, unknown>>;

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const keptMarks = new Set(['x-sensitive', 'x-encrypted', 'x-speakeasy-param-sensitive', 'x-speakeasy-param-force-new']);
const entityMark = 'x-speakeasy-entity-operation';
const used = { schemas: new Set<string>(), parameters: new Set<string>() };

const root = parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Node;

function pathOf(item: Node): Node {
  const calls = methods.flatMap((method) => {
    const call = item[method] as Node | undefined;
    return call === undefined ? [] : [[method, callOf(call)]];
  });
  return { ...parametersOf(item), ...(Object.fromEntries(calls) as Node) };
}

function callOf(call: Node): Node {
  const mark = call[entityMark];
  const body = jsonSchema(resolved((call['requestBody'] ?? {}) as Node));
  return {
    ...(mark === undefined ? {} : { [entityMark]: mark }),
    ...(call['servers'] === undefined ? {} : { servers: call['servers'] }),
    ...parametersOf(call),
    ...(body === undefined ? {} : { requestBody: { content: { 'application/json': { schema: schemaOf(body) } } } }),
    responses: answersOf((call['responses'] ?? {}) as Node),
  };
}

function parametersOf({ parameters = [] }: { readonly parameters?: unknown }): Node {
  const kept = (parameters as readonly Node[]).map((each) => {
    const name = String(each['$ref'] ?? '').replace('#/components/parameters/', '');
    if (name !== '') used.parameters.add(name);
    return name === '' ? parameterOf(each) : each;
  });
  return kept.length === 0 ? {} : { parameters: kept };
}

function parameterOf({ name, in: place, required, schema }: Node): Node {
  const { type, format } = resolved((schema ?? {}) as Node);
  const kind = { ...(type === undefined ? {} : { type }), ...(format === undefined ? {} : { format }) };
  return { name, in: place, ...(required === true ? { required } : {}), schema: kind };
}

/** The first success, and what a 404 holds: its kind alone. */
function answersOf(answers: Node): Node {
  const done = Object.keys(answers).find((status) => status.startsWith('2'));
  const kept: [string, Node][] = [];
  if (done !== undefined) {
    const schema = jsonSchema(resolved(answers[done] as Node));
    kept.push([done, schema === undefined ? {} : { content: { 'application/json': { schema: schemaOf(schema) } } }]);
  }
  if (answers['404'] !== undefined) {
    const kinds = Object.keys((resolved(answers['404'] as Node)['content'] ?? {}) as Node);
    kept.push(['404', kinds.length === 0 ? {} : { content: Object.fromEntries(kinds.map((kind) => [kind, {}])) }]);
  }
  return Object.fromEntries(kept);
}

function jsonSchema({ content }: Node): Node | undefined {
  const media = Object.entries((content ?? {}) as Node).find(([type]) => type.includes('json'))?.[1];
  return (media as Node | undefined)?.['schema'] as Node | undefined;
}

/** A schema without marks that nothing reads and without words. */
function schemaOf(schema: unknown, isNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((part) => schemaOf(part));
  if (typeof schema !== 'object' || schema === null) return schema;
  const reference = (schema as Node)['$ref'];
  if (typeof reference === 'string') used.schemas.add(reference.replace('#/components/schemas/', ''));
  return Object.fromEntries(
    Object.entries(schema as Node)
      .filter(([key]) => isNames || !isLeftOut(key))
      .map(([key, value]) => [key, isValue(key, isNames) ? value : schemaOf(value, !isNames && key === 'properties')]),
  );
}

function isLeftOut(key: string): boolean {
  return ['description', 'title', 'example', 'examples'].includes(key) || (key.startsWith('x-') && !keptMarks.has(key));
}

function isValue(key: string, isNames: boolean): boolean {
  return !isNames && ['default', 'enum', 'const', 'required'].includes(key);
}

function resolved(node: Node): Node {
  let at = node;
  for (let steps = 0; typeof at['$ref'] === 'string' && steps < 20; steps += 1) at = nodeAt(at['$ref']);
  return at;
}

function nodeAt(reference: string): Node {
  const names = reference.slice(2).split('/');
  return names.reduce<Node>((at, name) => (at[name.replaceAll('~1', '/').replaceAll('~0', '~')] ?? {}) as Node, root);
}

/** The named schemas that are used, and those that these use. */
function namedSchemas(): Node {
  const kept = new Map<string, unknown>();
  for (let open = [...used.schemas]; open.length > 0; open = [...used.schemas].filter((name) => !kept.has(name)))
    for (const name of open) kept.set(name, schemaOf(nodeAt(`#/components/schemas/${name}`)));
  return Object.fromEntries([...kept].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function lines(entries: Node): string {
  const each = Object.entries(entries).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${each.join(',\n')}\n}`;
}

const paths = Object.fromEntries(
  Object.entries(root['paths'] as Readonly<Record<string, Node>>).map(([path, item]) => [path, pathOf(item)]),
);
const schemas = namedSchemas();
const parameters = Object.fromEntries(
  [...used.parameters].sort().map((name) => [name, parameterOf(nodeAt(`#/components/parameters/${name}`))]),
);
const { openapi, info, servers } = root;
process.stdout.write(
  withSigns(
    `{"openapi": ${JSON.stringify(openapi)}, "info": ${JSON.stringify(info)}, "servers": ${JSON.stringify(servers)},\n` +
      `"paths": ${lines(paths)},\n"components": {"parameters": ${lines(parameters)}, "schemas": ${lines(schemas)}}}\n`,
  ),
);
