import { type Address, childAddress, lastKey, parentAddress } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { groupBy, groupOf } from '@platform-sync/core/model/graph';
import type { ActionReason } from '@platform-sync/core/model/plan';
import type { Identity, RecordedResource } from '@platform-sync/core/model/state';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { importIdForm as formOf, readImportId, uuid } from '@platform-sync/core/model/import-id';
import type { ResourceType } from '@platform-sync/core/model/resource-type';

/** A desired resource's record, and how it came to it. */
export interface Match {
  readonly record: RecordedResource;
  /** Former address, for a record that moves. */
  readonly from?: Address;
  readonly reasons: readonly ActionReason[];
}

const none: readonly never[] = [];

/** What the catalogue says that a resource was called, by its own aliases and by those of what it is nested in, and where that moves from. */
export function formerAddresses(
  desired: Pick<DesiredState['resources'], 'get'>,
  address: Address,
  movedFrom: (address: Address) => Address | undefined,
): readonly Address[] {
  const aliasesOf = (of: Address): readonly Address[] => desired.get(of)?.options.aliases ?? none;
  const own = aliasesOf(address);
  const parent = parentAddress(address);
  if (parent === undefined) return own;
  const parents = [parent, movedFrom(parent) ?? parent, ...aliasesOf(parent)];
  // An alias without a slash is a former sibling key.
  const siblings = own
    .filter((alias) => !/[/:]/.test(alias))
    .flatMap((alias) => parents.map((above) => `${above}/${alias}`));
  return [...own, ...siblings, ...parents.map((above) => childAddress(above, lastKey(address)))];
}

/**
 * Which record belongs to which desired resource. Its own address comes first; then the object it imports, its aliases,
 * the former address of the resource it is nested in (renaming a parent moves what is below it), and last its key. A
 * record of an address that is still in the catalogue is never given away; but an address whose own object is gone may
 * get another one.
 */
export class Matching {
  readonly #desired: DesiredState['resources'];
  readonly #recorded: ReadonlyMap<Address, RecordedResource>;
  /** Records that move; any other resource has the one of its own address. */
  readonly #moved = new Map<Address, Match>();
  readonly #movedTo = new Map<Address, Address>();
  readonly #livesIn: (record: RecordedResource, above: RecordedResource) => boolean;
  /** Records by the last key of their address. */
  #byKey: ReadonlyMap<string, readonly RecordedResource[]> | undefined;
  /** Resources whose own record is about nothing any more. */
  readonly #over = new Set<Address>();

  constructor(
    desired: DesiredState['resources'],
    recorded: ReadonlyMap<Address, RecordedResource>,
    isOver: (record: RecordedResource) => boolean,
    livesIn: (record: RecordedResource, above: RecordedResource) => boolean,
  ) {
    this.#desired = desired;
    this.#recorded = recorded;
    this.#livesIn = livesIn;
    for (const address of desired.keys()) {
      const own = recorded.get(address);
      if (own !== undefined && isOver(own)) this.#over.add(address);
    }
  }

  /** Finds what the catalogue says itself: first all imports, then all aliases, so that no guess takes what they name. */
  matchSaid(importedFrom: (address: Address) => { readonly from: Address; readonly id: string } | undefined): void {
    const all = [...this.#desired.keys()];
    for (const address of all) {
      const said = importedFrom(address);
      if (said !== undefined) this.move(said.from, address, [{ kind: 'import', id: said.id }]);
    }
    // Parents come before children in sorted order, so a parent's move is known when its children are looked at.
    for (const address of all.sort()) this.#moveFormer(address);
  }

  /** The record of a desired resource, as far as its address and what it is nested in tell. */
  of(address: Address): Match | undefined {
    this.#moveFormer(address);
    return this.#matchOf(address);
  }

  /** Gives a resource the record of an address that left the catalogue; undefined when that is somebody's already. */
  move(from: Address, to: Address, reasons: readonly ActionReason[]): Match | undefined {
    const record = this.#recorded.get(from);
    if (record === undefined || this.#isTaken(from) || this.#isDecided(to)) return undefined;
    const match = { record, from, reasons };
    this.#moved.set(to, match);
    this.#over.delete(to);
    this.#movedTo.set(from, to);
    return match;
  }

  isFree(address: Address): boolean {
    return this.#recorded.has(address) && !this.#isTaken(address);
  }

  /** Former address → address, for records that move. */
  get movedTo(): ReadonlyMap<Address, Address> {
    return this.#movedTo;
  }

  /** Records that no resource has, by address. */
  leftOver(): readonly RecordedResource[] {
    return [...this.#recorded.values()].filter(({ address }) => !this.#isTaken(address));
  }

  #matchOf(address: Address): Match | undefined {
    const moved = this.#moved.get(address);
    if (moved !== undefined || !this.#desired.has(address)) return moved;
    const record = this.#recorded.get(address);
    return record === undefined ? undefined : { record, reasons: none };
  }

  /** By the resource of the same address, which the catalogue has, or by one it moves to. */
  #isTaken(address: Address): boolean {
    return this.#desired.has(address) || this.#movedTo.has(address);
  }

  #isDecided(address: Address): boolean {
    return this.#matchOf(address) !== undefined && !this.#over.has(address);
  }

  #moveFormer(address: Address): void {
    if (this.#recorded.size === 0 || this.#isDecided(address)) return;
    const from = this.#formerAddresses(address).find((former) => this.isFree(former));
    if (from !== undefined) this.move(from, address, [{ kind: 'alias', from }]);
  }

  #formerAddresses(address: Address): readonly Address[] {
    const said = formerAddresses(this.#desired, address, (parent) => this.#moved.get(parent)?.from);
    const parent = parentAddress(address);
    return parent === undefined ? said : [...said, ...this.#leftBelow(parent, lastKey(address))];
  }

  /** Where a parent moved and what lives in it stayed behind, as in an apply of a part: its object still lives there. */
  #leftBelow(parent: Address, key: string): readonly Address[] {
    const above = this.#matchOf(parent)?.record;
    if (above === undefined) return [];
    this.#byKey ??= groupBy(this.#recorded.values(), (record) => lastKey(record.address));
    const isLeft = (record: RecordedResource): boolean => {
      const before = parentAddress(record.address);
      return before !== undefined && !this.#recorded.has(before) && this.isFree(record.address);
    };
    return groupOf(this.#byKey, key)
      .filter((record) => isLeft(record) && this.#livesIn(record, above))
      .map((record) => record.address);
  }
}

/** Reads the id that `sync adopt` and `options.import` take, in the form that the type has for it. */
export function parseImportId(
  type: ResourceType,
  text: string,
): { readonly identity: Identity } | { readonly problem: Diagnostic } {
  const read = readImportId(type.importId, text);
  if ('identity' in read) {
    const { identity } = read;
    const wrong = Object.entries(identity.scope).find(([field, id]) => !isInForm(type, field, id));
    if (wrong === undefined) return read;
    const [field, id] = wrong;
    return notOne(type, `"${id}" is no ${field}, which is a uuid`);
  }
  const why = type.importId.form === 'plain' ? `the id of an ${type.name} is a plain string` : read.why;
  return notOne(type, why);
}

/** False for what the place that an object lives in can't be called by: asking for it would only be refused. */
function isInForm({ fields }: ResourceType, field: string, id: string): boolean {
  return fields[field]?.schema['format'] !== 'uuid' || uuid.test(id);
}

function notOne(type: ResourceType, why: string): { readonly problem: Diagnostic } {
  return {
    problem: {
      severity: 'error',
      code: 'bad-import-id',
      summary: `This is not an import id of an ${type.name}: ${why}.`,
      hint: `The form is: ${importIdForm(type)}`,
    },
  };
}

/** How an import id of this type looks, for help and errors. */
export function importIdForm(type: ResourceType): string {
  return formOf(type.importId);
}
