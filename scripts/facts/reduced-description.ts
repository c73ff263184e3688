import { parse } from 'yaml';
import { withSigns } from '@platform-sync/platform/wire';

type Node = Readonly<Record<string, unknown>>;

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const keptMarks = new Set(['x-sensitive', 'x-encrypted', 'x-speakeasy-param-sensitive', 'x-speakeasy-param-force-new']);
const entityMark = 'x-speakeasy-entity-operation';

/**
 * What of a description makes types and serves them, and nothing else: marks, parameters, bodies, answers. One line a path
 * and a schema. `added`: paths that the service has and the description leaves out, each with a reason. `only`: paths that are kept,
 * each with its items; where a call names no server of its own, it goes to the one of its region.
 */
export function reducedDescription(description: string, added = '{}', only?: readonly string[]): string {
  const { paths, ...root } = parse(description) as Node & { readonly paths: Node };
  const isKept = (path: string): boolean =>
    only === undefined || only.includes(path) || (path.endsWith('}') && only.includes(path.replace(/\/[^/]*$/, '')));
  const kept = Object.entries(paths).filter(([path]) => isKept(path));
  const servers = only === undefined ? root['servers'] : [{ url: 'https://{region}.api.example.com' }];
  return new Reduction({ ...root, servers, paths: Object.fromEntries(kept) }).text(
    parse(added) as Readonly<Record<string, Node>>,
  );
}

class Reduction {
  readonly #root: Node;
  readonly #used = { schemas: new Set<string>(), parameters: new Set<string>() };

  constructor(root: Node) {
    this.#root = root;
  }

  text(added: Readonly<Record<string, Node>>): string {
    const { openapi, servers } = this.#root;
    const { title, version } = this.#root['info'] as Node;
    const info = { title, version };
    const described = this.#root['paths'] as Readonly<Record<string, Node>>;
    const twice = Object.keys(added).find((path) => described[path] !== undefined);
    if (twice !== undefined) throw new Error(`${twice} is described by now: take it out of what is added`);
    const all = Object.entries({ ...described, ...added });
    const paths = Object.fromEntries(all.map(([path, item]) => [path, this.#pathOf(item)]));
    const schemas = this.#namedSchemas();
    const names = [...this.#used.parameters].sort();
    const parameters = Object.fromEntries(
      names.map((name) => [name, this.#parameterOf(this.#nodeAt(`#/components/parameters/${name}`))]),
    );
    return withSigns(
      `{"openapi": ${JSON.stringify(openapi)}, "info": ${JSON.stringify(info)}, "servers": ${JSON.stringify(servers)},\n` +
        `"paths": ${lines(paths)},\n"components": {"parameters": ${lines(parameters)}, "schemas": ${lines(schemas)}}}\n`,
    );
  }

  #pathOf(item: Node): Node {
    const calls = methods.flatMap((method) => {
      const call = item[method] as Node | undefined;
      return call === undefined ? [] : [[method, this.#callOf(call)]];
    });
    return { ...this.#parametersOf(item), ...(Object.fromEntries(calls) as Node) };
  }

  #callOf(call: Node): Node {
    const mark = call[entityMark];
    const body = jsonSchema(this.#resolved((call['requestBody'] ?? {}) as Node));
    return {
      ...(mark === undefined ? {} : { [entityMark]: mark }),
      ...(call['servers'] === undefined ? {} : { servers: call['servers'] }),
      ...this.#parametersOf(call),
      ...(body === undefined
        ? {}
        : { requestBody: { content: { 'application/json': { schema: this.#schemaOf(body) } } } }),
      responses: this.#answersOf((call['responses'] ?? {}) as Node),
    };
  }

  #parametersOf({ parameters = [] }: { readonly parameters?: unknown }): Node {
    const kept = (parameters as readonly Node[]).flatMap((each) => {
      const name = String(each['$ref'] ?? '').replace('#/components/parameters/', '');
      const spread = this.#pageMembers(this.#resolved(each));
      if (spread.length > 0) return spread;
      if (name !== '') this.#used.parameters.add(name);
      return name === '' ? this.#parameterOf(each) : each;
    });
    return kept.length === 0 ? {} : { parameters: kept };
  }

  /** `page[size]` and `page[number]` of what an object `page` is spread over. */
  #pageMembers({ name, in: place, style, schema }: Node): readonly Node[] {
    if (name !== 'page' || style !== 'deepObject') return [];
    const members = Object.entries((this.#resolved((schema ?? {}) as Node)['properties'] ?? {}) as Node);
    return members.map(([member, its]) => ({
      name: `page[${member}]`,
      in: place,
      schema: { type: (its as Node)['type'] },
    }));
  }

  #parameterOf({ name, in: place, required, style, schema }: Node): Node {
    const { type, format } = this.#resolved((schema ?? {}) as Node);
    const asked = style === 'deepObject' ? this.#equalities((schema ?? {}) as Node) : {};
    const kind = { ...(type === undefined ? {} : { type }), ...(format === undefined ? {} : { format }), ...asked };
    return {
      ...{ name, in: place, ...(required === true ? { required } : {}) },
      ...('properties' in asked ? { style } : {}),
      schema: kind,
    };
  }

  /** Of an object of filters: the members that can be asked for as equal to something. */
  #equalities(schema: Node): Node {
    const members = Object.entries((this.#resolved(schema)['properties'] ?? {}) as Node);
    const equal = members.flatMap(([name, filter]) => {
      const { properties = {}, oneOf = [], anyOf = [] } = this.#resolved(filter as Node);
      const either = [oneOf, anyOf].flat() as readonly Node[];
      const all = [properties, ...either.map((each) => this.#resolved(each)['properties'] ?? {})];
      return all.some((each) => 'eq' in (each as Node)) ? [[name, { properties: { eq: {} } }]] : [];
    });
    return equal.length === 0 ? {} : { properties: Object.fromEntries(equal) as Node };
  }

  /** The first success, and what a 404 holds: its kind alone. */
  #answersOf(answers: Node): Node {
    const done = Object.keys(answers).find((status) => status.startsWith('2'));
    const kept: [string, Node][] = [];
    if (done !== undefined) {
      const schema = jsonSchema(this.#resolved(answers[done] as Node));
      kept.push([
        done,
        schema === undefined ? {} : { content: { 'application/json': { schema: this.#schemaOf(schema) } } },
      ]);
    }
    if (answers['404'] !== undefined) {
      const kinds = Object.keys((this.#resolved(answers['404'] as Node)['content'] ?? {}) as Node);
      kept.push(['404', kinds.length === 0 ? {} : { content: Object.fromEntries(kinds.map((kind) => [kind, {}])) }]);
    }
    return Object.fromEntries(kept);
  }

  /** A schema without marks that nothing reads and without words. */
  #schemaOf(schema: unknown, isNames = false): unknown {
    if (Array.isArray(schema)) return schema.map((part) => this.#schemaOf(part));
    if (typeof schema !== 'object' || schema === null) return schema;
    const reference = (schema as Node)['$ref'];
    if (typeof reference === 'string') this.#used.schemas.add(reference.replace('#/components/schemas/', ''));
    return Object.fromEntries(
      Object.entries(schema as Node)
        .filter(([key]) => isNames || !isLeftOut(key))
        .map(([key, value]) => [
          key,
          isValue(key, isNames) ? value : this.#schemaOf(value, !isNames && key === 'properties'),
        ]),
    );
  }

  #resolved(node: Node): Node {
    let at = node;
    for (let steps = 0; typeof at['$ref'] === 'string' && steps < 20; steps += 1) at = this.#nodeAt(at['$ref']);
    return at;
  }

  #nodeAt(reference: string): Node {
    const names = reference.slice(2).split('/');
    return names.reduce<Node>(
      (at, name) => (at[name.replaceAll('~1', '/').replaceAll('~0', '~')] ?? {}) as Node,
      this.#root,
    );
  }

  /** The named schemas that are used, and those that these use. */
  #namedSchemas(): Node {
    const kept = new Map<string, unknown>();
    for (
      let open = [...this.#used.schemas];
      open.length > 0;
      open = [...this.#used.schemas].filter((name) => !kept.has(name))
    )
      for (const name of open) kept.set(name, this.#schemaOf(this.#nodeAt(`#/components/schemas/${name}`)));
    return Object.fromEntries([...kept].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

function jsonSchema({ content }: Node): Node | undefined {
  const media = Object.entries((content ?? {}) as Node).find(([type]) => type.includes('json'))?.[1];
  return (media as Node | undefined)?.['schema'] as Node | undefined;
}

function isLeftOut(key: string): boolean {
  return ['description', 'title', 'example', 'examples'].includes(key) || (key.startsWith('x-') && !keptMarks.has(key));
}

function isValue(key: string, isNames: boolean): boolean {
  return !isNames && ['default', 'enum', 'const', 'required'].includes(key);
}

function lines(entries: Node): string {
  const each = Object.entries(entries).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${each.join(',\n')}\n}`;
}
