import { parentAddress, type Address } from '@platform-sync/core/model/address';
import { defined } from '@platform-sync/core/model/value';
import { nearest } from '@platform-sync/core/model/nearest';
import type { Vocabulary } from '../build/vocabulary.js';
import type { BuildContext } from '../read/build-context.js';
import { overlayEntries } from '../read/overlay.js';
import { readOptions } from '../read/options.js';
import type { DraftFile, Draft } from '../read/draft.js';

/**
 * The catalogue's files with what their sources stand for, each under its parent. A resource that is declared as well has what is
 * declared over what its file says. `incomplete`: files could not be read, so that something that seems missing may stand there.
 */
export function combineSources(
  files: readonly DraftFile[],
  sourced: readonly Draft[],
  vocabulary: Vocabulary,
  incomplete: boolean,
  context: BuildContext,
): readonly DraftFile[] {
  if (sourced.length === 0) return files;
  const combiner = new Combiner(sourced, vocabulary, context);
  const combined = files.map((file) => ({ ...file, resources: combiner.declared(file.resources) }));
  const [first, ...others] = combined;
  const rest = combiner.rest();
  if (!incomplete) combiner.reportOrphans();
  return first === undefined ? [] : [{ ...first, resources: [...first.resources, ...rest] }, ...others];
}

/** Where what stands under nothing stands. */
const top = '';

function placeOf({ address }: Draft): Address {
  return parentAddress(address) ?? top;
}

class Combiner {
  readonly #vocabulary: Vocabulary;
  readonly #context: BuildContext;
  /** What is not placed yet, by parent and address. */
  readonly #open = new Map<Address, Map<Address, Draft>>();
  readonly #placed = new Set<Address>();
  readonly #twice = new Set<Address>();

  constructor(sourced: readonly Draft[], vocabulary: Vocabulary, context: BuildContext) {
    this.#vocabulary = vocabulary;
    this.#context = context;
    for (const resource of sourced) this.#take(resource);
  }

  #take(resource: Draft): void {
    const parent = placeOf(resource);
    const siblings = this.#open.get(parent) ?? new Map<Address, Draft>();
    this.#open.set(parent, siblings);
    const earlier = siblings.get(resource.address);
    if (earlier === undefined) siblings.set(resource.address, resource);
    else if (!this.#twice.has(parent)) reportTwice(resource, earlier, this.#context);
    if (earlier !== undefined) this.#twice.add(resource.address);
  }

  declared(resources: readonly Draft[]): readonly Draft[] {
    return resources.map((resource) => {
      const siblings = this.#open.get(placeOf(resource));
      const sourced = siblings?.get(resource.address);
      siblings?.delete(resource.address);
      return this.#withChildren(sourced === undefined ? resource : this.#merged(resource, sourced));
    });
  }

  /** What stands at the top and is not declared. */
  rest(): readonly Draft[] {
    return this.#sourced(top);
  }

  #sourced(parent: Address): readonly Draft[] {
    const open = [...(this.#open.get(parent)?.values() ?? [])];
    this.#open.delete(parent);
    return open.flatMap((resource) => {
      if (parent !== top || !this.#needsParent(resource)) return [this.#withChildren(resource)];
      reportOrphan(resource, top, this.#placed, this.#context);
      return [];
    });
  }

  /** What it lives in is neither above it nor said. */
  #needsParent({ type, properties }: Draft): boolean {
    const above = this.#vocabulary.types.get(type?.text ?? '')?.parent;
    return above !== undefined && !properties.has(above.field);
  }

  #withChildren(resource: Draft): Draft {
    this.#placed.add(resource.address);
    const declared = this.declared(resource.children);
    const sourced = this.#sourced(resource.address);
    return declared.length + sourced.length === 0 ? resource : { ...resource, children: [...declared, ...sourced] };
  }

  #merged(declared: Draft, sourced: Draft): Draft {
    // Of a broken file nothing is known, so that nothing more is said.
    const type = sourced.type && (declared.type ?? sourced.type);
    const { isTypeless: _, ...own } = declared;
    const token = (text = ''): string | undefined => this.#vocabulary.types.get(text)?.token;
    if (token(type?.text) !== token(sourced.type?.text)) {
      reportTwice(declared, sourced, this.#context);
      return { ...own, type: undefined };
    }
    const optionEntries = overlayEntries(sourced.optionEntries, declared.optionEntries);
    return {
      ...own,
      type,
      properties: overlayEntries(sourced.properties, declared.properties),
      optionEntries,
      options: readOptions(optionEntries, declared.address, this.#context),
      ...defined({ order: sourced.order }),
    };
  }

  /** One report for each place that nothing stands for. */
  reportOrphans(): void {
    const reported = new Set<Address>();
    for (const [parent, orphans] of this.#open) {
      const [orphan] = orphans.values();
      const missing = this.#firstMissing(parent);
      if (orphan === undefined || reported.has(missing)) continue;
      reported.add(missing);
      reportOrphan(orphan, missing, this.#placed, this.#context);
    }
  }

  #firstMissing(address: Address): Address {
    const keys = address.split('/');
    for (let count = 1; count <= keys.length; count++) {
      const above = keys.slice(0, count).join('/');
      if (!this.#placed.has(above)) return above;
    }
    return address;
  }
}

function reportTwice({ at, address }: Draft, earlier: Draft, { problems }: BuildContext): void {
  problems.add('duplicate-address', at, `The resource ${address} is declared twice.`, {
    hint: 'Rename or remove one of the two.',
    address,
    related: [{ at: earlier.at, message: 'first declared here' }],
  });
}

function reportOrphan(
  { at, address, type }: Draft,
  missing: Address,
  placed: ReadonlySet<Address>,
  { problems }: BuildContext,
): void {
  const isInside = missing.includes('/');
  const known = nearest(missing, placed);
  const near = known === undefined ? '' : ` Did you mean ${known}?`;
  const [summary, hint] =
    missing === ''
      ? [
          `${address} has no parent.`,
          'Put it into a folder with the name of its parent, or name the parent with "under".',
        ]
      : isInside
        ? [
            `${address} has no parent page: there is no ${missing}.`,
            `Write the page of the folder: index.md in it, or a page of its name beside it.`,
          ]
        : [
            `There is no resource ${missing} for ${address} to stand under.`,
            `A folder has the name of its parent.${near}`,
          ];
  problems.add('source-without-parent', at, summary, {
    hint,
    address,
    related: type === undefined ? undefined : [{ at: type.at, message: 'the source' }],
  });
}
