import type { Address } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
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
