import { DocumentFault } from '@platform-sync/core/model/document-fault';
import { pointerKeys } from '@platform-sync/core/model/json-pointer';
import type { MadeFromSpecification, MadeObject } from '@platform-sync/core/model/provider';
import { memberName, type ResourceType } from '@platform-sync/core/model/resource-type';
import { isObject, type JsonObject } from '@platform-sync/core/model/value';
import { decodeObject } from '@platform-sync/rest/decode';
import type { DefinedTypes } from '@platform-sync/rest/resource-type';
import { wireFields } from '@platform-sync/rest/wire-fields';
import { extensions } from '../wire.js';
import { gatewayOf } from './gateway.js';
import type { GatewayObject, GatewayPlugin } from './specification.js';

/**
 * The resources of a control plane for one specification: its service is called `key`, everything else begins so. Routes are
 * called by the operation, plugins by what they belong to. Throws DocumentFault.
 */
export function gatewayResources(document: JsonObject, key: string, types: DefinedTypes): MadeFromSpecification {
  const { services, upstreams, unasked } = gatewayOf(document, {
    reuseServices: document['x-sync-reuse-services'] === true,
  });
  const main = services.find(({ at }) => at === '');
  const start = main?.name ?? commonStart([...services, ...upstreams]);
  const short = ({ name }: GatewayObject): string =>
    name.startsWith(`${start}_`) ? name.slice(start.length + 1) : name;
  const maker = new Maker(types);
  for (const upstream of upstreams) {
    const own = short({ ...upstream, name: upstream.name.replace(/\.upstream$/, '') });
    const called = keyOf(key, own === start ? 'upstream' : `${own}-upstream`);
    maker.add(called, 'GatewayUpstream', upstream);
    for (const fields of upstream.targets) {
      const target = { name: String(fields['target']), at: upstream.at, fields };
      maker.add(keyOf('', target.name), 'GatewayTarget', target, {}, called);
    }
  }
  for (const service of services) {
    const called = service === main ? key : keyOf(key, `service-${short(service)}`);
    maker.add(called, 'GatewayService', service);
    maker.plugins(called, service.plugins, { serviceId: called });
    for (const route of service.routes) {
      const routeKey = keyOf(key, short(route));
      maker.add(routeKey, 'GatewayRoute', route, { serviceId: called });
      maker.plugins(routeKey, route.plugins, { routeId: routeKey });
    }
  }
  const warnings = [...unasked].map(([schemes, path]) => ({
    why: `requires ${schemes} of callers, and no plugin is made for that: the gateway lets everybody through`,
    path,
    hint: `Fine where what is behind the gateway asks. Else write ${extensions.plugin}NAME at the same place.`,
  }));
  return { objects: maker.made, warnings };
}

class Maker {
  readonly made: MadeObject[] = [];
  readonly #types: DefinedTypes;
  readonly #keys = new Set<string>();
  /** By the type's name in small letters: no two differ by capitals alone. */
  readonly #tokens: ReadonlyMap<string, string>;

  constructor(types: DefinedTypes) {
    this.#types = types;
    this.#tokens = new Map([...types.types.keys()].map((token) => [memberName(token).toLowerCase(), token]));
  }

  plugins(owner: string, plugins: readonly GatewayPlugin[], references: MadeObject['references']): void {
    for (const plugin of plugins) {
      const { name: kind, consumer, ...fields } = plugin.fields;
      if (consumer !== undefined)
        throw new DocumentFault(
          `has the plugin ${String(kind)} for the consumer ${String(consumer)}, whose id no specification knows`,
          pointerKeys(plugin.at),
          'Declare this plugin in the catalogue, with consumerId.',
        );
      const type = `GatewayPlugin${plugin.name.replaceAll('-', '')}`;
      this.add(keyOf(owner, plugin.name), type, { ...plugin, fields }, references);
    }
  }

  add(
    key: string,
    typeName: string,
    { name, at, fields }: GatewayObject,
    references: MadeObject['references'] = {},
    below?: string,
  ): void {
    const token = this.#tokens.get(typeName.toLowerCase());
    const type = token === undefined ? undefined : this.#types.types.get(token);
    if (type === undefined)
      throw new DocumentFault(
        `has the plugin ${name}, which is unknown`,
        pointerKeys(at),
        'The types GatewayPlugin… are among all: sync schema',
      );
    const whole = `${below ?? ''}/${key}`;
    if (this.#keys.has(whole))
      throw new DocumentFault(
        `has two ${type.name} called ${name}`,
        pointerKeys(at),
        `Give one of the two operations another operationId or ${extensions.name}.`,
      );
    this.#keys.add(whole);
    const properties = this.#properties(type, fields, at);
    this.made.push({ key, type: type.token, properties, references, at, ...(below !== undefined && { below }) });
  }

  /** Fields in the words of a catalogue. */
  #properties(type: ResourceType, fields: JsonObject, at: string): JsonObject {
    const rest = this.#types.restOf(type);
    const { read } = wireFields(type, rest);
    const scope = Object.fromEntries(rest.scope.map((field) => [field, '-']));
    const decoded = decodeObject(type, rest, { ...fields, id: '-' }, { scope })?.values ?? {};
    const known = read.filter(({ rule, wire }) => rule.input && Object.hasOwn(fields, wire));
    const unknown = Object.keys(fields).find((wire) => !known.some((field) => field.wire === wire));
    if (unknown !== undefined)
      throw new DocumentFault(
        `sets ${unknown}, which a ${type.name} does not have`,
        pointerKeys(at),
        `All of them: sync schema ${type.name}`,
      );
    return Object.fromEntries(known.flatMap(({ name }) => withValue(name, decoded)));
  }
}

function withValue(name: string, values: JsonObject): readonly (readonly [string, JsonObject[string]])[] {
  const value = values[name];
  return value === undefined || (isObject(value) && Object.keys(value).length === 0) ? [] : [[name, value]];
}

function keyOf(owner: string, name: string): string {
  const plain = `${owner}${owner === '' ? '' : '-'}${name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'root'}`;
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
}

/** What all names begin with, up to the first `_`. */
function commonStart(objects: readonly GatewayObject[]): string {
  return objects[0]?.name.split('_')[0] ?? '';
}
