import { Ajv2020 } from 'ajv/dist/2020.js';
import { isList } from '../engine/model/value.js';
import type { Json, JsonObject } from '../engine/model/value.js';
import { formats } from '../providers/inputs-schema.js';

const ajv = new Ajv2020({ formats, strict: false, logger: false });

/** True for a limit that the description's own examples or default break: the service takes more than it says. */
export function isBrokenLimit(word: string, limit: Json, { example, examples, default: preset }: JsonObject): boolean {
  const shown = [example, preset, ...(isList(examples) ? examples : [])];
  return shown.some((value) => value !== undefined && value !== null && !takes(word, limit, value));
}

function takes(word: string, limit: Json, value: Json): boolean {
  try {
    return ajv.validate({ [word]: limit }, value);
  } catch {
    // A pattern of another dialect: nothing can be held against it.
    return false;
  }
}
