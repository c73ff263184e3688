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
  const report: Report = (rule, reason, limit) => {
    found.push({ field, rule, ...limit, reason: `${field} ${reason}`, source: 'body' });
  };
  if (value === null && isNullable(description, node)) return;
  const said = [schema['type'] ?? []].flat().filter((kind) => typeof kind === 'string');
  const kinds = isNumberOrText(description, node) && said.length > 0 ? ['number', ...said] : said;
  if (kinds.length > 0 && !kinds.some((kind) => isKind(kind, value))) {
    const [only, ...others] = kinds.filter((kind) => kind !== 'null');
    const rule = others.length === 0 && only !== undefined ? `is_${only}` : 'type';
    return report(rule, `must be ${kinds.map((kind) => `${/^[aio]/.test(kind) ? 'an' : 'a'} ${kind}`).join(' or ')}`);
  }
  const values = 'const' in schema ? [schema['const'] ?? null] : listAt(schema, 'enum');
  if (values.length > 0 && !values.some((each) => each === value))
    return report('enum', `must be one of ${values.join(', ')}`, { choices: values.map(String) });
  checkLimits(schema, value, report);
  if (isJsonList(value) && schema['items'] !== undefined)
    value.forEach((item, at) => {
      check(description, schema['items'], item, insideOf(field, String(at)), found);
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
    if (own !== undefined && isOnlyShown(description, own)) found.push(unknownAt(inside(name)));
    else if (own !== undefined) check(description, own, member, inside(name), found);
    else if (!isOpen && !branches.some((each) => each.properties.has(name)) && branches.length === 0)
      found.push(unknownAt(inside(name)));
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
    const choices = kinds.map((each) => String(each.get(telling)));
    return [{ field: at, rule: 'enum', choices, reason: `${at} must be one of ${choices.join(', ')}`, source: 'body' }];
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

function unknownAt(field: string): InvalidParameter {
  return { field, rule: 'unknown_property', reason: `"${field}" is not allowed`, source: 'body' };
}

/** What the platform alone says of an object is not taken from others. */
function isOnlyShown(description: Description, node: Json): boolean {
  return description.shapeOf(node).schema['readOnly'] === true;
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

export function isNullable(description: Description, node: Json | undefined): boolean {
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

type Report = (rule: string, reason: string, limit?: Pick<InvalidParameter, 'minimum' | 'maximum' | 'choices'>) => void;

function checkLimits(schema: JsonObject, value: Json, report: Report): void {
  const { pattern, uniqueItems, format } = schema;
  const limit = (size: () => number, names: readonly [string, string], rule: string, what: string): void => {
    const [minimum, maximum] = [schema[names[0]], schema[names[1]]];
    const [least, most] = rule === '' ? ['min', 'max'] : [`min_${rule}`, `max_${rule}`];
    if (typeof minimum === 'number' && size() < minimum)
      report(least, `must ${what.replace('#', `at least ${String(minimum)}`)}`, { minimum });
    else if (typeof maximum === 'number' && size() > maximum)
      report(most, `must ${what.replace('#', `at most ${String(maximum)}`)}`, { maximum });
  };
  if (typeof value === 'number') limit(() => value, ['minimum', 'maximum'], '', 'be #');
  if (typeof value === 'string') {
    // UTF-16 units bound the characters from above: counting is only needed beyond a limit.
    const isPlain = value.length <= Number(schema['maxLength'] ?? Infinity) && Number(schema['minLength'] ?? 0) <= 1;
    limit(
      () => (isPlain ? value.length : [...value].length),
      ['minLength', 'maxLength'],
      'length',
      'have # characters',
    );
    if (format === 'uuid' && !uuid.test(value)) report('is_uuid', 'must be a UUID');
    if (value.length > 0 || Number(schema['minLength'] ?? 0) === 0)
      if (typeof pattern === 'string' && !hasForm(pattern, value)) report('matches_regex', `must match ${pattern}`);
  }
  if (isJsonList(value)) {
    limit(() => value.length, ['minItems', 'maxItems'], 'items', 'have # items');
    if (uniqueItems === true && new Set(value.map((item) => JSON.stringify(item))).size < value.length)
      report('invalid', 'must not repeat an item');
  }
  if (isJsonObject(value))
    limit(() => Object.keys(value).length, ['minProperties', 'maxProperties'], 'items', 'have # entries');
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
