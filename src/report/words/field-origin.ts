import { ownMember } from '@platform-sync/core/model/own-member';
import { isInOneFile } from '@platform-sync/core/model/fields-elsewhere';
import type { Plan } from '@platform-sync/core/model/plan';
import { visible } from './escape.js';

/** For each field of a resource: `overlays/prod.yaml:7`, where it is given by another file than the one that has the resource. */
export function fieldOrigins({ meta }: Pick<Plan, 'meta'>, address: string): (field: string) => string | undefined {
  if (isInOneFile(meta, address)) return noOrigin;
  const fields = Object.hasOwn(meta.fieldSources, address) ? meta.fieldSources[address] : undefined;
  const whole = ownMember(meta.sources, address);
  if (fields === undefined || whole === undefined) return noOrigin;
  const file = fileOf(whole);
  return (field) => {
    const place = Object.hasOwn(fields, field) ? fields[field] : undefined;
    return place === undefined || fileOf(place) === file ? undefined : visible(place.replace(/:\d+$/, ''));
  };
}

const noOrigin = (): undefined => undefined;

function fileOf(place: string): string {
  return place.replace(/:\d+:\d+$/, '');
}
