import { parsedJson } from '@platform-sync/core/model/read-json';
import { readImportId } from '@platform-sync/core/model/import-id';
import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import { pulumiStackMark } from '@platform-sync/core/model/pulumi-mark';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';
import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';

/** An object that a Pulumi stack has. */
export interface StackObject {
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
export function readPulumiStack(text: string, types: ReadonlyMap<string, ResourceType>): readonly StackObject[] {
  const resources = resourcesIn(text);
  return resources.flatMap((resource): StackObject[] => {
    if (!isObject(resource)) throw noStack('one of its resources is not an object');
    const { type: token, id, urn } = resource;
    const type = typeof token === 'string' ? types.get(token) : undefined;
    // What is only read belongs to others, and what is to be deleted soon is gone.
    const isOwn = resource['external'] !== true && resource['delete'] !== true;
    if (type === undefined || !isOwn || typeof id !== 'string' || typeof urn !== 'string') return [];
    const read = readImportId(type.importId, id);
    if ('why' in read) throw noStack(`"${id}" is not an id of a ${type.name}: ${read.why}`);
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
      hint: 'Write it with pulumi stack export --file stack.json, and name that file.',
    },
  ]);
}
