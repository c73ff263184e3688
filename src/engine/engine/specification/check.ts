import type { Address } from '@platform-sync/core/model/address';
import { defined } from '@platform-sync/core/model/value';
import type { Diagnostic, Place, SourceRange, Sources } from '@platform-sync/core/model/diagnostic';
import type { Flaw } from './flaw.js';
import { flawsOf } from './flaws.js';
import type { HouseRules } from './house-rules.js';
import type { ReferredFiles } from './references.js';
import { SpecificationText } from './text.js';

/** A specification as a resource has it. */
export interface SpecificationValue {
  readonly address: Address;
  readonly field: string;
  readonly text: string;
  /** Where the catalogue gives it. */
  readonly at: SourceRange;
  /** The file whose text it is. */
  readonly from?: string;
  /** Made from a secret: no line of it is shown. */
  readonly isSecret: boolean;
  /** Why a broken one is no error: the resource says that it is published, or the object that is adopted has it already. */
  readonly exception?: 'option' | 'adopted';
  /** False for a text that may be something else: only what says that it is a specification counts. */
  readonly isCertain: boolean;
}

interface CheckedIn {
  /** None: references to other files are not looked at. */
  readonly files?: ReferredFiles;
  readonly sources: Sources;
  /** Rules that the project names. */
  readonly house?: HouseRules | undefined;
  /** Address and field → the text before the change under review: of rules, only what the change breaks is told. */
  readonly before?: ReadonlyMap<string, string> | undefined;
}

/** What is wrong with specifications: errors, and warnings for those that are published all the same. */
export async function specificationProblems(
  values: Iterable<SpecificationValue>,
  within: CheckedIn,
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  const known = new Map<string, readonly Flaw[]>();
  for (const value of values) {
    const { text, from = value.at.file } = value;
    if (!value.isCertain && !/^[\s{]*["']?(?:openapi|swagger|asyncapi)["']?[ \t]*:/m.test(text)) continue;
    // Many APIs may be made from one file.
    const key = `${from}\n${text}`;
    const flaws = known.get(key) ?? (await flawsOf(text, from, within.files));
    known.set(key, flaws);
    found.push(...flaws.map((flaw) => told(flaw, value, within)));
    if (within.house === undefined || flaws.some(({ code }) => code === 'no-specification')) continue;
    for (const flaw of await newlyBroken(within.house, value, within.before)) found.push(told(flaw, value, within));
  }
  return found;
}

/** Rules that a text breaks and the one before it did not. */
async function newlyBroken(
  house: HouseRules,
  { address, field, text, from, at }: SpecificationValue,
  before: CheckedIn['before'],
): Promise<readonly Flaw[]> {
  const old = before?.get(`${address} ${field}`);
  if (old === text) return [];
  const broken = await house(new SpecificationText(from ?? at.file, text));
  if (old === undefined || broken.length === 0) return broken;
  const keyOf = ({ what, path }: Flaw): string => JSON.stringify([what, path]);
  const known = new Set((await house(new SpecificationText(from ?? at.file, old))).map(keyOf));
  return broken.filter((flaw) => !known.has(keyOf(flaw)));
}

function told(flaw: Flaw, value: SpecificationValue, within: CheckedIn): Diagnostic {
  const { address, field, isSecret } = value;
  const { code, severity, detail, hint } = flaw;
  const place = placeOf(flaw, value, within);
  const what = isSecret ? 'breaks a rule of specifications' : flaw.what;
  const exception = severity === 'error' && value.exception !== undefined ? exceptions[value.exception] : undefined;
  return {
    severity: exception === undefined ? severity : 'warning',
    code,
    summary: `${field} of ${address} ${what}${exception?.summary ?? ''}.`,
    ...defined({ detail: [exception?.detail, isSecret ? undefined : detail].filter(Boolean).join(' ') || undefined }),
    ...defined({ hint: hint ?? (severity === 'error' && value.exception !== 'option' ? allow : undefined) }),
    place: isSecret ? withoutText(place) : place,
    address,
    field,
  };
}

const allow = 'Correct it, or publish it as it is with the option allowBrokenSpecification: true';

const exceptions = {
  option: {
    summary: ', and is published anyway',
    detail: 'The option allowBrokenSpecification publishes it anyway.',
  },
  adopted: {
    summary: ', and the object has it already',
    detail: 'Adopting changes nothing of it, but sync validate refuses it.',
  },
};

function placeOf(flaw: Flaw, value: SpecificationValue, { files, sources }: CheckedIn): Place {
  if (flaw.document.text !== value.text) return flaw.place;
  const own = value.from === undefined ? undefined : files?.read(value.from);
  // What overlays made of a file is told at the same part of the file, as far as it is there.
  if (value.from !== undefined && own?.ok === true && own.text !== value.text)
    return new SpecificationText(value.from, own.text).placeOf(flaw.path);
  if (value.from !== undefined) return flaw.place;
  const declared = sources.place(value.at);
  const file = files?.read(value.at.file);
  return (file?.ok === true ? inlinePlace(flaw.place, value, declared, file.text) : undefined) ?? declared;
}

function withoutText({ text: _, ...place }: Place): Place {
  return place;
}

/** The place in a catalogue file that a place in a text means which stands there as block text; undefined for other texts. */
function inlinePlace(
  place: Place,
  { text, at }: { readonly text: string; readonly at: SourceRange },
  declared: Place,
  catalogue: string,
): Place | undefined {
  if (catalogue[at.start] !== '|') return undefined;
  const line = declared.line + place.line;
  const written = catalogue.split('\n')[line - 1]?.replace(/\r$/, '') ?? '';
  const said = text.split('\n')[place.line - 1]?.replace(/\r$/, '') ?? '';
  const indent = written.length - said.length;
  if (indent < 0 || written.slice(indent) !== said || written.slice(0, indent).trim() !== '') return undefined;
  const span = { line, column: place.column + indent };
  return { file: declared.file, ...span, ...(declared.text !== undefined && { text: written }) };
}
