import type { Siblings } from '../described/siblings.js';
import type { JsonObject } from '../json.js';
import type { Query } from '../route.js';
import type { World } from '../store/world.js';

/** An object on its way: what was asked for, what there was, and where it lies. */
export interface Step {
  /** Those of any collection. */
  readonly siblingsOf: (path: string) => Siblings;
  /** Those of its collection. */
  readonly siblings: Siblings;
  readonly world: World;
  /** Path of its collection with ids; of a lone object its own. */
  readonly place: string;
  readonly own: string;
  /** The body as it was sent. */
  readonly given: JsonObject;
  /** Undefined for a new one. */
  readonly before: JsonObject | undefined;
  readonly query: Query;
}

/** What the platform does with the objects of a path, beside what its description says of them. */
export interface Behaviour {
  /** The object as it is kept. Throws what speaks against it. */
  readonly settle?: (object: JsonObject, step: Step) => JsonObject;
  /** What else happens once it is kept. */
  readonly after?: (object: JsonObject, step: Step) => void;
  /** Members that answers show otherwise than they are kept. */
  readonly show?: (object: JsonObject, world: World) => JsonObject;
  /** What becomes of it when somebody looks. */
  readonly seen?: (object: JsonObject) => JsonObject;
  /** What keeps it from going, thrown, and what goes along with it. */
  readonly end?: (object: JsonObject, step: Step) => void;
  /** How a list stands: its objects, each shown. */
  readonly arrange?: (objects: readonly JsonObject[], show: Show, world: World) => readonly JsonObject[];
  /** What a lone object is until somebody changes it. */
  readonly first?: JsonObject;
}

export type Show = (object: JsonObject) => JsonObject;
