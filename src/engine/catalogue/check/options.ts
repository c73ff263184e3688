import { parsedJson } from '@platform-sync/core/model/read-json';
import { formerAddress, type Address } from '@platform-sync/core/model/address';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import { importIdForm, readImportId } from '@platform-sync/core/model/import-id';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import type { TypedResource, Catalogue } from '../build/catalogue.js';
import { exists, nearestTarget, switchedOff } from '../build/references.js';
import type { BuildContext } from '../read/build-context.js';
import { meant, removing } from '../problem/advice.js';
import type { Located } from '../read/options.js';
import { inputNames } from '../build/vocabulary.js';

/** Checks what the options blocks name: addresses, property paths, former addresses, import ids. */
export function checkOptions(catalogue: Catalogue, context: BuildContext): void {
  const aliases = new Map<Address, SourceRange>();
  const imported = new Map<string, SourceRange>();
  for (const assembled of catalogue.checked.values()) {
    const { options } = assembled;
    for (const needed of options.dependsOn) checkNeeded(needed, assembled, catalogue, context);
    for (const path of options.paths) checkPath(path, assembled, context);
    for (const alias of options.aliases) checkAlias(alias, assembled, catalogue, aliases, context);
    if (options.import !== undefined && checkImport(options.import, assembled, context))
      checkImportedOnce(options.import, assembled, imported, context);
  }
  for (const [address, at] of catalogue.removed) checkRemoved(address, at, catalogue, aliases, context);
  for (const [address, { at }] of catalogue.moved) checkRemoved(address, at, catalogue, aliases, context, 'moved');
}

/** What leaves the state is neither declared nor what a resource was called before. */
function checkRemoved(
  address: Address,
  at: SourceRange,
  { resources }: Catalogue,
  aliases: ReadonlyMap<Address, SourceRange>,
  { problems }: BuildContext,
  word: 'removed' | 'moved' = 'removed',
): void {
  const declared = resources.get(address)?.desired.at;
  const claimed = declared ?? aliases.get(address);
  if (claimed === undefined) return;
  const summary =
    declared === undefined
      ? `${address} is ${word}, and is also the former address of another resource.`
      : `The resource ${address} is ${word}, and still declared.`;
  problems.add('removed-in-use', at, summary, {
    hint: removing(
      declared === undefined
        ? `The record moves to the resource with the alias: take the address out of "${word}".`
        : `Take the block of the resource away as well, or the address out of "${word}".`,
    ),
    address,
    related: [{ at: claimed, message: declared === undefined ? 'the former address' : 'declared here' }],
  });
}

function checkNeeded(
  { text, at }: Located,
  { desired }: TypedResource,
  catalogue: Catalogue,
  { problems }: BuildContext,
): void {
  if (exists(text, catalogue) || catalogue.incomplete) return;
  const summary = catalogue.variables.has(text)
    ? `"dependsOn" takes resources, "${text}" is a variable.`
    : `There is no resource "${text}" to depend on.`;
  problems.add('unknown-reference', at, summary, {
    hint: catalogue.variables.has(text) ? undefined : nearestTarget(text, catalogue),
    address: desired.address,
    ...switchedOff(text, catalogue),
  });
}

function checkPath({ text, at }: Located, { desired, type }: TypedResource, { problems }: BuildContext): void {
  const name = /^[^.[]*/.exec(text)?.[0] ?? text;
  if (text === '*' || (Object.hasOwn(type.fields, name) && type.fields[name]?.input === true)) return;
  const inputs = inputNames(type);
  problems.add('unknown-property', at, `${type.shortToken} has no property "${name}" that can be declared.`, {
    hint: meant(name, inputs) ?? `Its properties are ${inputs.join(', ')}, and "*" stands for all.`,
    address: desired.address,
  });
}

function checkAlias(
  { text, at }: Located,
  { desired }: TypedResource,
  catalogue: Catalogue,
  claimed: Map<Address, SourceRange>,
  { problems }: BuildContext,
): void {
  const { address } = desired;
  const sibling = formerAddress(address, text);
  // Its own key, and one that it says in full as well, is none that it had among its siblings: it stood at the top.
  const isTop = sibling === address || (sibling !== text && desired.options.aliases.includes(sibling));
  const former = isTop ? text : sibling;
  const current = catalogue.resources.get(former)?.desired.at;
  const earlier = current ?? claimed.get(former);
  if (earlier === undefined) {
    claimed.set(former, at);
    return;
  }
  const summary =
    current === undefined
      ? `The former address ${former} is claimed twice.`
      : `The former address ${former} of ${address} still belongs to a resource.`;
  problems.add('alias-in-use', at, summary, {
    hint: 'A former address belongs to one resource, and no current resource may have it.',
    address,
    related: [{ at: earlier, message: current === undefined ? 'first claimed here' : 'declared here' }],
  });
}

/** One object belongs to one resource. */
function checkImportedOnce(
  { text, at }: Located,
  { desired, type }: TypedResource,
  imported: Map<string, SourceRange>,
  { problems }: BuildContext,
): void {
  const id = type.importId.form === 'json' ? canonicalJson(parsedJson(text)) : text.trim();
  const key = canonicalJson([type.token, id]);
  const first = imported.get(key);
  if (first === undefined) {
    imported.set(key, at);
    return;
  }
  problems.add('import-twice', at, `The object that ${desired.address} imports is imported by another resource, too.`, {
    hint: 'One object belongs to one resource: take the import out of one of the two.',
    address: desired.address,
    related: [{ at: first, message: 'first imported here' }],
  });
}

/** True for an id of the right form. */
function checkImport({ text, at }: Located, { desired, type }: TypedResource, { problems }: BuildContext): boolean {
  if ('identity' in readImportId(type.importId, text)) return true;
  const rule = type.importId;
  const summary = `"import" of ${desired.address} is not the id of a ${type.shortToken}.`;
  problems.add('bad-import-id', at, summary, {
    hint: rule.form === 'plain' ? 'Give the plain id of the object.' : `Give the ids as '${importIdForm(rule)}'.`,
    address: desired.address,
  });
  return false;
}
