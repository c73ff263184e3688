import { knownValue, type Hole, type ValueScope } from '@platform-sync/catalogue/build/known-value';
import { locate } from '@platform-sync/catalogue/read/shape';
import type { DesiredResource, DesiredState } from '@platform-sync/core/model/desired';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Expression, PathSegment } from '@platform-sync/core/model/expression';
import { fieldsWhere, openChoices, type ResourceType } from '@platform-sync/core/model/resource-type';
import { didYouMean } from '@platform-sync/core/model/nearest';
import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';

type Path = readonly PathSegment[];

/** A text or number that the schema does not list, though others may be as good. */
interface Newer {
  readonly path: Path;
  readonly text: string;
  readonly known: readonly string[];
}

/**
 * A warning for each text that this release does not know where the platform may know more of them: a typing error, or a name
 * that is newer than the release. One for each place, however many resources take their value from there.
 */
export function newerChoices(
  { resources, variables, sources }: DesiredState,
  typeOf: (token: string) => ResourceType,
): readonly Diagnostic[] {
  const scope: ValueScope = { variables, unusable: new Set(), broken: new WeakSet() };
  const told = new Map<string, Diagnostic>();
  const openFields = new Map(
    [...new Set([...resources.values()].map(({ type }) => type))].map((type) => [type, withOpenChoices(typeOf(type))]),
  );
  for (const resource of resources.values())
    for (const { name, schema } of openFields.get(resource.type) ?? []) {
      const written = resource.properties.get(name);
      if (written === undefined) continue;
      for (const newer of newerIn(written, name, schema, scope)) {
        const { at } = locate(written, newer.path.slice(1).map(String));
        const place = `${at.file} ${String(at.start)}`;
        if (!told.has(place)) told.set(place, { ...warning(resource, newer), place: sources.place(at) });
      }
    }
  return [...told.values()];
}

const withOpenChoices = fieldsWhere(({ input, schema }) => input && holdsOpenChoice(schema));

function holdsOpenChoice(schema: Json): boolean {
  if (isList(schema)) return schema.some(holdsOpenChoice);
  return isObject(schema) && (openChoices(schema) !== undefined || Object.values(schema).some(holdsOpenChoice));
}

/** What is not known before the run is not told, and what is a secret never. */
function newerIn(written: Expression, name: string, schema: JsonObject, scope: ValueScope): readonly Newer[] {
  const holes: Hole[] = [];
  const value = knownValue(written, scope, holes, [name]);
  const isHole = (path: Path): boolean =>
    holes.some((hole) => hole.path.every((step, at) => String(path[at]) === String(step)));
  return newerTexts(value, schema, [name]).filter(({ path }) => !isHole(path));
}

function newerTexts(value: Json, schema: Json | undefined, path: Path): readonly Newer[] {
  if (!isObject(schema)) return [];
  if (typeof value === 'string' || typeof value === 'number') {
    const known = openChoices(schema);
    return known === undefined || known.includes(String(value)) ? [] : [{ path, text: String(value), known }];
  }
  if (isList(value)) return value.flatMap((item, at) => newerTexts(item, schema['items'], [...path, at]));
  if (!isObject(value)) return [];
  const { properties, additionalProperties } = schema;
  return Object.entries(value).flatMap(([key, member]) => {
    const own = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    return newerTexts(member, own, [...path, key]);
  });
}

function warning({ address }: DesiredResource, { path, text, known }: Newer): Diagnostic {
  const field = path.map((step, at) => (typeof step === 'number' ? `[${String(step)}]` : at === 0 ? step : `.${step}`));
  return {
    severity: 'warning',
    code: 'newer-choice',
    summary: `"${field.join('')}" of ${address} is "${text}", which this release does not know.`,
    hint: didYouMean(text, known) ?? `It knows ${known.join(', ')}. The platform decides about others.`,
    address,
    field: field.join(''),
  };
}
