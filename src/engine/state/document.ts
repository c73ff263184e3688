import { canonicalJson } from '../model/canonical.js';
import type { Deposed, Identity, Intent, RecordedResource, StackState } from '../model/state.js';
import type { Json, JsonObject } from '../model/value.js';
import { refusal } from './refuse.js';
import { fields, list, invalid, oneOf, record, text, texts, truth, whole, address } from './document-check.js';
import { mostLevels, readJson, TooDeepError } from '../model/read-json.js';

/** Names the format in the document itself, so that a stray JSON file is not taken for one. */
export const documentFormat = 'platform-sync-state';
export const documentVersion = 1;

/** One stack as one line of canonical JSON (schemas/state.schema.json), with a line end. Equal states, equal bytes. */
export function writeDocument(state: StackState): string {
  const { resources, ...rest } = state;
  const document = { format: documentFormat, version: documentVersion, ...rest, resources: [...resources.values()] };
  // Interfaces have no index signature, so the compiler can't see that the whole of it is JSON.
  return `${canonicalJson(document as unknown as Json)}\n`;
}

/** Throws DiagnosticError (`state-document-invalid`, `state-document-newer`) saying where the document is not one. */
export function readDocument(document: string): StackState {
  const top = parse(document);
  if (top['format'] !== documentFormat) throw invalid('format', `must be "${documentFormat}"`);
  const version = whole(top['version'], 'version');
  if (version > documentVersion) {
    throw refusal('state-document-newer', `the state document has version ${String(version)}, newer than this program`);
  }
  if (version !== documentVersion) throw invalid('version', `must be ${String(documentVersion)}`);
  const of = fields(top, '', stackFields);
  return {
    project: text(of['project'], 'project'),
    stack: text(of['stack'], 'stack'),
    lineage: text(of['lineage'], 'lineage'),
    serial: whole(of['serial'], 'serial'),
    fingerprintKey: text(of['fingerprintKey'], 'fingerprintKey', /^[0-9a-f]{64}$/),
    targets: texts(of['targets'], 'targets'),
    resources: uniqueResources(list(of['resources'], 'resources', resource)),
    outputs: record(of['outputs'], 'outputs'),
    intents: uniqueIntents(list(of['intents'], 'intents', intent)),
  };
}

const stackFields = {
  required: [
    'format',
    'version',
    'project',
    'stack',
    'lineage',
    'serial',
    'fingerprintKey',
    'targets',
    'resources',
    'outputs',
    'intents',
  ],
};

function parse(document: string): JsonObject {
  let value: unknown;
  try {
    value = readJson(document.replace(/^\uFEFF/, ''), mostLevels.own);
  } catch (error) {
    if (error instanceof TooDeepError)
      throw refusal('state-document-invalid', `the state document is not valid: its ${error.message}`);
    // The parser's own message quotes the text around the error, which may be a fingerprint key.
    throw refusal('state-document-invalid', 'the state document is not JSON');
  }
  return record(value, 'the document');
}

const resourceFields = {
  required: [
    'address',
    'type',
    'identity',
    'inputs',
    'outputs',
    'dependencies',
    'protect',
    'retainOnDelete',
    'deposed',
  ],
};

function resource(value: unknown, at: string): RecordedResource {
  const of = fields(value, at, resourceFields);
  return {
    address: address(of['address'], `${at}.address`),
    type: text(of['type'], `${at}.type`),
    identity: identity(of['identity'], `${at}.identity`),
    inputs: record(of['inputs'], `${at}.inputs`),
    outputs: record(of['outputs'], `${at}.outputs`),
    dependencies: list(of['dependencies'], `${at}.dependencies`, address),
    protect: truth(of['protect'], `${at}.protect`),
    retainOnDelete: truth(of['retainOnDelete'], `${at}.retainOnDelete`),
    deposed: list(of['deposed'], `${at}.deposed`, deposed),
  };
}

function deposed(value: unknown, at: string): Deposed {
  const of = fields(value, at, { required: ['identity', 'outputs'] });
  return { identity: identity(of['identity'], `${at}.identity`), outputs: record(of['outputs'], `${at}.outputs`) };
}

function identity(value: unknown, at: string): Identity {
  const of = fields(value, at, { required: ['id', 'scope'] });
  // Empty in the record of a create that is not done yet.
  if (typeof of['id'] !== 'string') throw invalid(`${at}.id`, 'must be a text');
  return { id: of['id'], scope: texts(of['scope'], `${at}.scope`) };
}

const intentFields = {
  required: ['id', 'address', 'type', 'action', 'scope', 'inputs', 'run', 'createdAt'],
  optional: ['identity', 'record'],
};

function intent(value: unknown, at: string): Intent {
  const of = fields(value, at, intentFields);
  return {
    id: text(of['id'], `${at}.id`),
    address: address(of['address'], `${at}.address`),
    type: text(of['type'], `${at}.type`),
    action: oneOf(of['action'], `${at}.action`, ['create', 'update', 'delete'] as const),
    ...(of['identity'] === undefined ? {} : { identity: identity(of['identity'], `${at}.identity`) }),
    scope: texts(of['scope'], `${at}.scope`),
    inputs: record(of['inputs'], `${at}.inputs`),
    ...(of['record'] === undefined ? {} : { record: resource(of['record'], `${at}.record`) }),
    run: text(of['run'], `${at}.run`),
    createdAt: text(of['createdAt'], `${at}.createdAt`, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
  };
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
