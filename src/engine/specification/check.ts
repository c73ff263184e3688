import type { DesiredState } from '../model/desired.js';
import type { Diagnostic } from '../model/diagnostic.js';
import type { ResourceType } from '../model/resource-type.js';
import { isObject } from '../model/value.js';
import { readDocument } from '../value/document.js';
import type { SpecificationCode } from './codes.js';
import { firstBroken } from './first-broken.js';
import { kindOf } from './kinds.js';

/** What is wrong with the specifications that a catalogue holds: the first thing of each, as a warning. */
export async function specificationProblems(
  { resources, sources }: DesiredState,
  typeOf: (token: string) => ResourceType,
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  const known = new Map<string, Wrong | undefined>();
  for (const { address, type, properties } of resources.values()) {
    for (const [field, value] of properties) {
      if (typeOf(type).fields[field]?.equality !== 'document') continue;
      if (value.kind !== 'literal' || typeof value.value !== 'string') continue;
      const text = value.value;
      // Many APIs may be made from one file.
      if (!known.has(text)) known.set(text, await wrongIn(text));
      const wrong = known.get(text);
      if (wrong === undefined) continue;
      const { code, what } = wrong;
      const summary = `${field} of ${address} ${what}.`;
      found.push({ severity: 'warning', code, summary, place: sources.place(value.at), hint, address, field });
    }
  }
  return found;
}

const hint = 'The platform keeps it all the same, with what it finds wrong itself.';

interface Wrong {
  readonly code: SpecificationCode;
  readonly what: string;
}

/** Numbers that JSON can't hold are left alone: such a text is not read here. */
const longNumber = /\d{16}/;

async function wrongIn(text: string): Promise<Wrong | undefined> {
  const document = readDocument(text);
  if (text.trim() === '') return { code: 'no-specification', what: 'is empty' };
  if (document === undefined && longNumber.test(text)) return undefined;
  if (!isObject(document)) return { code: 'no-specification', what: 'is neither YAML nor JSON of a specification' };
  const kind = kindOf(document);
  if (kind === undefined)
    return { code: 'no-specification', what: 'has no openapi, swagger or asyncapi of a known version at its top' };
  const validate = (await kind.load()).default;
  if (validate({ ...document, ...kind.read })) return undefined;
  return { code: 'invalid-specification', what: `is not valid ${kind.name}: ${firstBroken(validate.errors ?? [])}` };
}
