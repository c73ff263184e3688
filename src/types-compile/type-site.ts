import { isObject, type JsonObject } from '../engine/model/value.js';
import type { EnvelopeRule } from '../providers/rest/definition.js';

/** Where objects of one type are made, read, changed and listed. */
export interface TypeSite {
  readonly name: string;
  readonly shape: 'collection' | 'upsert' | 'singleton';
  /** Paths with the parameters as the description calls them. */
  readonly create: readonly ['POST' | 'PUT' | 'PATCH', path: string];
  readonly item: string;
  readonly calls: Readonly<Partial<Record<Operation, JsonObject>>>;
  readonly update?: 'PATCH' | 'PUT';
  /** Method and path of what ends an object, where that is no DELETE of the item. */
  readonly removal?: readonly ['POST', path: string];
  readonly list?: string;
  /** Member of bodies that lists the ids of those that a call makes members, or no members any more. */
  readonly members?: string;
  /** Member of bodies that holds all that they send; the bodies of `calls` are what is in it. */
  readonly envelope?: EnvelopeRule;
  /** Members of bodies beside the envelope. */
  readonly beside?: readonly string[];
}

/** `reset` writes what a thing that is always there had at first. */
export type Operation = 'create' | 'read' | 'update' | 'delete' | 'reset' | 'list';

export type UnnamedSite = Omit<TypeSite, 'name'>;

export function callOf(item: JsonObject, method: string): JsonObject | undefined {
  const call = item[method];
  return isObject(call) ? call : undefined;
}

/** A path as it is sent: what follows `#` only tells descriptions of one path apart. */
export function sentPath(path: string): string {
  const hash = path.indexOf('#');
  return hash < 0 ? path : path.slice(0, hash);
}

/** A path whatever its parameters are called. */
export function plainPath(path: string): string {
  return sentPath(path).replace(/\{[^}]*\}/g, '{}');
}

export function aboveOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
