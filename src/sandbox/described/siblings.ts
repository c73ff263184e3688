import type { JsonObject } from '../json.js';

/** Objects of one collection: `place` is its path with the ids of what it lies in. */
export interface Siblings {
  all(place: string): readonly JsonObject[];
  get(place: string, own: string): JsonObject | undefined;
  put(place: string, own: string, object: JsonObject): void;
  delete(place: string, own: string): void;
}
