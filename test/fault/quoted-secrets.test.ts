import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFaultWorld, type FaultWorld } from './fault-world.js';
import type { Event } from '@platform-sync/core/model/event';

const long = 'k3y-"quoted" & <angled>/value';
const short = 'q7zx';

let faulty: FaultWorld;
beforeAll(async () => {
  faulty = await makeFaultWorld('sqlite');
});
afterAll(() => faulty.world.close());

const refusals = [
  { status: 409, problem: { title: 'Conflict', detail: `the name ${long} is taken` } },
  { status: 400, problem: { detail: `bad ${JSON.stringify(long)}` } },
  { status: 400, problem: { invalidParameters: [{ field: 'description', reason: `"${long}" is too rude` }] } },
  { status: 400, problem: { 'invalid-parameters': [{ name: 'description', reason: `${long} is too rude` }] } },
  { status: 403, problem: { detail: encodeURIComponent(long) } },
  { status: 422, problem: { detail: Buffer.from(`x${long}`).toString('base64') } },
  { status: 500, problem: { detail: long.repeat(40) } },
  { status: 409, problem: { detail: `the name ${short} is taken` } },
  { status: 400, problem: { invalidParameters: [{ field: 'name', reason: `"${short}" is too short` }] } },
] as const;

describe('what a platform quotes of a secret', () => {
  it.each(refusals)('is not told: $status $problem', async (action) => {
    await faulty.reset();
    await faulty.world.write({
      'catalogue/all.yaml':
        'resources: {shop: {type: "platform:ApiProduct", properties: {name: !env SHORT, description: !env LONG, portalIds: []}}}',
    });
    await faulty.fault({ match: { method: 'POST' }, action });
    const events: Event[] = [];
    const env = { ...faulty.world.env, LONG: long, SHORT: short };
    const result = await faulty.run({}, { env, onEvent: (event) => events.push(event) });
    expect(result.status).toBe('failed');
    const told = JSON.stringify([result, events]);
    const spellings = [long, JSON.stringify(long).slice(1, -1), encodeURIComponent(long), short];
    for (const spelling of spellings) {
      expect(told).not.toContain(spelling);
      expect(told).not.toContain(JSON.stringify(spelling).slice(1, -1));
    }
    expect(told).not.toContain('quoted');
    expect(told).not.toContain(Buffer.from(`x${long}`).toString('base64').slice(4, -4));
  });
});
