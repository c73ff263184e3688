import { atPointerOf } from './pointer.js';
import type { FileRule } from '../../model/resource-type.js';
import type { MapEntry } from '../../model/expression.js';
import type { BuildContext } from '../read/build-context.js';
import type { YamlNode } from '../read/yaml-node.js';
import type { FileValues } from './file-values.js';
import { foreignValue, memberOf, readForeign } from './foreign-yaml.js';
import { headOf } from './specification-head.js';

const kinds = ['openapi', 'swagger', 'asyncapi'];

/** True for a text that says what kind of API specification it is. */
export function isSpecification(text: string): boolean {
  return /^(?:\{\s*)?["']?(?:openapi|swagger|asyncapi)["']?[ \t]*:/m.test(text);
}

/** What a specification says about its API. Only its head is parsed; undefined (reported) when it is none. */
export function readSpecification(
  file: string,
  text: string,
  rule: FileRule,
  context: Pick<BuildContext, 'problems'>,
): FileValues | undefined {
  const head = headOf(text);
  const top = head !== undefined && isNamed(head) ? head : readForeign(file, text, context);
  if (top === undefined) return undefined;
  const start = { file, start: 0, end: 0 };
  if (top === 'empty' || !isNamed(top)) {
    const summary = top === 'empty' ? `${file} is empty.` : `${file} is no API specification.`;
    context.problems.add('not-a-specification', start, summary, {
      detail: 'A specification has openapi, swagger or asyncapi at its top.',
      hint: 'Move it elsewhere, or narrow the source to a pattern such as specs/*.openapi.yaml.',
    });
    return undefined;
  }
  const fields = new Map<string, MapEntry>();
  for (const [field, pointer] of Object.entries(rule.fields)) {
    const found = atPointerOf(top, pointer);
    if (found?.value === undefined || isEmpty(found.value)) continue;
    const key = { file, start: found.key.start, end: found.key.end };
    fields.set(field, { key, value: foreignValue(file, found.value, key) });
  }
  return { fields, body: { key: start, value: { kind: 'literal', value: text, at: start, from: file } } };
}

function isNamed(top: YamlNode): boolean {
  return kinds.some((kind) => memberOf(top, kind) !== undefined);
}

/** `description:` with nothing behind it says nothing. */
function isEmpty(node: YamlNode): boolean {
  return node.kind === 'alias' || (node.kind === 'scalar' && (node.value === null || node.text === ''));
}
