import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { Intent, RecordedResource, StackState } from '@platform-sync/core/model/state';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { refusal } from './rows.js';
import { mostLevels, readJson, TooDeepError } from '@platform-sync/core/model/read-json';
import validate from './generated/state-validator.js';
import { demandOf, kindWords, type KindWords, violationOf } from '@platform-sync/core/model/broken-rule';

/** Names the format in the document itself, so that a stray JSON file is not taken for one. */
const documentFormat = 'platform-sync-state';
const documentVersion = 1;

/** One stack as one line of canonical JSON (schemas/state.schema.json), with a line end. Equal states, equal bytes. */
export function writeDocument(state: StackState): string {
  const { resources, ...rest } = state;
  const records = [...resources.values()].map(asDocumented);
  const document = { format: documentFormat, version: documentVersion, ...rest, resources: records };
  return `${canonicalJson(document)}\n`;
}

/** Older versions take no record with a reason to be careful, and nothing hangs on it. */
function asDocumented({ replacedFor: _, ...record }: RecordedResource): RecordedResource {
  return record;
}

/** A state document as JSON: what schemas/state.schema.json says. */
interface StateDocument extends Omit<StackState, 'resources'> {
  readonly format: typeof documentFormat;
  readonly version: typeof documentVersion;
  readonly resources: readonly RecordedResource[];
}

/** Throws DiagnosticError (`state-document-invalid`, `state-document-newer`) saying where the document is not one. */
export function readDocument(text: string): StackState {
  const { format: _format, version: _version, resources, intents, ...stack } = checked(parse(text));
  return { ...stack, resources: uniqueResources(resources), intents: uniqueIntents(intents) };
}

/** Another format or version is told as such, not as what of it fits nowhere. */
function checked(document: JsonObject): StateDocument {
  const { format, version } = document;
  if (format !== documentFormat) throw invalid('format', `must be "${documentFormat}"`);
  if (typeof version === 'number' && Number.isInteger(version) && version > documentVersion)
    throw refusal('state-document-newer', `the state document has version ${String(version)}, newer than this program`);
  if (version !== documentVersion) throw invalid('version', `must be ${String(documentVersion)}`);
  checkStateDocument(document);
  // The schema has just said that it is one.
  return document as unknown as StateDocument;
}

function parse(document: string): JsonObject {
  let value: Json;
  try {
    value = readJson(document.replace(/^\uFEFF/, ''), mostLevels.own);
  } catch (error) {
    if (error instanceof TooDeepError)
      throw refusal('state-document-invalid', `the state document is not valid: its ${error.message}`);
    // The parser's own message quotes the text around the error, which may be a fingerprint key.
    throw refusal('state-document-invalid', 'the state document is not JSON');
  }
  if (!isObject(value)) throw invalid('the document', 'must be an object');
  return value;
}

function uniqueResources(resources: readonly RecordedResource[]): ReadonlyMap<string, RecordedResource> {
  const byAddress = new Map(resources.map((one) => [one.address, one]));
  if (byAddress.size !== resources.length) throw invalid('resources', 'has an address twice');
  return byAddress;
}

function uniqueIntents(intents: readonly Intent[]): readonly Intent[] {
  if (new Set(intents.map((one) => one.id)).size !== intents.length) throw invalid('intents', 'has an id twice');
  return intents;
}

type Broken = NonNullable<typeof validate.errors>[number];

/** Throws where a document breaks schemas/state.schema.json. What is said never quotes a value, nor a name that is one. */
function checkStateDocument(document: JsonObject): void {
  if (validate(document)) return;
  const [error] = validate.errors ?? [];
  if (error === undefined) throw new Error('bug: a state document was refused without a reason');
  throw invalid(...complaint(error));
}

/** The error for a place that does not hold what it should. */
function invalid(at: string, problem: string): Error {
  return refusal('state-document-invalid', `the state document is not valid: ${at} ${problem}`, {
    hint: 'Push a document written by: sync state pull',
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
