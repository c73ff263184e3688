import type { ResourceType } from '../engine/model/resource-type.js';
import type { Validator } from '../generated/validators.js';
import type { Check } from './rest/package.js';
import { checkResource } from './validate.js';

/** Holds values against the schemas of types; the compiler of schemas is loaded with the first. */
export function schemaChecks(): Check {
  const validators = new WeakMap<ResourceType, Promise<Validator>>();
  return async (type, properties) => {
    const known = validators.get(type) ?? compiled(type);
    validators.set(type, known);
    return checkResource(type, properties, await known);
  };
}

async function compiled(type: ResourceType): Promise<Validator> {
  return (await import('./compiled-validator.js')).compiledValidator(type);
}
