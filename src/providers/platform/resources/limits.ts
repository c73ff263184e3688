import type { JsonObject } from '../../../engine/model/value.js';
import { reservedLabelPrefixes } from '../wire.js';

/** Ids are mostly references, so their form is told to readers and editors but not enforced. */
export const uuid: JsonObject = { format: 'uuid' };

export const slug: JsonObject = { pattern: String.raw`^[\w-]+$` };

/** Labels and public labels obey the same rules. A null value drops a label that a default would add. */
export const labels: JsonObject = {
  maxProperties: 50,
  propertyNames: { minLength: 1, maxLength: 63, not: { pattern: `^(?:${reservedLabelPrefixes.join('|')})` } },
  additionalProperties: {
    type: ['string', 'null'],
    minLength: 1,
    maxLength: 63,
    pattern: '^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$',
  },
};

const attributeText: JsonObject = { minLength: 1, maxLength: 512, pattern: '^[^,<>]*$' };

/**
 * Attributes as a map of lists. One text may stand for a list of one, null for none. The platform's schema asks for
 * JSON text; that is accepted too and checked as the map it spells.
 */
export const attributes: JsonObject = {
  type: ['object', 'string'],
  propertyNames: { maxLength: 128, pattern: '^[a-z0-9_-]+$' },
  additionalProperties: {
    type: ['array', 'string', 'null'],
    minItems: 1,
    maxItems: 20,
    items: { type: 'string', ...attributeText },
    ...attributeText,
  },
};
