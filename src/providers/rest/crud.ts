import type { Operations } from './definition.js';

/** The ordinary calls: POST to the collection; GET, PATCH and DELETE of the item. */
export function crud(collection: `/${string}`): Operations {
  return {
    create: `POST ${collection}`,
    read: `GET ${collection}/{id}`,
    update: `PATCH ${collection}/{id}`,
    delete: `DELETE ${collection}/{id}`,
  };
}
