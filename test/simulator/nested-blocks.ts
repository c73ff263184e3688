import { childAddress, lastKey, parentAddress } from '@platform-sync/core/model/address';
import type { Block } from './catalogue.js';

type Blocks = Readonly<Record<string, Block>>;
/** As a file has it: what lives in a block stands within it, and does not say where it lives. */
type Written = Block & { readonly children?: Readonly<Record<string, Written>> };

/** What a block that lives in another one says where that is. */
export const within = (address: string): string => `\${${address}.id}`;

/** The address that it says; undefined: none, or an id. */
export function homeIn(said: unknown): string | undefined {
  return /^\$\{(.+)\.id\}$/.exec(typeof said === 'string' ? said : '')?.[1];
}

/** Where a block of that key stands. */
export function placeIn(parent: string | undefined, key: string): string {
  return parent === undefined ? key : childAddress(parent, key);
}

/** Blocks by their addresses as a file has them. */
export function written(blocks: Blocks): Readonly<Record<string, Written>> {
  const below = (parent: string | undefined): Readonly<Record<string, Written>> =>
    Object.fromEntries(
      Object.entries(blocks).flatMap(([address, block]) => {
        if (parentAddress(address) !== parent) return [];
        const { siteId: _, ...properties } = block.properties;
        const children = below(address);
        const said = block.options?.aliases?.map((alias) => shortened(alias, parent));
        const aliases = said && [...new Set(said)];
        return [
          [
            lastKey(address),
            {
              ...block,
              ...(parent === undefined ? {} : { properties }),
              ...(aliases === undefined ? {} : { options: { ...block.options, aliases } }),
              ...(Object.keys(children).length === 0 ? {} : { children }),
            },
          ],
        ];
      }),
    );
  return below(undefined);
}

/** A former key says as much as the former address, where only that has changed: each is said in half of the files. */
function shortened(alias: string, parent: string | undefined): string {
  return parent !== undefined && parentAddress(alias) === parent && /[02468]$/.test(alias) ? lastKey(alias) : alias;
}

/** The same the other way round. */
export function read(blocks: Readonly<Record<string, Written>>, parent?: string): Blocks {
  return Object.fromEntries(
    Object.entries(blocks).flatMap(([key, { children = {}, ...block }]): [string, Block][] => {
      const address = placeIn(parent, key);
      const home = parent === undefined ? {} : { siteId: within(parent) };
      const aliases = block.options?.aliases?.map((alias) =>
        parent === undefined || alias === key || /[/:]/.test(alias) ? alias : childAddress(parent, alias),
      );
      const options = aliases === undefined ? {} : { options: { ...block.options, aliases } };
      return [
        [address, { ...block, properties: { ...home, ...block.properties }, ...options }],
        ...Object.entries(read(children, address)),
      ];
    }),
  );
}
