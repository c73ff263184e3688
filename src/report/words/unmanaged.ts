import type { UnmanagedObject } from '@platform-sync/core/model/plan';
import { visible } from './escape.js';
import { shellWord } from './shell-word.js';
import { typeName } from './type-name.js';

/** `platform:ApiDocument 0b7d… under petstore, which the public sees`: everything but the name; visible, not escaped. */
export function unmanagedWords({ type, under, id, visible: isShown }: UnmanagedObject): string {
  const where = under === undefined ? '' : ` under ${visible(under)}`;
  return `${typeName(type)} ${visible(id)}${where}${isShown ? ', which the public sees' : ''}`;
}

/** `sync adopt ADDRESS 0b7d…` */
export function importCommand({ importId }: Pick<UnmanagedObject, 'importId'>): string {
  return `sync adopt ADDRESS ${shellWord(importId)}`;
}

/** What to do about them. */
export const unmanagedHint =
  'Describe them in the catalogue and take them over (sync adopt), delete them on the platform, or leave them out of drift checks (sync drift ignore).';
