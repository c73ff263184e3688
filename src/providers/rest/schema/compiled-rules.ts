import { Ajv2020 } from 'ajv/dist/2020.js';
import { linearPattern } from '@platform-sync/core/model/linear-pattern';
import { ProviderError } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { formats, inputsSchema } from './inputs-schema.js';
import type { Validator } from '@platform-sync/core/model/validator';

/** What a value is held against. */
export interface Rules {
  /** Of its JSON schema. */
  readonly validate: Validator;
  /** The first part of a text that a pattern matches. */
  readonly find: (pattern: string, text: string) => string | undefined;
}

/** The compiler names it where it writes rules as text; here they are compiled in memory alone. */
const regExp = Object.assign((pattern: string) => linearPattern(pattern), { code: 'linearPattern' });

/** One for all types: each holds schemas against their own schema, whose rules take longer to compile than most types'. */
const ajv = new Ajv2020({ allErrors: true, formats, strictTypes: false, logger: false, code: { regExp } });

/** The rules of a type's inputs, compiled while the program runs. Its patterns are others': they run on an engine that ends. */
export function compiledRules(type: ResourceType): Rules {
  const schema = inputsSchema(type);
  try {
    return { validate: ajv.compile(schema), find: (pattern, text) => linearPattern(pattern).find(text) };
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    const summary = `The rules of ${type.shortToken} can't be used: ${why}.`;
    throw new ProviderError('configuration', [{ severity: 'error', code: 'bad-types-file', summary }]);
  } finally {
    // Whoever asked keeps the rules, for as long as they need them.
    ajv.removeSchema(schema);
  }
}
