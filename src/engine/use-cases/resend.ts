import type { Address } from '../model/address.js';
import type { DesiredState } from '../model/desired.js';
import type { Diagnostic } from '../model/diagnostic.js';
import type { ResourceType } from '../model/resource-type.js';
import { canResend } from '../plan/change.js';

/** Addresses of the catalogue whose values are to be sent again, and that declare none which could be. */
export function nothingToResend(
  addresses: readonly Address[],
  desired: DesiredState,
  typeOf: (token: string) => ResourceType,
): readonly Diagnostic[] {
  return addresses.flatMap((address): Diagnostic[] => {
    const resource = desired.resources.get(address);
    if (resource === undefined) return [];
    const type = typeOf(resource.type);
    const able = Object.values(type.fields).filter((rule) => canResend(type, rule));
    if (able.some(({ name }) => resource.properties.has(name))) return [];
    const names = able.map(({ name }) => name).join(', ');
    return [
      {
        severity: 'error',
        code: 'nothing-to-resend',
        summary: `${address} declares nothing that could be sent again.`,
        hint:
          able.length === 0
            ? `The platform shows every field of a ${type.name} that an update can change. To send everything, replace it: --replace ${address}.`
            : `Of a ${type.name}, these can be: ${names}.`,
      },
    ];
  });
}
