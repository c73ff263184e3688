import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { importIdWord } from '@platform-sync/core/model/import-id';
import { isAlwaysThere, type FieldRule, type ResourceType } from '@platform-sync/core/model/resource-type';
import { describeObject, type FoundObject } from './found-object.js';

/** What could not be read. */
export interface Unread {
  readonly type: ResourceType;
  /** Left out: the list of a place, of which nothing is known then. */
  readonly id?: string;
  readonly why: string;
}

/** Why a file can't have what an object can't do without. */
export interface Lack {
  readonly why: string;
  /** What people can write by hand: `key`, `config.key`. */
  readonly byHand?: { readonly path: string; readonly isSecret: boolean };
}

/** An object, or a list, that could not be read. */
export function unreadDiagnostic({ type: { name }, id, why }: Unread): Diagnostic {
  if (id === undefined)
    return {
      severity: 'warning',
      code: 'export-list-unread',
      summary: `${name} objects were left out, with what is below them: their list can't be read. ${why}`,
      hint: `The token may lack the right to read them. Export again, or leave them unmanaged; --type chooses others.`,
    };
  return {
    severity: 'warning',
    code: 'export-object-unread',
    summary: `${name} (id ${id}) was left out, with everything below it: it can't be read. ${why}`,
    hint: 'Correct the object on the platform, or leave it unmanaged; then export again.',
  };
}

/** True for types of which no call shows what there is: nothing but an id leads to an object. */
export function isUnlisted(type: ResourceType): boolean {
  const { scope, listed } = type.collection;
  // What they live in is no type: nobody knows where to look.
  if (scope.length > 0 && type.parent === undefined) return true;
  if (listed !== false || isAlwaysThere(type)) return false;
  // The one of its place is read where the place is known.
  return scope.length === 0 || !type.naturalKey.every((field) => scope.includes(field));
}

export function unlistedDiagnostic(types: readonly ResourceType[]): readonly Diagnostic[] {
  if (types.length === 0) return [];
  return [
    {
      severity: 'info',
      code: 'export-unlisted',
      summary: `No list leads to objects of ${types.map(({ name }) => name).join(', ')}: what there is of these types was not exported.`,
      hint: 'Write the block of such an object by hand, and take it over by its id: sync adopt ADDRESS ID',
    },
  ];
}

export function objectLeftOut(object: FoundObject, { why, byHand }: Lack): Diagnostic {
  return {
    severity: 'warning',
    code: 'export-object-left-out',
    summary: `${describeObject(object)} was left out, with everything below it: ${why}.`,
    hint:
      byHand === undefined
        ? 'Change it on the platform, or leave it unmanaged.'
        : `${byHand.isSecret ? 'Secrets are never exported' : 'Answers do not show it'}: write its block by hand, with ${byHand.path}${byHand.isSecret ? ': !env NAME' : ''}, and take it over: sync adopt ADDRESS ${importIdWord(object.type.importId, object.identity)}`,
  };
}

export function fieldLeftOut(object: FoundObject, field: string, why: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'export-field-left-out',
    summary: `${field} of ${describeObject(object)} was left out: ${why}.`,
    hint: 'The file does not mention it, so it keeps its value.',
    field,
  };
}

/** A secret that the file takes from a variable of its own. */
export function secretAsked(object: FoundObject, path: readonly string[], variable: string): Diagnostic {
  const field = path.join('.');
  return {
    severity: 'warning',
    code: 'export-secret-asked',
    summary: `${field} of ${describeObject(object)} is a secret that it can't be without: the file takes it from ${variable}.`,
    hint: `Set ${variable} to the value that the object has: nothing reads it, and the next change of the object sends it.`,
    field,
  };
}

/** What an answer does not show and people know: a secret, or what is only ever sent. */
export function byHand(rule: FieldRule | undefined, path: readonly string[]): Lack['byHand'] {
  if (rule === undefined) return undefined;
  const [, ...members] = path;
  const isAmong = (paths: readonly string[] = []): boolean => paths.some((each) => covers(each.split('.'), members));
  const isSecret = rule.secret || isAmong(rule.secretMembers);
  if (!isSecret && !rule.writeOnly && !isAmong(rule.hiddenMembers)) return undefined;
  return { path: path.join('.'), isSecret };
}

/** `*` is any key, `**` whatever is there; items of lists have no step of their own. */
function covers(pattern: readonly string[], path: readonly string[]): boolean {
  const steps = path.filter((step) => !/^\d+$/.test(step));
  return pattern.length <= steps.length && pattern.every((step, at) => /^\*\*?$/.test(step) || step === steps[at]);
}
