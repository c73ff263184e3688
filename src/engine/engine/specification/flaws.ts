import { isObject, type JsonObject } from '@platform-sync/core/model/value';
import { firstBroken } from './first-broken.js';
import type { Flaw } from './flaw.js';
import { kindOf, type SpecificationKind } from './kinds.js';
import { References, type ReferredFiles } from './references.js';
import { SpecificationText } from './text.js';

/** What is wrong with a specification: that it can't be read, or the first broken rule and all references that lead nowhere. */
export async function flawsOf(text: string, file: string, files?: ReferredFiles): Promise<readonly Flaw[]> {
  const document = new SpecificationText(file, text);
  const { value, unreadable } = document;
  if (unreadable !== undefined)
    return [{ code: 'no-specification', severity: 'error', ...unreadable, document, path: [] }];
  if (!isObject(value)) return [noSpecification(document, 'is neither YAML nor JSON of a specification')];
  const said = kindOf(value);
  switch (said.is) {
    case 'nothing':
      return [noSpecification(document, 'has no openapi, swagger or asyncapi at its top')];
    case 'no-version':
      return [noSpecification(document, `says no version in ${said.member}`, said.member)];
    case 'unknown-version': {
      const what = `is of a version that is not known here (${said.member}: ${said.version}): its rules are not checked`;
      const path = [said.member];
      const place = document.placeOf(path);
      const flaw: Flaw = { code: 'unknown-specification-version', severity: 'warning', what, place, document, path };
      return [flaw, ...new References(files).check(document)];
    }
    case 'known':
      return [
        ...(await brokenRules(document, value, said.kind, said.isRelease)),
        ...new References(files).check(document),
      ];
  }
}

function noSpecification(document: SpecificationText, what: string, member?: string): Flaw {
  const path = member === undefined ? [] : [member];
  return { code: 'no-specification', severity: 'error', what, place: document.placeOf(path), document, path };
}

async function brokenRules(
  document: SpecificationText,
  value: JsonObject,
  kind: SpecificationKind,
  isRelease: boolean,
): Promise<readonly Flaw[]> {
  const validate = (await kind.load()).default;
  if (validate(isRelease ? { ...value, ...kind.read } : value)) return [];
  const { path, member, what } = firstBroken(validate.errors ?? []);
  const place = document.placeOf(path, member);
  const sentence = `is not valid ${kind.name}: ${what}`;
  return [{ code: 'invalid-specification', severity: 'error', what: sentence, place, document, path }];
}
