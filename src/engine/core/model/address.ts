/**
 * Where a resource stands in the catalogue: its key, with the keys of the resources above it in front,
 * joined by `/` (`petstore/guide`). Addresses are the identity of a resource in files, state and plans.
 */
export type Address = string;

/** One key of an address. A dot would be read as a property access in `${petstore.id}`, a slash as nesting. */
export const addressKeyPattern = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** The address of a resource written under another one. */
export function childAddress(parent: Address, key: string): Address {
  return `${parent}/${key}`;
}

/** What an address stands under; undefined at the top. */
export function parentAddress(address: Address): Address | undefined {
  const slash = address.lastIndexOf('/');
  return slash < 0 ? undefined : address.slice(0, slash);
}

/** Where a resource stood that an alias names: an alias without a slash is a former key among the siblings. */
export function formerAddress(address: Address, alias: string): Address {
  const parent = parentAddress(address);
  return parent === undefined || /[/:]/.test(alias) ? alias : childAddress(parent, alias);
}

/** The key of what an address stands under at the top, or of the resource itself. */
export function topKey(address: Address): string {
  const slash = address.indexOf('/');
  return slash < 0 ? address : address.slice(0, slash);
}

/** The key of the resource itself, without those above it. */
export function lastKey(address: Address): string {
  return address.slice(address.lastIndexOf('/') + 1);
}

/** The address, and those of what it stands under; the topmost first. */
export function addressesAbove(address: Address): readonly Address[] {
  return address.split('/').map((_, depth, keys) => keys.slice(0, depth + 1).join('/'));
}

/** Orders addresses by code unit, the same on every machine (locale rules differ). */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether an address is named, or nested in one that is; of no targets all are. */
export function chooses({
  targets,
  excludes,
}: {
  readonly targets: readonly Address[];
  readonly excludes: readonly Address[];
}): (address: Address) => boolean {
  const [wanted, unwanted] = [new Set(targets), new Set(excludes)];
  const isWithin = (address: Address, roots: ReadonlySet<Address>): boolean =>
    roots.size > 0 && addressesAbove(address).some((above) => roots.has(above));
  return (address) => (wanted.size === 0 || isWithin(address, wanted)) && !isWithin(address, unwanted);
}
