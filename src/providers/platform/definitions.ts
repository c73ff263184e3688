import type { TypeDefinition } from '../rest/definition.js';
import { apiDocument } from './types/api-document.js';
import { apiImplementation } from './types/api-implementation.js';
import { apiProductDocument } from './types/api-product-document.js';
import { apiProduct } from './types/api-product.js';
import { api } from './types/api.js';

/** In the order of the reference. */
export const definitions: readonly TypeDefinition[] = [
  api,
  apiDocument,
  apiImplementation,
  apiProduct,
  apiProductDocument,
];
