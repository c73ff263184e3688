import validate from './generated/state-validator.js';
import { demandOf, kindWords, violationOf, type KindWords } from '@platform-sync/core/model/broken-rule';
import type { JsonObject } from '@platform-sync/core/model/value';
import { refusal } from './refuse.js';

type Broken = NonNullable<typeof validate.errors>[number];

/** Throws where a document breaks schemas/state.schema.json. What is said never quotes a value, nor a name that is one. */
export function checkStateDocument(document: JsonObject): void {
  if (validate(document)) return;
  const [error] = validate.errors ?? [];
  if (error === undefined) throw new Error('bug: a state document was refused without a reason');
  throw invalid(...complaint(error));
}

/** The error for a place that does not hold what it should. */
export function invalid(at: string, problem: string): Error {
  return refusal('state-document-invalid', `the state document is not valid: ${at} ${problem}`, {
    hint: 'Push a document that `sync state pull` wrote.',
  });
}

function complaint(error: Broken): readonly [at: string, problem: string] {
  const { instancePath, keyword, params, schemaPath } = error;
  // Names below these are those of providers and fields: as much the user's own as values are.
  const named = /^(.*\/(?:targets|scope))\//.exec(instancePath)?.[1];
  if (named !== undefined) return [placeOf(named), 'must hold texts only'];
  const at = placeOf(instancePath);
  switch (keyword) {
    case 'required':
      return [placeOf(`${instancePath}/${String(params['missingProperty'])}`), 'is missing'];
    case 'additionalProperties':
      return [at === '' ? 'the document' : at, 'has a field that does not belong there'];
    case 'type':
    case 'minLength':
      return [at, demandOf(violationOf(error), kinds)];
    case 'pattern':
      return [at, schemaPath.includes('/address/') ? 'must be an address' : 'does not have its form'];
    case 'enum':
      return [at, `must be one of ${Object.values(params['allowedValues'] ?? []).join(', ')}`];
    default:
      return [at, 'must be a whole number that counts something'];
  }
}

const kinds: KindWords = { ...kindWords, string: 'a text', object: 'an object' };

/** `/resources/0/address` → `resources[0].address`. */
function placeOf(pointer: string): string {
  return pointer
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');
}
