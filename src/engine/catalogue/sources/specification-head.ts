import { quickNodes } from '../read/js-yaml-events.js';
import type { YamlNode } from '../read/yaml-node.js';

/**
 * The top of a specification as far as `info` goes, with true offsets. A specification is mostly paths and schemas, which
 * nobody asks for here. Undefined where it is not plain to see that the head means alone what it means in the whole.
 */
export function headOf(text: string): YamlNode | undefined {
  const end = /^\s*\{/.test(text) ? jsonHeadEnd(text) : blockHeadEnd(text);
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

/** Behind the value of the key `info` of the outermost object. */
function jsonHeadEnd(text: string): number | undefined {
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]]/g;
  let depth = 0;
  let inInfo = false;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [word] = found;
    if (word === '{' || word === '[') depth += 1;
    else if (word === '}' || word === ']') {
      depth -= 1;
      if (depth === 1 && inInfo) return token.lastIndex;
      if (depth < 1) return undefined;
    } else if (depth === 1 && !inInfo)
      inInfo = word === '"info"' && /^\s*:\s*\{/.test(text.slice(token.lastIndex, token.lastIndex + 100));
  }
  return undefined;
}
