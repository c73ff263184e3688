import { asObject, asText, parseJson } from '@platform-sync/rest/http/json';

/**
 * The version an API specification states in its `info`, JSON or YAML. Reads the one line it needs rather than parsing
 * YAML: a miss means that an API is looked for by its name alone.
 */
export function specificationVersion(text: string): string | undefined {
  const json = asObject(parseJson(text));
  if (json !== undefined) return asText(asObject(json.info)?.version);
  let inInfo = false;
  for (const line of text.split('\n')) {
    if (/^\S/.test(line) && !line.startsWith('#')) inInfo = /^["']?info["']?:/.test(line);
    const found = inInfo ? stated.exec(line) : null;
    if (found !== null) return found[1] ?? found[2] ?? found[3];
  }
  return undefined;
}

/** On a line of its own, or among others in braces. */
const stated = /^(?:\s+|["']?info["']?:\s*\{(?:.*[\s,{])?)["']?version["']?:\s*(?:"([^"]*)"|'([^']*)'|([^#\s,}]+))/;
