import type { Plan } from '../../engine/model/plan.js';
import { visible } from './escape.js';

/** `overlays/prod.yaml:7`, where a field is given by another file than the one that has the resource; else undefined. */
export function fieldOrigin({ meta }: Pick<Plan, 'meta'>, address: string, field: string): string | undefined {
  const fields = Object.hasOwn(meta.fieldSources, address) ? meta.fieldSources[address] : undefined;
  const place = fields !== undefined && Object.hasOwn(fields, field) ? fields[field] : undefined;
  const whole = Object.hasOwn(meta.sources, address) ? meta.sources[address] : undefined;
  if (place === undefined || whole === undefined || fileOf(place) === fileOf(whole)) return undefined;
  return visible(place.replace(/:\d+$/, ''));
}

function fileOf(place: string): string {
  return place.replace(/:\d+:\d+$/, '');
}
