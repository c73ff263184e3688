import type { Catalogue } from './catalogue.js';
import type { Address } from '@platform-sync/core/model/address';
import type { MapEntry } from '@platform-sync/core/model/expression';
import { removing, replacing } from '../problem/advice.js';
import { nearest } from '@platform-sync/core/model/nearest';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import type { BuildContext } from '../read/build-context.js';
import { readOptions } from '../read/options.js';
import { overlayEntries, withoutUnset } from '../read/overlay.js';
import type { DraftFile, Patch, Draft } from '../read/draft.js';
import type { Entries } from '../read/shape.js';

/**
 * Applies the patches of all files: only overlays have any. They say nothing twice, so that their order means nothing; a patch of nothing is
 * reported, unless files could not be read. `off`: the addresses that a patch switches off, and where.
 */
export function applyOverlays(
  files: readonly DraftFile[],
  incomplete: boolean,
  context: BuildContext,
): Pick<Catalogue, 'off'> & { readonly files: readonly DraftFile[] } {
  const patches = combine(
    files.flatMap((file) => file.patches),
    context,
  );
  if (patches.size === 0) return { files, off: new Map() };
  const patcher = new Patcher(patches, context);
  const patched = files.map((file) => ({ ...file, resources: patcher.resources(file.resources) }));
  if (!incomplete) patcher.reportRest();
  return { files: patched, off: patcher.off };
}

class Patcher {
  readonly off = new Map<Address, SourceRange>();
  readonly #patches: ReadonlyMap<Address, Patch>;
  readonly #context: BuildContext;
  readonly #seen = new Set<Address>();

  constructor(patches: ReadonlyMap<Address, Patch>, context: BuildContext) {
    this.#patches = patches;
    this.#context = context;
  }

  resources(resources: readonly Draft[]): readonly Draft[] {
    return resources.flatMap((resource) => {
      const { address } = resource;
      const patch = this.#patches.get(address);
      this.#seen.add(address);
      if (patch?.off === true) {
        this.#switchOff(resource, patch.at);
        return [];
      }
      const patched = patch === undefined ? resource : withPatch(resource, patch, this.#context);
      return resource.children.length === 0 ? [patched] : [{ ...patched, children: this.resources(resource.children) }];
    });
  }

  /** What stands under it goes along. */
  #switchOff({ address, children }: Draft, at: SourceRange): void {
    this.off.set(address, at);
    for (const child of children) this.#switchOff(child, at);
  }

  reportRest(): void {
    for (const { address, at } of this.#patches.values()) {
      if (this.#seen.has(address)) continue;
      const above = this.off.get(address);
      if (above !== undefined) {
        this.#context.problems.add('patch-of-nothing', at, `${address} is switched off together with its parent.`, {
          hint: removing('Remove the patch.'),
          related: [{ at: above, message: 'switched off here' }],
        });
        continue;
      }
      const name = nearest(address, this.#seen) ?? [...this.#seen].find((known) => known.endsWith(`/${address}`));
      this.#context.problems.add('patch-of-nothing', at, `There is no resource ${address} to patch.`, {
        hint:
          name === undefined
            ? 'Patches name resources by their addresses.'
            : replacing(`Did you mean ${name}?`, address, name),
      });
    }
  }
}

function withPatch(resource: Draft, patch: Patch, context: BuildContext): Draft {
  const properties = overlayEntries(resource.properties, patch.properties);
  if (patch.options.size === 0) return { ...resource, properties };
  const optionEntries = withoutUnset(overlayEntries(resource.optionEntries, patch.options));
  const options = readOptions(optionEntries, resource.address, context);
  return { ...resource, properties, optionEntries, options };
}

/** All patches by address. The same field in two of them is an error: neither is the last word. */
function combine(patches: readonly Patch[], context: BuildContext): ReadonlyMap<Address, Patch> {
  const found = new Map<Address, Patch>();
  for (const patch of patches) {
    const earlier = found.get(patch.address);
    if (earlier === undefined) found.set(patch.address, patch);
    else if (earlier.off || patch.off) reportTwice(patch.address, patch.at, earlier.at, context);
    else {
      const properties = join(earlier.properties, patch.properties, patch.address, context);
      const options = join(earlier.options, patch.options, patch.address, context);
      found.set(patch.address, { ...earlier, properties, options });
    }
  }
  return found;
}

function join(one: Entries, other: Entries, what: string, context: BuildContext): Entries {
  const joined = new Map<string, MapEntry>(one);
  for (const [name, entry] of other) {
    const earlier = one.get(name);
    if (earlier === undefined) joined.set(name, entry);
    else if (earlier.value.kind === 'map' && entry.value.kind === 'map') {
      const entries = join(earlier.value.entries, entry.value.entries, `${what}.${name}`, context);
      joined.set(name, { key: earlier.key, value: { ...earlier.value, entries } });
    } else reportTwice(`${what}.${name}`, entry.key, earlier.key, context);
  }
  return joined;
}

function reportTwice(what: string, at: SourceRange, earlier: SourceRange, { problems }: BuildContext): void {
  problems.add('patched-twice', at, `${what} is patched twice.`, {
    hint: removing('Remove one of the two: overlays of one stack have no order.'),
    related: [{ at: earlier, message: 'first patched here' }],
  });
}
