import { type JsonObject, isJsonObject } from '../json.js';
import type { Description } from './description.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** One path with all that its descriptions say of each method. */
export interface Place {
  readonly description: Description;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly calls: Readonly<Record<Method, readonly JsonObject[]>>;
}

export type Places = ReadonlyMap<string, Place>;

const methods: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete'];

/** By path, whatever its parameters are called. What follows `#` only tells descriptions of one path apart. */
export function placesOf(descriptions: readonly Description[]): Places {
  const places = new Map<string, Place & { readonly calls: Record<Method, JsonObject[]> }>();
  for (const description of descriptions)
    for (const [described, item] of description.paths) {
      const path = described.split('#')[0] ?? described;
      const known = places.get(plain(path)) ?? {
        ...{ description, path },
        calls: { get: [], post: [], put: [], patch: [], delete: [] },
      };
      places.set(plain(path), known);
      if (known.description !== description) continue;
      for (const method of methods) {
        const call = item[method];
        if (isJsonObject(call)) known.calls[method].push(call);
      }
    }
  return places;
}

export function plain(path: string): string {
  const known = plainPaths.get(path) ?? path.replace(/\{[^}]*\}/g, '{}');
  plainPaths.set(path, known);
  return known;
}

/** Of the described paths, which are so many and no more. */
const plainPaths = new Map<string, string>();

export function above(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** True where objects of a collection are made, or shown, under the path. */
export function hasItems(places: Places, path: string): boolean {
  return places.has(`${plain(path)}/{}`);
}
