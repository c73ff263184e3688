import type { Json } from '../json.js';
import type { Description, Shape } from './description.js';

/** The platform takes a number or a text where a description says both, or says a text with the bounds of a number. */
export function isNumberOrText(description: Description, node: Json | undefined): boolean {
  const shape = description.shapeOf(node);
  const known = told.get(shape) ?? isEither(description, shape);
  told.set(shape, known);
  return known;
}

const told = new WeakMap<Shape, boolean>();

function isEither(description: Description, { schema, either }: Shape): boolean {
  const kinds = [schema, ...either.map((branch) => description.shapeOf(branch).schema)].flatMap(({ type }) =>
    [type ?? []].flat(),
  );
  const isBounded = typeof schema['minimum'] === 'number' || typeof schema['maximum'] === 'number';
  return (
    kinds.includes('string') &&
    (isBounded || kinds.includes('number') || kinds.includes('integer')) &&
    kinds.every((kind) => ['string', 'number', 'integer', 'null'].includes(String(kind)))
  );
}

/** The number that a text spells: what is kept and answered. */
export function spelledNumber(value: Json): Json {
  return typeof value === 'string' && Number.isFinite(Number(value)) && String(Number(value)) === value
    ? Number(value)
    : value;
}
