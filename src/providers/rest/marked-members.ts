import { defined } from '@platform-sync/core/model/value';
import { anyText, type UpdateLimits } from '@platform-sync/core/model/resource-type';
import type { FieldType, MemberType } from './definition.js';
import { memberOf } from './field-schema.js';
import { snakeCase } from './names.js';

/** Paths of the members that tell the kinds of a record, or of one inside of it; undefined where there are none. */
export function kindMembers(type: FieldType): readonly string[] | undefined {
  const found = pathsOfKinds(type);
  return found.length === 0 ? undefined : found;
}

function pathsOfKinds(type: FieldType): readonly string[] {
  if (typeof type === 'string' || 'choice' in type || 'map' in type) return [];
  if ('list' in type) return pathsOfKinds(type.list);
  const inside = Object.entries(type.members).flatMap(([name, member]) =>
    typeof member === 'string' ? [] : pathsOfKinds(member.type ?? 'string').map((path) => `${name}.${path}`),
  );
  return [...(type.by === undefined ? [] : [type.by]), ...inside];
}

/** Paths of the members that are secrets, and, beside one, of those that nothing is known of; undefined where there are none. */
export function secretMembers(type: FieldType, isUnseen = false): readonly string[] | undefined {
  if (isUntyped(type)) return [anyText];
  const isSecret = (member: MemberType, name: string): boolean =>
    member.secret ?? isCredentialMember(isUnseen ? { ...member, writeOnly: true } : member, name);
  const isUnknown = (member: MemberType): boolean => member.secret === undefined && isUntyped(member.type ?? 'string');
  if (pathsWhere(type, isSecret).length === 0) return undefined;
  return pathsWhere(type, (member, name) => isSecret(member, name) || isUnknown(member)).map(([path]) => path);
}

/** Of a record that no answer shows, its own members tell. */
function isCredentialMember({ type = 'string', writeOnly }: MemberType, name: string): boolean {
  const isText = typeof type === 'string' || 'list' in type;
  return isCredential({ name, type, isUnseen: isText && writeOnly === true });
}

/** Paths of the members that no answer shows; undefined where there are none. */
export function hiddenMembers(type: FieldType): readonly string[] | undefined {
  const found = pathsWhere(type, ({ writeOnly }) => writeOnly === true).map(([path]) => path);
  return found.length === 0 ? undefined : found;
}

/** What of a record an update takes; undefined where that is all of it. */
export function updatesOnly(type: FieldType): UpdateLimits | undefined {
  const kinds = pathsWhere(type, (member) => member.updatesOnly !== undefined);
  const fixed = pathsWhere(type, ({ createOnly }) => createOnly === true).map(([path]) => path);
  if (kinds.length + fixed.length === 0) return undefined;
  const taken = kinds.map(([path, member]) => [path, member.updatesOnly ?? []] as const);
  return defined({
    kinds: kinds.length === 0 ? undefined : Object.fromEntries(taken),
    fixed: fixed.length === 0 ? undefined : fixed,
  });
}

/** Members that are meant, with their paths; of what is in one that is meant, nothing. */
function pathsWhere(
  type: FieldType,
  isMeant: (member: MemberType, name: string) => boolean,
): readonly (readonly [path: string, member: MemberType])[] {
  if (typeof type === 'string' || 'choice' in type) return [];
  if ('list' in type) return pathsWhere(type.list, isMeant);
  if ('map' in type) return pathsWhere(type.map, isMeant).map(([path, member]) => [`*.${path}`, member]);
  return Object.entries(type.members).flatMap(([name, said]): (readonly [string, MemberType])[] => {
    const member = memberOf(said);
    if (isMeant(member, name)) return [[name, member]];
    return pathsWhere(member.type ?? 'string', isMeant).map(([path, inner]) => [`${name}.${path}`, inner]);
  });
}

const credential =
  /(?:^|_)(?:secrets?|secret_(?:access_)?key|(?:cert|auth)_key|password|passphrase|private_?key|token|token_?value|api_?key|authorization|credentials|headers_values?)$/;
/** The half of a pair of ids that is kept secret, such as an application's at a vault. */
const secretHalf = /^secret_id$/;
/** What something costs or weighs by the token is none. */
const measured = /(?:^|_)per_token$/;
const endings = /(?:secret|password|private_?key|token_?value|api_?key)$/;
/** Names that say nothing by themselves, of texts that no answer shows. */
const unseen = /(?:^|_)(?:key|value)(?:_alt)?$/;
const settings = /(?:^|_)config$/;
/** What goes along with every request to another service signs in there. */
const headers = /(?:^|_)headers$/;

/** What of a field tells whether it holds a credential. */
export interface Holder {
  readonly name: string;
  /** Left out: a text. */
  readonly type?: FieldType;
  /** No answer shows it, or only the one that made it. */
  readonly isUnseen?: boolean;
}

/**
 * Whether a field is a credential where nothing else says so: by its name, because it is never shown, or because nothing is
 * known of the settings that it holds. The one place where names decide; a definition that says `secret` is believed.
 */
export function isCredential({ name, type = 'string', isUnseen = false }: Holder): boolean {
  const words = snakeCase(name).toLowerCase();
  if (isUnseen && isRecord(type)) return true;
  if (isUntyped(type)) return settings.test(words) || isCalledCredential(words);
  if (isMapOfTexts(type)) return headers.test(words);
  if (!isText(type)) return false;
  return isCalledCredential(words) || (isUnseen && unseen.test(words));
}

function isCalledCredential(words: string): boolean {
  return (credential.test(words) && !measured.test(words)) || endings.test(words) || secretHalf.test(words);
}

function isText(type: FieldType): boolean {
  return typeof type === 'string' ? type === 'string' : 'list' in type ? isText(type.list) : false;
}

function isMapOfTexts(type: FieldType): boolean {
  return typeof type === 'object' && 'map' in type && type.map === 'string';
}

function isRecord(type: FieldType): boolean {
  return typeof type === 'object' && 'record' in type;
}

/** True where nothing is known of what it holds. */
export function isUntyped(type: FieldType): boolean {
  return type === 'any' || (typeof type === 'object' && 'map' in type && type.map === 'any');
}
