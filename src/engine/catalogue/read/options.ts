import { defined } from '@platform-sync/core/model/value';
import { addressKeyPattern, type Address } from '@platform-sync/core/model/address';
import { defaultOptions, type ResourceOptions } from '@platform-sync/core/model/desired';
import type { Expression } from '@platform-sync/core/model/expression';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import type { BuildContext } from './build-context.js';
import { listItems, plainBoolean, refuseUnknownKeys, wrongShape, type Entries } from './shape.js';

/** A text of the options block, and where it stands. */
export interface Located {
  readonly text: string;
  readonly at: SourceRange;
}

/** The options block, with the places its texts stand at for checks that need the whole catalogue. */
export interface DraftOptions {
  readonly values: ResourceOptions;
  readonly dependsOn: readonly Located[];
  readonly aliases: readonly Located[];
  readonly paths: readonly Located[];
  readonly import?: Located;
}

export const optionKeys: readonly string[] = [
  'dependsOn',
  'protect',
  'ignoreChanges',
  'replaceOnChanges',
  'deleteBeforeReplace',
  'retainOnDelete',
  'import',
  'aliases',
  'moved',
  'allowBrokenSpecification',
];

const noOptions: DraftOptions = { values: defaultOptions, dependsOn: [], aliases: [], paths: [] };

export function readOptions(entries: Entries, address: Address, context: BuildContext): DraftOptions {
  if (entries.size === 0) return noOptions;
  refuseUnknownKeys(entries, optionKeys, 'The options block', context);
  const flag = (name: string): boolean | undefined => {
    const entry = entries.get(name);
    return entry === undefined ? undefined : plainBoolean(entry.value, `"${name}" of ${address}`, context);
  };
  const texts = (name: string, read: (item: Expression) => string | undefined): readonly Located[] =>
    locatedItems(entries, name, address, read, context);
  const dependsOn = texts('dependsOn', addressText);
  const aliases = [...texts('aliases', addressText), ...movedFrom(entries, address, context)];
  const ignoreChanges = texts('ignoreChanges', pathText);
  const replaceOnChanges = texts('replaceOnChanges', pathText);
  const deleteBeforeReplace = flag('deleteBeforeReplace');
  const imported = importId(entries, address, context);
  return {
    values: {
      dependsOn: plain(dependsOn).sort(),
      protect: flag('protect') ?? false,
      ignoreChanges: plain(ignoreChanges),
      replaceOnChanges: plain(replaceOnChanges),
      ...defined({ deleteBeforeReplace }),
      retainOnDelete: flag('retainOnDelete') ?? false,
      ...defined({ import: imported?.text }),
      aliases: plain(aliases),
      ...(flag('allowBrokenSpecification') === true && { allowBrokenSpecification: true }),
    },
    dependsOn,
    aliases,
    paths: [...ignoreChanges, ...replaceOnChanges],
    ...defined({ import: imported }),
  };
}

/** `moved: {from: STACK:ADDRESS}`: a former address that another stack has, so far. */
function movedFrom(entries: Entries, address: Address, context: BuildContext): readonly Located[] {
  const value = entries.get('moved')?.value;
  if (value === undefined) return [];
  const from = value.kind === 'map' && value.entries.size === 1 ? value.entries.get('from')?.value : undefined;
  const text = from === undefined ? undefined : pathText(from);
  if (text !== undefined && isStackAddress(text)) return [{ text, at: from?.at ?? value.at }];
  wrongShape(value, `"moved" of ${address} must be a map such as {from: STACK:petstore}`, context);
  return [];
}

/** `dev:petstore/guide`: an address of another stack of the project. */
export function isStackAddress(text: string): boolean {
  const [stack = '', address = '', ...rest] = text.split(':');
  return (
    rest.length === 0 && addressKeyPattern.test(stack) && address.split('/').every((key) => addressKeyPattern.test(key))
  );
}

function plain(items: readonly Located[]): string[] {
  return [...new Set(items.map((item) => item.text))];
}

function locatedItems(
  entries: Entries,
  name: string,
  address: Address,
  read: (item: Expression) => string | undefined,
  context: BuildContext,
): readonly Located[] {
  const entry = entries.get(name);
  if (entry === undefined) return [];
  const wanted = read === addressText ? 'an address such as petstore/guide' : 'the path of a property';
  return listItems(entry.value, `"${name}" of ${address}`, context).flatMap((item) => {
    const text = read(item);
    if (text !== undefined) return [{ text, at: item.at }];
    wrongShape(item, `Each item of "${name}" of ${address} must be ${wanted}`, context);
    return [];
  });
}

/** An address, written plain or as the reference `${petstore}`. */
function addressText(item: Expression): string | undefined {
  if (item.kind === 'reference') return item.path.length === 0 ? item.target : undefined;
  if (item.kind !== 'literal' || typeof item.value !== 'string') return undefined;
  return item.value.split('/').every((key) => addressKeyPattern.test(key)) ? item.value : undefined;
}

function pathText(item: Expression): string | undefined {
  return item.kind === 'literal' && typeof item.value === 'string' && item.value !== '' ? item.value : undefined;
}

/** Text; or the map YAML makes of an unquoted `{"api_id": …, "id": …}`. */
function importId(entries: Entries, address: Address, context: BuildContext): Located | undefined {
  const value = entries.get('import')?.value;
  if (value === undefined) return undefined;
  const text = value.kind === 'map' ? jsonText(value.entries) : pathText(value);
  if (text !== undefined) return { text, at: value.at };
  wrongShape(value, `"import" of ${address} must be the id of an existing object`, context);
  return undefined;
}

function jsonText(entries: Entries): string | undefined {
  const keys = new Map<string, string>();
  for (const [name, entry] of entries) {
    if (entry.value.kind !== 'literal' || typeof entry.value.value !== 'string') return undefined;
    keys.set(name, entry.value.value);
  }
  return JSON.stringify(Object.fromEntries(keys));
}
