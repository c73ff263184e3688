import type { FieldType } from './definition.js';
import { snakeCase } from './names.js';

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
