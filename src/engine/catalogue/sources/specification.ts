import type { FileRule } from '@platform-sync/core/model/resource-type';
import type { MapEntry } from '@platform-sync/core/model/expression';
import type { BuildContext } from '../read/build-context.js';
import type { YamlNode } from '../read/yaml-events.js';
import type { Overlaid } from '../read/data-files.js';
import type { FileValues } from './file-values.js';
import { foreignValue, memberOf, readForeign } from './foreign-yaml.js';
import { quickNodes } from '../read/js-yaml-events.js';
import { pointerKeys } from '@platform-sync/core/model/json-pointer';
import { memberRange } from '@platform-sync/core/model/read-json';

const kinds = ['openapi', 'swagger', 'asyncapi'];

/** True for a text that says what kind of API specification it is. */
export function isSpecification(text: string): boolean {
  return /^(?:\{\s*)?["']?(?:openapi|swagger|asyncapi)["']?[ \t]*:/m.test(text);
}

/** What a specification says about its API. Only its head is parsed; undefined (reported) when it is none. */
export function readSpecification(
  file: string,
  { text, base = file, by }: Pick<Overlaid, 'text'> & Partial<Overlaid>,
  rule: FileRule,
  context: Pick<BuildContext, 'problems'>,
): FileValues | undefined {
  const head = headOf(text);
  const top = head !== undefined && isNamed(head) ? head : readForeign(file, text, context);
  if (top === undefined) return undefined;
  const start = { file, start: 0, end: 0 };
  if (top === 'empty' || !isNamed(top)) {
    const summary = top === 'empty' ? `${file} is empty.` : `${file} is not an API specification.`;
    context.problems.add('not-a-specification', start, summary, {
      detail: 'A specification has openapi, swagger or asyncapi at its top.',
      hint: 'Move it elsewhere, or narrow the source to a pattern such as specs/*.openapi.yaml.',
    });
    return undefined;
  }
  const fields = new Map<string, MapEntry>();
  // Nobody finds a part of what overlays made: they say it.
  const place = by === undefined ? start : { ...start, file: by };
  for (const [field, pointer] of Object.entries(rule.fields)) {
    const found = atPointerOf(top, pointer);
    if (found?.value === undefined || isEmpty(found.value)) continue;
    const key = { file, start: found.key.start, end: found.key.end };
    const value = foreignValue(file, found.value, key);
    fields.set(field, by === undefined ? { key, value } : { key: place, value: { ...value, at: place } });
  }
  return { fields, body: { key: place, value: { kind: 'literal', value: text, at: place, from: base } } };
}

function isNamed(top: YamlNode): boolean {
  return kinds.some((kind) => memberOf(top, kind) !== undefined);
}

/** `description:` with nothing behind it says nothing. */
function isEmpty(node: YamlNode): boolean {
  return node.kind === 'alias' || (node.kind === 'scalar' && (node.value === null || node.text === ''));
}

/**
 * The top of a specification as far as `info` goes, with true offsets. A specification is mostly paths and schemas, which
 * nobody asks for here. Undefined where it is not plain to see that the head means alone what it means in the whole.
 */
function headOf(text: string): YamlNode | undefined {
  const end = /^\s*\{/.test(text) ? memberRange(text, 'info')?.end : blockHeadEnd(text);
  const head =
    end === undefined ? undefined : quickNodes(/^\s*\{/.test(text) ? `${text.slice(0, end)}}` : text.slice(0, end));
  return head?.length === 1 && head[0]?.kind === 'map' ? head[0] : undefined;
}

/** Where `info` of a block map ends: at the next line that is not indented. */
function blockHeadEnd(text: string): number | undefined {
  const info = /^(["']?)info\1[ \t]*:/m.exec(text);
  if (info === null) return undefined;
  const next = /\n(?=[^\s#])/g;
  next.lastIndex = info.index;
  const found = next.exec(text);
  if (found === null) return text.length;
  // The break belongs to the head: it ends what is written in lines. What follows must be a key, else nothing is as it seems.
  return /^["']?[\w$][^\s:]*:(?:\s|$)/.test(text.slice(found.index + 1, found.index + 200))
    ? found.index + 1
    : undefined;
}

/** The member of a document that a JSON pointer through maps names. */
function atPointerOf(node: YamlNode, pointer: string): ReturnType<typeof memberOf> {
  let found: ReturnType<typeof memberOf>;
  let at: YamlNode | undefined = node;
  for (const key of pointerKeys(pointer)) {
    found = memberOf(at, key);
    at = found?.value;
  }
  return at === undefined ? undefined : found;
}
