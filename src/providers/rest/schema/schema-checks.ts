import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Check } from '../package.js';
import type { Rules } from './compiled-rules.js';
import { checkResource } from './validate.js';

/** Holds values against the schemas of types; the compiler of schemas is loaded with the first. */
export function schemaChecks(): Check {
  const known = new WeakMap<ResourceType, Promise<Rules>>();
  return async (type, properties) => {
    const rules = known.get(type) ?? compiled(type);
    known.set(type, rules);
    return checkResource(type, properties, await rules);
  };
}

async function compiled(type: ResourceType): Promise<Rules> {
  return (await import('./compiled-rules.js')).compiledRules(type);
}
