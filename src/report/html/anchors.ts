import type { Address } from '../../engine/model/address.js';
import type { Plan } from '../../engine/model/plan.js';
import { markup, type Html } from './html.js';

/** Address → id of its element, so that `plan.html#petstore/guide` leads there. Own ids hold a colon, no address does. */
export function anchorsOf(plan: Plan): ReadonlyMap<Address, string> {
  const anchors = new Map<Address, string>();
  for (const [at, { address }] of plan.steps.entries()) {
    if (!anchors.has(address)) anchors.set(address, /^[A-Za-z0-9_/-]+$/.test(address) ? address : `step:${at}`);
  }
  return anchors;
}

/** An address, as a link when its change is on the page. */
export function link(address: Address, anchors: ReadonlyMap<Address, string>): Html {
  const anchor = anchors.get(address);
  return anchor === undefined ? markup`${address}` : markup`<a href="#${anchor}">${address}</a>`;
}
