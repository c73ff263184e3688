import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ResourceType } from '../engine/model/resource-type.js';
import type { Validator } from '../generated/validators.js';
import { formats, inputsSchema } from './inputs-schema.js';

/** One for all types: each holds schemas against their own schema, whose rules take longer to compile than most types'. */
const ajv = new Ajv2020({ allErrors: true, formats, strictTypes: false, logger: false });

/** The rules of a type's inputs, compiled while the program runs. */
export function compiledValidator(type: ResourceType): Validator {
  const schema = inputsSchema(type);
  try {
    return ajv.compile(schema);
  } finally {
    // Whoever asked keeps the rules, for as long as they need them.
    ajv.removeSchema(schema);
  }
}
