import type { Json } from '@platform-sync/core/model/value';
import { cloudError } from './errors.js';

/** A part of a host name: RFC 1035, and digits in front as RFC 1123 allows. */
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const labels = `${label}(?:\\.${label})*`;
/** A service's name and nothing else. */
export const bareName = `^${labels}$`;
export const longestName = 253;
const pattern = new RegExp(`^(?:services/)?(${labels})$`);

/**
 * The bare name in `NAME` or `services/NAME`. Stricter than the vendor's own tools, which take the first thing between
 * slashes: `projects/p/foo` would ask for a service called "projects".
 */
export function serviceName(argument: Json | undefined): string {
  const name = typeof argument === 'string' ? pattern.exec(argument)?.[1] : undefined;
  if (name !== undefined && name.length <= longestName) return name;
  throw cloudError('invalid', 'invalid-cloud-argument', `serviceName ${whatIsWrong(argument)}.`, {
    field: 'serviceName',
    hint: 'Give the name of the service (payments.endpoints.example.cloud) or services/NAME.',
  });
}

function whatIsWrong(argument: Json | undefined): string {
  if (argument === undefined || argument === null) return 'is missing';
  if (typeof argument !== 'string') return 'must be a text';
  if (argument === '') return 'is empty';
  const shown = JSON.stringify(argument.length > 80 ? `${argument.slice(0, 80)}…` : argument);
  if (argument.length > longestName) return `is longer than ${String(longestName)} characters: ${shown}`;
  if (pattern.test(argument.toLowerCase())) return `is written in small letters only: ${shown}`;
  return `is not the name of a service: ${shown}`;
}
