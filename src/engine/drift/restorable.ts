import type { FieldRule } from '../model/resource-type.js';
import type { Json } from '../model/value.js';

/** Whether a field can hold again what it held: no value at all only where the platform has a way to take one off. */
export function isRestorable({ clearing }: FieldRule, held: Json | undefined): boolean {
  return (held ?? null) !== null || clearing.by === 'null' || clearing.by === 'value';
}
