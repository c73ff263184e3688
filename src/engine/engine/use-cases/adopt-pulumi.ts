import { type Address, lastKey } from '@platform-sync/core/model/address';
import type { DesiredResource, DesiredState } from '@platform-sync/core/model/desired';
import { type Diagnostic, DiagnosticError } from '@platform-sync/core/model/diagnostic';
import { identityKey } from '@platform-sync/core/model/identity';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity, RecordedResource } from '@platform-sync/core/model/state';
import {
  hasUnknown,
  isList,
  isObject,
  type Json,
  type JsonObject,
  reveal,
  type Value,
} from '@platform-sync/core/model/value';
import { evaluate, type EvaluationScope, writtenScope } from '@platform-sync/core/resolve/evaluate';
import { groupBy, topologicalOrder } from '@platform-sync/core/model/graph';
import { dependencyGraph } from '@platform-sync/core/resolve/graph';
import { sameValue } from '@platform-sync/core/value/equality';
import { parsedJson } from '@platform-sync/core/model/read-json';
import { readImportId } from '@platform-sync/core/model/import-id';
import { pulumiStackMark } from '@platform-sync/core/model/pulumi-mark';

/** Which object of a Pulumi stack each resource of the catalogue is. */
export interface PulumiMatch {
  readonly imports: ReadonlyMap<Address, string>;
  /** First halves of the marks that the stack gives its objects: they are handed over. */
  readonly stackMarks: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

export interface PulumiMatchInput {
  /** What `pulumi stack export` wrote. */
  readonly text: string;
  readonly desired: DesiredState;
  readonly recorded: ReadonlyMap<Address, RecordedResource>;
  readonly types: ReadonlyMap<string, ResourceType>;
}

/** More names than this help nobody. */
const maxNames = 10;

/**
 * Finds the objects of a Pulumi stack that resources without a record describe: of the same type, in the same place, with the same
 * key as far as the file says it. Where several are, the one that the program calls like the resource.
 */
export function matchPulumiStack({ text, desired, recorded, types }: PulumiMatchInput): PulumiMatch {
  const objects = readPulumiStack(text, types);
  const taken = new Set([...recorded.values()].map(({ type, identity }) => identityKey(type, identity)));
  const free = groupBy(
    objects.filter((object) => !taken.has(keyOf(object))),
    ({ type }) => type.token,
  );
  const found = new Map<Address, StackObject>();
  const unclear: Diagnostic[] = [];
  const scope = writtenScope(desired, (address) => found.get(address)?.identity ?? recorded.get(address)?.identity);
  for (const address of topologicalOrder(dependencyGraph(desired))) {
    const resource = desired.resources.get(address);
    const candidates = resource === undefined || recorded.has(address) ? [] : (free.get(resource.type) ?? []);
    if (resource === undefined || candidates.length === 0) continue;
    const fitting = candidates.filter((object) => !taken.has(keyOf(object)) && fits(object, resource, scope));
    const named = fitting.filter(({ name }) => plain(name) === plain(address) || name === lastKey(address));
    const [only, ...others] = named.length === 1 ? named : fitting;
    if (only === undefined) continue;
    if (others.length > 0) unclear.push(several(address, fitting));
    else {
      found.set(address, only);
      taken.add(keyOf(only));
    }
  }
  const left = objects.filter((object) => !taken.has(keyOf(object)));
  return {
    imports: new Map([...found].map(([address, { id }]) => [address, id])),
    stackMarks: new Set(objects.map(({ stackMark }) => stackMark)),
    diagnostics: [...unclear, ...(left.length === 0 ? [] : [notDescribed(left)])],
  };
}

function keyOf({ type, identity }: StackObject): string {
  return identityKey(type.token, identity);
}

/** Nothing that the file says of its key or its place is another one; something of it must be said. */
function fits({ type, identity, values }: StackObject, resource: DesiredResource, scope: EvaluationScope): boolean {
  const declared = [...resource.properties].map(([name, expression]): [string, Value] => [
    name,
    evaluate(expression, scope),
  ]);
  const known: JsonObject = Object.fromEntries(
    declared.flatMap(([name, value]) => (hasUnknown(value) ? [] : [[name, reveal(value)] as const])),
  );
  const wanted: JsonObject = { ...type.derive(known), ...known };
  const actual: JsonObject = { ...values, ...identity.scope };
  const place = type.parent === undefined ? [] : [type.parent.field];
  const keys = [...new Set([...type.naturalKey, ...place])].filter((name) => (wanted[name] ?? null) !== null);
  return keys.length > 0 && keys.every((name) => isEqual(type, name, wanted[name], actual[name]));
}

function isEqual(type: ResourceType, name: string, wanted: Json | undefined, actual: Json | undefined): boolean {
  const rule = type.fields[name];
  return rule === undefined || sameValue(rule, wanted, actual);
}

/** As both worlds would spell it: what is no letter or digit counts as one sign. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '_');
}

function several(address: Address, objects: readonly StackObject[]): Diagnostic {
  const [first] = objects;
  return {
    severity: 'warning',
    code: 'pulumi-several',
    summary: `Several objects of the stack may be ${address}: ${objects.map(({ id }) => id).join(', ')}.`,
    hint: `Take the right one over: sync adopt ${address} '${first?.id ?? ''}'`,
    address,
  };
}

function notDescribed(left: readonly StackObject[]): Diagnostic {
  const names = left.slice(0, maxNames).map(({ type, name }) => `${type.shortToken} ${name}`);
  const more = left.length > maxNames ? ` and ${String(left.length - maxNames)} more` : '';
  return {
    severity: 'warning',
    code: 'pulumi-not-described',
    summary: `The catalogue describes no object that the stack has as ${names.join(', ')}${more}.`,
    hint: 'Files for what exists on the platform: sync export',
  };
}

/** An object that a Pulumi stack has. */
interface StackObject {
  readonly type: ResourceType;
  /** What the program calls it. */
  readonly name: string;
  /** First half of the marks that its stack gives. */
  readonly stackMark: string;
  /** As an import takes it. */
  readonly id: string;
  readonly identity: Identity;
  /** What was answered last, as far as it stands in clear. */
  readonly values: JsonObject;
}

/** Member that says that an object of an export is a value of a special kind: a secret, a file. */
const special = '4dabf18193072939515e22adb298388d';

/** The objects of `pulumi stack export` whose types are known here. Throws DiagnosticError for what is no such file. */
function readPulumiStack(text: string, types: ReadonlyMap<string, ResourceType>): readonly StackObject[] {
  const resources = resourcesIn(text);
  return resources.flatMap((resource): StackObject[] => {
    if (!isObject(resource)) throw noStack('one of its resources is not an object');
    const { type: token, id, urn } = resource;
    const type = typeof token === 'string' ? types.get(token) : undefined;
    // What is only read belongs to others, and what is to be deleted soon is gone.
    const isOwn = resource['external'] !== true && resource['delete'] !== true;
    if (type === undefined || !isOwn || typeof id !== 'string' || typeof urn !== 'string') return [];
    const read = readImportId(type.importId, id);
    if ('why' in read) throw noStack(`"${id}" is not an id of the type ${type.name}: ${read.why}`);
    const values = { ...clear(resource['inputs']), ...clear(resource['outputs']) };
    return [
      {
        type,
        name: urn.split('::').slice(3).join('::'),
        stackMark: pulumiStackMark(urn),
        id,
        identity: read.identity,
        values,
      },
    ];
  });
}

function resourcesIn(text: string): readonly Json[] {
  let whole: Json;
  try {
    whole = parsedJson(text);
  } catch {
    throw noStack('it is no JSON');
  }
  const deployment = isObject(whole) ? whole['deployment'] : undefined;
  if (!isObject(deployment)) throw noStack('it has no "deployment"');
  const resources = deployment['resources'] ?? [];
  if (!isList(resources)) throw noStack('its "resources" are no list');
  return resources;
}

function clear(members: Json | undefined): JsonObject {
  if (!isObject(members)) return {};
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !(isObject(value) && special in value)));
}

function noStack(why: string): DiagnosticError {
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'pulumi-stack',
      summary: `The file is not an export of a Pulumi stack: ${why}.`,
      hint: 'Write it, and name that file:\npulumi stack export --file stack.json',
    },
  ]);
}
