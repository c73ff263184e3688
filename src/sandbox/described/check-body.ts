import { type Json, type JsonObject, isJsonList, isJsonObject } from '../json.js';
import type { InvalidParameter } from '../problem.js';
import { type Description, listAt, textsAt } from './description.js';
import { isNumberOrText, spelledNumber } from './numbers.js';
import { constantsOf, holdsConstants } from './object.js';
import { hasForm } from './pattern.js';

/** What of a body is not as its schema says. Members that no schema knows are refused. */
export function bodyProblems(
  description: Description,
  schema: Json | undefined,
  body: Json,
): readonly InvalidParameter[] {
  const found: InvalidParameter[] = [];
  check(description, schema, body, '', found);
  return found;
}

function check(
  description: Description,
  node: Json | undefined,
  given: Json,
  field: string,
  found: InvalidParameter[],
): void {
  const { schema, properties, required, either } = description.shapeOf(node);
  const value = isNumberOrText(description, node) ? spelledNumber(given) : given;
  const report = (rule: string, reason: string): void => {
    found.push({ field, rule, reason: `${field} ${reason}`, source: 'body' });
  };
  if (value === null && isNullable(description, node)) return;
  const said = [schema['type'] ?? []].flat().filter((kind) => typeof kind === 'string');
  const kinds = isNumberOrText(description, node) && said.length > 0 ? ['number', ...said] : said;
  if (kinds.length > 0 && !kinds.some((kind) => isKind(kind, value)))
    return report('type', `must be ${kinds.join(', ')}`);
  const values = 'const' in schema ? [schema['const'] ?? null] : listAt(schema, 'enum');
  if (values.length > 0 && !values.some((each) => each === value))
    return report('enum', `must be one of ${values.join(', ')}`);
  checkLimits(schema, value, report);
  if (isJsonList(value) && schema['items'] !== undefined)
    value.forEach((item, at) => {
      check(description, schema['items'], item, `${field}[${String(at)}]`, found);
    });
  const unfit =
    either.length > 0 && !either.some((branch) => fits(description, branch, value))
      ? unfitProblems(description, either, value, field)
      : [];
  found.push(...unfit);
  if (!isJsonObject(value)) return;
  const inside = (name: string): string => insideOf(field, name);
  for (const name of required)
    if (!(name in value) && !unfit.some((each) => each.field === inside(name))) found.push(missingAt(inside(name)));
  const branches = either.map((branch) => description.shapeOf(branch));
  const isOpen =
    properties.size === 0 ||
    isFree(schema['additionalProperties']) ||
    branches.some((each) => each.properties.size === 0);
  for (const [name, member] of Object.entries(value)) {
    const own = properties.get(name) ?? entriesOf(schema);
    if (own !== undefined) check(description, own, member, inside(name), found);
    else if (!isOpen && !branches.some((each) => each.properties.has(name)) && branches.length === 0)
      found.push({
        field: inside(name),
        rule: 'unknown_property',
        reason: `${inside(name)} is not known`,
        source: 'body',
      });
  }
}

/** What speaks against a value that is none of several: of the kind that it says it is, else of what it is nearest to. */
function unfitProblems(
  description: Description,
  either: readonly Json[],
  value: Json,
  field: string,
): readonly InvalidParameter[] {
  const branches = either.filter((branch) => description.shapeOf(branch).schema['type'] !== 'null');
  const meant = isJsonObject(value) ? branches.filter((branch) => holdsConstants(description, branch, value)) : [];
  const kinds = branches.map((branch) => constantsOf(description, branch));
  const telling = [...(kinds[0]?.keys() ?? [])].find((name) => kinds.every((each) => each.has(name)));
  if (meant.length === 0 && telling !== undefined && isJsonObject(value)) {
    const at = insideOf(field, telling);
    if (!(telling in value)) return [missingAt(at)];
    const values = kinds.map((each) => String(each.get(telling))).join(', ');
    return [{ field: at, rule: 'enum', reason: `${at} must be one of ${values}`, source: 'body' }];
  }
  const problems = (meant.length > 0 ? meant : branches).map((branch) => {
    const own: InvalidParameter[] = [];
    check(description, branch, value, field, own);
    return own;
  });
  return problems.sort((a, b) => a.length - b.length)[0] ?? [];
}

function insideOf(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}

function missingAt(field: string): InvalidParameter {
  return { field, rule: 'required', reason: `${field} is required`, source: 'body' };
}

function fits(description: Description, schema: Json, value: Json): boolean {
  return bodyProblems(description, schema, value).length === 0;
}

/** What each member of a map is, beside those with names of their own. */
function entriesOf({ additionalProperties: entries }: JsonObject): Json | undefined {
  return isJsonObject(entries) && Object.keys(entries).length > 0 ? entries : undefined;
}

function isFree(additional: Json | undefined): boolean {
  return additional === true || isJsonObject(additional);
}

function isNullable(description: Description, node: Json | undefined): boolean {
  const { schema, either } = description.shapeOf(node);
  const isSaid = schema['nullable'] === true || schema['type'] === 'null' || textsAt(schema, 'type').includes('null');
  return isSaid || listAt(schema, 'enum').includes(null) || either.some((branch) => isNullable(description, branch));
}

function isKind(kind: string, value: Json): boolean {
  if (kind === 'array') return Array.isArray(value);
  if (kind === 'object') return isJsonObject(value);
  if (kind === 'integer') return Number.isInteger(value);
  return kind === 'null' ? value === null : typeof value === kind;
}

function checkLimits(
  { minLength, maxLength, minimum, maximum, minItems, maxItems, minProperties, maxProperties, ...more }: JsonObject,
  value: Json,
  report: (rule: string, reason: string) => void,
): void {
  const { pattern, uniqueItems } = more;
  const outside = (size: number, least: Json | undefined, most: Json | undefined): boolean =>
    (typeof least === 'number' && size < least) || (typeof most === 'number' && size > most);
  if (typeof value === 'string' && outside([...value].length, minLength, maxLength))
    report('length', 'has a wrong length');
  if (typeof value === 'number' && outside(value, minimum, maximum)) report('range', 'is out of range');
  if (Array.isArray(value) && outside(value.length, minItems, maxItems)) report('size', 'has a wrong number of items');
  if (isJsonObject(value) && outside(Object.keys(value).length, minProperties, maxProperties))
    report('size', 'has a wrong number of entries');
  if (typeof value === 'string' && typeof pattern === 'string' && !hasForm(pattern, value))
    report('matches_regex', `must match ${pattern}`);
  if (
    Array.isArray(value) &&
    uniqueItems === true &&
    new Set(value.map((item) => JSON.stringify(item))).size < value.length
  )
    report('unique_items', 'holds an item twice');
}
