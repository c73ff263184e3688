import type { Expression, MapEntry } from '../model/expression.js';
import type { ProviderPackage, SchemaViolation } from '../model/provider.js';
import type { FieldRule } from '../model/resource-type.js';
import type { JsonObject } from '../model/value.js';
import type { Assembled, Catalogue } from './assemble.js';
import type { BuildContext } from './build-context.js';
import { checkHoles } from './check-holes.js';
import { knownValue, type Hole, type ValueScope } from './known-value.js';
import { reportViolations } from './report-violations.js';
import type { Vocabulary } from './vocabulary.js';

/** Checks the values of all resources and the arguments of all lookups against the packages' schemas. */
export async function checkValues(
  catalogue: Catalogue,
  vocabulary: Vocabulary,
  scope: ValueScope,
  context: BuildContext,
): Promise<void> {
  for (const assembled of catalogue.resources.values()) {
    const provider = vocabulary.packages.get(assembled.type.provider);
    if (provider !== undefined) await checkResource(assembled, provider, catalogue, vocabulary, scope, context);
    checkExactlyOne(assembled, context);
  }
  for (const { lookup } of context.lookups) {
    const type = vocabulary.lookups.get(lookup.function);
    const provider = type && vocabulary.packages.get(type.provider);
    if (type === undefined || provider === undefined) continue;
    const holes: Hole[] = [];
    const args = knownValue(lookup.arguments, scope, holes);
    if (holes.some((hole) => hole.path.length === 0)) continue;
    const violations = await provider.validateLookup(type.token, args as JsonObject);
    const { shortToken: name, inputs: schema } = type;
    reportViolations(violations, { value: lookup.arguments, name, at: lookup.at, schema, holes }, context);
  }
}

async function checkResource(
  { desired, type }: Assembled,
  provider: ProviderPackage,
  catalogue: Catalogue,
  vocabulary: Vocabulary,
  scope: ValueScope,
  context: BuildContext,
): Promise<void> {
  const entries = new Map<string, MapEntry>();
  for (const [name, value] of desired.properties) {
    entries.set(name, { key: desired.propertyKeys.get(name) ?? desired.at, value });
  }
  const value: Expression = { kind: 'map', entries, at: desired.at };
  const holes: Hole[] = [];
  const known = knownValue(value, scope, holes) as JsonObject;
  const { address, at } = desired;
  const schema = recordSchema(type.fields);
  const checked = { value, name: address, at, address, schema, holes };
  const pending = provider.validate(type.token, known);
  const violations: readonly SchemaViolation[] = pending instanceof Promise ? await pending : pending;
  reportViolations(violations, checked, context);
  checkHoles(checked, type, catalogue, vocabulary, scope, context);
}

const recordSchemas = new WeakMap<object, JsonObject>();

/** The fields as one record schema, for hints and types of nested parts. */
function recordSchema(fields: Readonly<Record<string, FieldRule>>): JsonObject {
  let schema = recordSchemas.get(fields);
  if (schema === undefined) {
    const properties = Object.fromEntries(Object.values(fields).map((rule) => [rule.name, rule.schema]));
    recordSchemas.set(fields, (schema = { type: 'object', properties, additionalProperties: false }));
  }
  return schema;
}

function checkExactlyOne({ desired, type }: Assembled, { problems }: BuildContext): void {
  for (const group of type.exactlyOne) {
    const given = group.filter((field) => desired.properties.has(field));
    if (given.length === 1) continue;
    const names = group.map((field) => `"${field}"`).join(', ');
    const summary =
      given.length === 0
        ? `${desired.address} needs one of ${names}.`
        : `${desired.address} may have only one of ${names}.`;
    const second = given[1];
    const at = second === undefined ? desired.at : (desired.propertyKeys.get(second) ?? desired.at);
    problems.add('exactly-one', at, summary, { address: desired.address });
  }
}
