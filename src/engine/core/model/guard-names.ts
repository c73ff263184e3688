/** Every guard: what its name looks like, and a word on what it holds back. The one list that names are checked against. */
export const guardNames: readonly GuardName[] = [
  { name: 'maxDeletes', about: 'more deletes than allowed' },
  { name: 'maxDeletePercent', about: 'too large a share deleted' },
  { name: 'maxUpdatePercent', about: 'too large a share updated' },
  { name: 'maxMissing', about: 'too many objects missing from lists' },
  { name: 'emptyCatalogue', about: 'an empty catalogue' },
  { name: 'everythingGone', about: 'nothing managed exists any more' },
  { name: 'target', of: 'PROVIDER', about: 'another target than before' },
  { name: 'delete', of: 'ADDRESS', about: 'deleting a protected object, or one that gives access' },
  {
    name: 'force',
    of: 'ADDRESS',
    about: 'forcing a delete or change that the platform refuses because of contents or use',
  },
  {
    name: 'replace',
    of: 'ADDRESS',
    about: 'replacing an object that is protected, gives access, or was replaced for the same change before',
  },
  { name: 'goes-along', of: 'ADDRESS', about: 'deleting or replacing what holds objects of others, or of nobody' },
  { name: 'adopt', about: 'taking over objects that nobody manages, by their keys' },
  { name: 'adopt', of: 'ADDRESS', about: 'taking over one of them, with its contents' },
  { name: 'fixed', of: 'ADDRESS', about: 'adopting what only a replacement could make right' },
  { name: 'contradiction', of: 'ADDRESS', about: 'an object that is denied, and what lives in it is shown' },
  {
    name: 'same-name',
    of: 'ADDRESS',
    about:
      'creating an object beside one of the same name, or of the same contents where it has none, that nobody manages',
  },
  { name: 'policy', of: 'RULE', about: 'what a rule of a policy warns of; with :ADDRESS, at one address' },
  { name: 'unkeyed', of: 'ADDRESS', about: 'creating objects, without kept state, that no key finds again' },
];

interface GuardName {
  readonly name: string;
  /** What follows a colon; absent: nothing does. */
  readonly of?: string;
  readonly about: string;
}

/** True for a name that a guard can have: `maxDeletes`, `delete:petstore/guide`. */
export function isGuardName(text: string): boolean {
  const colon = text.indexOf(':');
  const [name, about] = colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
  return guardNames.some((known) => known.name === name && (known.of === undefined ? colon < 0 : about !== ''));
}

/** `maxDeletes, …, delete:ADDRESS`. */
export const knownGuards: string = guardNames
  .map(({ name, of }) => (of === undefined ? name : `${name}:${of}`))
  .join(', ');
