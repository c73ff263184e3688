import type { Expression, PathSegment } from '../../model/expression.js';
import type { FieldRule } from '../../model/resource-type.js';
import { isObject, type JsonObject } from '../../model/value.js';
import type { Catalogue } from '../build/assembled.js';
import type { BuildContext } from '../read/build-context.js';
import { pathText } from './references.js';
import { followReference, type ValueScope } from '../build/known-value.js';
import { locate } from '../read/locate.js';
import type { Checked } from './report-violations.js';
import { schemaAt, schemaTypes, typesExclude } from './schema-walk.js';
import { kindList } from '../../model/broken-rule.js';
import type { Vocabulary } from '../build/vocabulary.js';

/** Token of the type whose id a value must be; undefined where it need be none. */
export type WantedId = (path: readonly PathSegment[]) => string | undefined;

/** Checks what schemas tell of values that are not known yet: their types, and whose id a reference is. */
export function checkHoles(
  checked: Checked,
  wantedId: WantedId,
  catalogue: Catalogue,
  vocabulary: Vocabulary,
  scope: ValueScope,
  context: BuildContext,
): void {
  for (const hole of checked.holes) {
    const source = holeSource(hole.expression, catalogue, vocabulary, scope);
    const target = schemaAt(checked.schema, hole.path);
    if (source === undefined || target === undefined || target === 'none') continue;
    const report = (code: 'wrong-type' | 'wrong-reference', is: string): void => {
      const { at } = locate(checked.value(), hole.path.map(String));
      const details = { address: checked.address, field: pathText(hole.path) };
      context.problems.add(code, at, `"${pathText(hole.path)}" of ${checked.name} ${is}.`, details);
    };
    if (typesExclude(source.schema, target)) {
      report(
        'wrong-type',
        `must be ${kindList(schemaTypes(target))}, ${source.text} is ${kindList(schemaTypes(source.schema))}`,
      );
      continue;
    }
    const wanted = wantedId(hole.path);
    if (wanted === undefined || source.idOf === undefined || source.idOf === wanted) continue;
    const short = (token: string): string => vocabulary.types.get(token)?.shortToken ?? token;
    const given = source.idOf === '' ? 'no id' : `that of a ${short(source.idOf)}`;
    report('wrong-reference', `takes the id of a ${short(wanted)}, ${source.text} is ${given}`);
  }
}

interface Source {
  readonly text: string;
  readonly schema: JsonObject;
  /** Token of the type whose id it is; empty when it is a property that holds no id. */
  readonly idOf?: string;
}

function holeSource(
  expression: Expression,
  catalogue: Catalogue,
  vocabulary: Vocabulary,
  scope: ValueScope,
): Source | undefined {
  if (['interpolation', 'toJson', 'join'].includes(expression.kind))
    return { text: 'this text', schema: { type: 'string' } };
  const end = expression.kind === 'reference' ? followReference(expression, scope) : { expression, rest: [] };
  if (end === undefined || end.missing !== undefined) return undefined;
  if (end.expression.kind === 'lookup') {
    const { function: token, return: output } = end.expression;
    const lookup = vocabulary.lookups.get(token);
    const schema = lookup && schemaAt(lookup.outputs, output === undefined ? end.rest : [output, ...end.rest]);
    if (!isSchema(schema)) return undefined;
    const path = output === undefined ? end.rest : [output, ...end.rest];
    const isId = lookup?.of !== undefined && path.length === 1 && path[0] === 'id' && !lookup.name.endsWith('List');
    return { text: 'the lookup', schema, ...(isId ? { idOf: lookup.of } : {}) };
  }
  if (end.expression.kind !== 'reference') return undefined;
  const [field, ...rest] = [...end.expression.path, ...end.rest];
  const resource = catalogue.resources.get(end.expression.target);
  if (resource === undefined || typeof field !== 'string') return undefined;
  const text = `\${${end.expression.text}}`;
  if (field === 'id') return { text, schema: { type: 'string' }, idOf: resource.type.token };
  const rule: FieldRule | undefined = resource.type.fields[field];
  const schema = rule && schemaAt(rule.schema, rest);
  if (rule === undefined || !isSchema(schema)) return undefined;
  // The inputs of one resource may be the ids of another: `${guide.apiId}` is as good as `${petstore.id}`.
  return rest.length > 0 ? { text, schema } : { text, schema, idOf: rule.references ?? '' };
}

function isSchema(schema: JsonObject | 'none' | undefined): schema is JsonObject {
  return isObject(schema);
}
