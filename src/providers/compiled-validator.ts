import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ResourceType } from '../engine/model/resource-type.js';
import type { Validator } from '../generated/validators.js';
import { formats, inputsSchema } from './inputs-schema.js';

/** The rules of a type's inputs, compiled while the program runs. */
export function compiledValidator(type: ResourceType): Validator {
  const ajv = new Ajv2020({ allErrors: true, formats, strictTypes: false, logger: false });
  return ajv.compile(inputsSchema(type));
}
