import { pointerKeys } from '../../model/json-pointer.js';
import type { YamlNode } from '../read/yaml-node.js';
import { memberOf } from './foreign-yaml.js';

/** The member of a document that a JSON pointer through maps names. */
export function atPointerOf(node: YamlNode, pointer: string): ReturnType<typeof memberOf> {
  let found: ReturnType<typeof memberOf>;
  let at: YamlNode | undefined = node;
  for (const key of pointerKeys(pointer)) {
    found = memberOf(at, key);
    at = found?.value;
  }
  return at === undefined ? undefined : found;
}
