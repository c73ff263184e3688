import type { Address } from '../model/address.js';
import type { Diagnostic } from '../model/diagnostic.js';

/** What was written, and what the platform made something else of. */
export function notKept(address: Address, field: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'not-kept',
    summary: `${address}: the platform does not keep ${field} as it was written. It is written no more until the file or the object changes.`,
    hint: `Write the value of the platform into the catalogue, or take ${field} out of it.`,
    address,
    field,
  };
}
