import { DocumentFault } from '@platform-sync/core/model/document-fault';
import { defined, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { pointerKeys, toPointer } from '@platform-sync/core/model/json-pointer';
import { asList, asObject, asText } from '@platform-sync/rest/http/json';
import { extensions } from '../wire.js';
import { authPlugin } from './security.js';
import { requestValidator, validatorName } from './request-validator.js';
import {
  captureName,
  parameterAt,
  parametersOf,
  referred,
  type GatewayObject,
  type GatewayPlugin,
  type Parameter,
} from './specification.js';

export interface GatewayRoute extends GatewayObject {
  readonly plugins: readonly GatewayPlugin[];
}

export interface GatewayService extends GatewayObject {
  readonly plugins: readonly GatewayPlugin[];
  readonly routes: readonly GatewayRoute[];
}

export interface GatewayUpstream extends GatewayObject {
  readonly targets: readonly JsonObject[];
}

/** What a gateway needs in front of an API. */
export interface Gateway {
  readonly services: readonly GatewayService[];
  readonly upstreams: readonly GatewayUpstream[];
  /** What is required of callers, and no plugin asks for, with where that is first said. */
  readonly unasked: ReadonlyMap<string, readonly string[]>;
}

interface GatewayOptions {
  /** Paths and operations with the same servers, and no plugins of their own, share one service. */
  readonly reuseServices?: boolean;
  /** Optional headers with named values make routes of their own, too. */
  readonly allHeaders?: boolean;
}

/** What the document, a path or an operation says; what it leaves out stands further up. */
interface Level {
  readonly name: string;
  readonly at: string;
  readonly servers?: readonly Json[];
  readonly service?: JsonObject;
  readonly upstream?: JsonObject;
  readonly route?: JsonObject;
  readonly plugins: ReadonlyMap<string, GatewayPlugin>;
  readonly hasOwnService: boolean;
}

interface OpenService extends GatewayObject {
  readonly plugins: readonly GatewayPlugin[];
  readonly routes: GatewayRoute[];
}

const methods = ['delete', 'get', 'head', 'options', 'patch', 'post', 'put', 'trace'];
/** Plugins that ask callers who they are; one that shows itself to what is behind the gateway asks nobody. */
const asking = new Set([
  ...['ai-mcp-oauth2', 'basic-auth', 'header-cert-auth', 'hmac-auth', 'jwt', 'jwt-signer', 'key-auth', 'key-auth-enc'],
  ...['ldap-auth', 'ldap-auth-advanced', 'mtls-auth', 'oauth2', 'oauth2-introspection', 'openid-connect', 'saml'],
  'vault-auth',
]);
const priorityOfPlain = 200;
const priorityOfPattern = 100;

/** Services, routes, plugins and upstreams for a specification (OpenAPI 3). Throws DocumentFault. */
export function gatewayOf(document: JsonObject, options: GatewayOptions = {}): Gateway {
  return new Builder(document, options).gateway();
}

class Builder {
  readonly #document: JsonObject;
  readonly #options: GatewayOptions;
  readonly #top: Level;
  readonly #services = new Map<string, OpenService>();
  readonly #upstreams = new Map<string, GatewayUpstream>();
  /** What a service is like → the first one that is. */
  readonly #alike = new Map<string, OpenService>();
  readonly #tags: JsonObject;
  readonly #unasked = new Map<string, readonly string[]>();

  constructor(document: JsonObject, options: GatewayOptions) {
    this.#document = document;
    this.#options = options;
    const title = asText(asObject(document['info'])?.['title']);
    const name = nameOf(asText(document[extensions.name]) ?? title ?? '');
    if (name === '')
      throw new DocumentFault(
        'has no name for its service',
        ['info', 'title'],
        `Write info.title, or ${extensions.name}.`,
      );
    this.#tags = defined({ tags: asList(document[extensions.tags]) });
    const level = this.#level(document, name, []);
    const auth = this.#authOf(document['security'], ['security'], level.plugins);
    this.#top = auth === undefined ? level : { ...level, plugins: new Map([...level.plugins, [auth.name, auth]]) };
  }

  gateway(): Gateway {
    const paths = this.#document['paths'];
    if (paths === undefined) throw new DocumentFault('has no paths', [], 'Write "paths: {}" where there are none yet.');
    const entries = Object.entries(asObject(paths) ?? {}).filter(([path]) => path.startsWith('/'));
    for (const [path, item] of entries.sort(byName)) this.#path(path, referred(this.#document, item));
    if (this.#top.servers !== undefined || entries.length === 0) this.#serviceOf([this.#top]);
    return {
      services: [...new Set(this.#services.values())],
      upstreams: [...this.#upstreams.values()],
      unasked: this.#unasked,
    };
  }

  #path(path: string, item: JsonObject): void {
    const keys = ['paths', path];
    const given = asText(item[extensions.name]);
    const level = this.#level(item, `${this.#top.name}_${given === undefined ? pathName(path) : nameOf(given)}`, keys);
    for (const method of methods) {
      const operation = asObject(item[method]);
      if (operation !== undefined) this.#operation(path, method, item, operation, level);
    }
  }

  #operation(path: string, method: string, item: JsonObject, operation: JsonObject, above: Level): void {
    const keys = ['paths', path, method];
    const id = asText(operation['operationId']);
    const given = asText(operation[extensions.name]);
    const name =
      given !== undefined
        ? `${above.name}_${nameOf(given)}`
        : id === undefined
          ? `${above.name}_${method}`
          : `${this.#top.name}_${nameOf(id)}`;
    const level = this.#level(operation, name, keys);
    const levels = [this.#top, above, level];
    const service = this.#serviceOf(levels);
    const parameters = parametersOf(this.#document, item, operation);
    const plugins = this.#routePlugins(levels, operation, parameters);
    const route = { ...this.#route(levels, path, method, parameters), ...this.#tags };
    const combinations = headersOf(parameters, this.#options.allHeaders === true);
    for (const [at, headers] of combinations.entries())
      service.routes.push({
        name: `${name}_${at}`,
        at: level.at,
        fields: { ...route, name: `${name}_${at}`, headers },
        plugins,
      });
    service.routes.push({ name, at: level.at, fields: { ...route, name }, plugins });
  }

  #route(levels: readonly Level[], path: string, method: string, parameters: readonly Parameter[]): JsonObject {
    const { service: _service, ...defaults } = last(levels, 'route') ?? {};
    const { pattern, hasParameters } = patternOf(path, parameters);
    const priority = defaults['regex_priority'];
    const plain = typeof priority === 'number' ? priority : priorityOfPlain;
    const withParameters = typeof priority === 'number' ? priority - 1 : priorityOfPattern;
    return {
      strip_path: false,
      ...defaults,
      methods: [method.toUpperCase()],
      paths: [`~${pattern}$`],
      regex_priority: hasParameters ? withParameters : plain,
    };
  }

  /** Of the service that stands furthest down; what plugins it has goes to the routes where it is an operation's own. */
  #serviceOf(levels: readonly Level[]): OpenService {
    const at = levels.findLastIndex(({ hasOwnService }, depth) => hasOwnService || depth === 0);
    const upTo = levels.slice(0, at + 1);
    const level = upTo[at] ?? this.#top;
    const known = this.#services.get(level.at);
    if (known !== undefined) return known;
    const plugins = at > 1 ? [] : sorted(withoutValidator(merged(upTo)));
    const fields = { ...this.#address(upTo), ...this.#tags };
    // What a path adds is for its own routes; an operation's plugins are with its route anyway.
    const like = this.#options.reuseServices === true && !(at === 1 && level.plugins.size > 0) ? keyOf(fields, at) : '';
    const service = this.#alike.get(like) ?? { name: level.name, at: level.at, plugins, routes: [], fields };
    this.#services.set(level.at, service);
    if (like !== '') this.#alike.set(like, service);
    return service;
  }

  /** Host, port, protocol and path by the servers; several servers, or settings for them, make an upstream. */
  #address(levels: readonly Level[]): JsonObject {
    const level = levels.at(-1) ?? this.#top;
    const owner = levels.findLast(({ servers, upstream }, depth) => servers ?? upstream ?? depth === 0) ?? level;
    const above = levels.slice(0, levels.indexOf(owner) + 1);
    const servers = urlsOf(last(above, 'servers') ?? []);
    const first = servers[0] ?? new URL('https://localhost/');
    const settings = last(above, 'upstream');
    const service = last(levels, 'service') ?? {};
    const isMany = servers.length > 1 || settings !== undefined;
    const upstream = isMany && service['host'] === undefined ? `${owner.name}.upstream` : undefined;
    if (upstream !== undefined && !this.#upstreams.has(upstream)) {
      const { targets, ...fields } = settings ?? {};
      const named = asList(targets) ?? addressesOf(servers).map((target) => ({ target }));
      this.#upstreams.set(upstream, {
        name: upstream,
        at: owner.at,
        fields: { ...fields, name: upstream, ...this.#tags },
        targets: named.map((target) => ({ ...asObject(target), ...this.#tags })),
      });
    }
    return {
      host: upstream ?? first.hostname,
      port: portOf(first),
      protocol: first.protocol.slice(0, -1),
      path: first.pathname,
      ...service,
      name: level.name,
    };
  }

  #routePlugins(
    levels: readonly Level[],
    operation: JsonObject,
    parameters: readonly Parameter[],
  ): readonly GatewayPlugin[] {
    const at = levels.findLastIndex(({ hasOwnService }, depth) => hasOwnService || depth === 0);
    // What the service has counts for its routes; one that has a single route has none.
    const plugins = withoutValidator(merged(at > 1 ? levels : levels.slice(at + 1)));
    const [, , { at: place } = this.#top] = levels;
    const auth = this.#authOf(operation['security'], [...pointerKeys(place), 'security'], merged(levels));
    if (auth !== undefined) plugins.set(auth.name, auth);
    const validator = merged(levels).get(validatorName);
    const validating = validator && requestValidator(this.#document, validator, operation, parameters);
    if (validating !== undefined) plugins.set(validatorName, validating);
    return sorted(plugins);
  }

  #level(part: JsonObject, name: string, keys: readonly string[]): Level {
    const at = toPointer(keys);
    const settings = (key: string): JsonObject | undefined =>
      part[key] === undefined ? undefined : referred(this.#document, part[key]);
    const servers = asList(part['servers']);
    const own = {
      servers: servers?.length === 0 ? undefined : servers,
      service: settings(extensions.service),
      upstream: settings(extensions.upstream),
      route: settings(extensions.route),
    };
    const hasOwnService = (own.servers ?? own.service ?? own.upstream) !== undefined;
    return { name, at, ...defined(own), plugins: this.#plugins(part, keys), hasOwnService };
  }

  #plugins(part: JsonObject, keys: readonly string[]): ReadonlyMap<string, GatewayPlugin> {
    const found = new Map<string, GatewayPlugin>();
    for (const [key, value] of Object.entries(part)) {
      if (!key.startsWith(extensions.plugin)) continue;
      const name = key.slice(extensions.plugin.length);
      // What it is for is decided here.
      const { service: _service, route: _route, ...fields } = referred(this.#document, value);
      found.set(name, { name, at: toPointer([...keys, key]), fields: { ...fields, name, ...this.#tags } });
    }
    return found;
  }

  #authOf(security: Json | undefined, keys: readonly string[], plugins: Level['plugins']): GatewayPlugin | undefined {
    const made = security === undefined ? undefined : authPlugin(this.#document, security, keys);
    if (typeof made !== 'string') return made && { ...made, fields: { ...made.fields, ...this.#tags } };
    const isAsked = [...plugins.keys()].some((name) => asking.has(name));
    if (!isAsked && !this.#unasked.has(made)) this.#unasked.set(made, keys);
    return undefined;
  }
}

function last<K extends 'servers' | 'service' | 'upstream' | 'route'>(
  levels: readonly Level[],
  key: K,
): Level[K] | undefined {
  return levels.findLast((level) => level[key] !== undefined)?.[key];
}

function merged(levels: readonly Level[]): Map<string, GatewayPlugin> {
  return new Map(levels.flatMap(({ plugins }) => [...plugins]));
}

/** What is validated follows from each operation: a service has no such plugin. */
function withoutValidator(plugins: Map<string, GatewayPlugin>): Map<string, GatewayPlugin> {
  return new Map([...plugins].filter(([name]) => name !== validatorName));
}

/** What two services have in common that may be one; the document's own is shared with none. */
function keyOf(fields: JsonObject, depth: number): string {
  return depth === 0 ? '' : JSON.stringify({ ...fields, name: '' });
}

function sorted(plugins: ReadonlyMap<string, GatewayPlugin>): readonly GatewayPlugin[] {
  return [...plugins].sort(byName).map(([, plugin]) => plugin);
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** `simple-api-overview` of `Simple API overview`. */
function nameOf(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replaceAll(/-{2,}/g, '-')
    .replaceAll(/^[-_]+|[-_]+$/g, '');
}

/** `users-id` of `/users/{id}`; a slash at the end stands as `~`. */
function pathName(path: string): string {
  return `${nameOf(path)}${path.endsWith('/') ? '~' : ''}`;
}

function urlsOf(servers: readonly Json[]): readonly URL[] {
  return servers.map((server, at) => {
    const { url = '/', variables } = asObject(server) ?? {};
    const known = asObject(variables) ?? {};
    const filled = String(url).replaceAll(/\{([^}]+)\}/g, (whole, name: string) => {
      return asText(asObject(known[name])?.['default']) ?? whole;
    });
    if (URL.canParse(filled, 'https://localhost')) return new URL(filled, 'https://localhost');
    throw new DocumentFault(
      `names a server that is not an address: ${filled}`,
      ['servers', at, 'url'],
      'Write https://HOST/PATH.',
    );
  });
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'http:' || protocol === 'ws:' ? 80 : 443) : Number(port);
}

/** The path as a pattern; each parameter is a named part of it. */
function patternOf(
  path: string,
  parameters: readonly Parameter[],
): { readonly pattern: string; readonly hasParameters: boolean } {
  const parts = path.split(/(\{[^}]*\})/);
  const pattern = parts.map((part) => {
    if (!/^\{[^}]*\}$/.test(part)) return part.replaceAll(/[$()*+.?[\]\\^|]/g, String.raw`\$&`);
    const name = part.slice(1, -1);
    const isEmptyAllowed = parameterAt(parameters, name)?.schema['minLength'] === 0;
    return `(?<${captureName(name)}>[^#?/]${isEmptyAllowed ? '*' : '+'})`;
  });
  return { pattern: pattern.join(''), hasParameters: parts.length > 1 };
}

/** Every combination of the values that headers name, for a route each. */
function headersOf(parameters: readonly Parameter[], all: boolean): readonly JsonObject[] {
  const named = parameters.flatMap(({ name, place, required, schema }) => {
    const values = asList(schema['enum']) ?? [];
    return place === 'header' && (required || all) && values.length > 0 ? [[name, values] as const] : [];
  });
  if (named.length === 0) return [];
  let found: readonly JsonObject[] = [{}];
  for (const [name, values] of named.sort(byName))
    found = found.flatMap((headers) => values.map((value) => ({ ...headers, [name]: [String(value)] })));
  return found;
}

/** Servers of one host that differ in their paths, or in what variables stand for, are one target. */
function addressesOf(servers: readonly URL[]): readonly string[] {
  return [...new Set(servers.map((url) => `${url.hostname}:${String(portOf(url))}`))];
}
