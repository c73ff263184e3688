import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { cloudServiceDomain } from '@platform-sync/sandbox/wire';
import { freshWorlds } from '../harness/fresh-worlds.js';
import { actionsOf, type World } from '../harness/world.js';

let world: World;
freshWorlds((made) => (world = made));

const viewers = (...members: readonly string[]): JsonObject => ({ bindings: [{ role: 'roles/viewer', members }] });
const write = (service: string, policyData: Json, more: JsonObject = {}): Promise<void> =>
  world.write({
    'catalogue/all.yaml': {
      resources: {
        access: {
          type: 'cloud:endpoints:ServiceIamPolicy',
          properties: { serviceName: `${service}.${cloudServiceDomain}`, policyData },
          ...more,
        },
      },
    },
  });
const object = (service: string): string => `/_sandbox/objects/cloud-services/${service}.${cloudServiceDomain}`;
const onService = async (service: string): Promise<string> =>
  JSON.stringify((await world.call('GET', object(service))).body);
const edit = (service: string, policy: JsonObject): Promise<unknown> => world.call('POST', object(service), { policy });
const allow = (guard: string) => ({ allow: [{ guard, reason: 'test' }] });

describe('the policy of a service', () => {
  it('that exists already is adopted on request only, and shown before it is changed', async () => {
    await write('payments', viewers('user:a@example.com'));
    const plan = await world.plan();
    expect(actionsOf(plan)).toEqual(['adopt access']);
    expect(plan.guards.map(({ name }) => name)).toEqual(['adopt:access']);
    expect(JSON.stringify(plan.steps[0]?.fields)).toContain('group:platform@example.com');
    await world.apply(allow('adopt:access'));
    expect((await world.plan()).steps).toEqual([]);
    expect(await onService('payments')).not.toContain('group:platform@example.com');
  });

  it('is not emptied unless that is allowed by name, protected or not', async () => {
    await write('empty', viewers('user:a@example.com'));
    await world.apply();
    await world.write({ 'catalogue/all.yaml': { resources: { other: { type: 'platform:Api' } } } });
    const plan = await world.plan();
    expect(plan.guards.map(({ name, lifted }) => [name, lifted])).toEqual([['delete:access', undefined]]);
    expect(plan.guards[0]?.summary).toBe(
      'access would be deleted: everybody that its policy lets in loses access to the service',
    );
    const destroyed = await world.open((project) => project.plan({ mode: 'destroy' }));
    expect(destroyed.plan?.guards.map(({ name }) => name)).toEqual(['delete:access']);
    await world.apply(allow('delete:access'));
    expect(await onService('empty')).not.toContain('user:a@example.com');
  });

  it('costs one request while nothing changes', async () => {
    await write('empty', viewers('user:a@example.com'));
    await world.apply();
    await world.resetRequests();
    expect((await world.plan()).steps).toEqual([]);
    expect((await world.requests()).total).toBe(1);
  });

  it.each(['update', 'delete'])(
    'changed between plan and %s: a conflict, and what others wrote stays',
    async (action) => {
      await write('empty', viewers('user:a@example.com'));
      await world.apply();
      if (action === 'update') await write('empty', viewers('user:b@example.com'));
      else await world.write({ 'catalogue/all.yaml': { resources: { other: { type: 'platform:Api' } } } });
      const result = await world.open(async (project) => {
        const planned = await project.plan(allow('delete:access'));
        await edit('empty', { etag: 'BwYVx3tsmGE=', ...viewers('user:eve@example.com') });
        return project.apply(planned);
      });
      expect(result.status).not.toBe('done');
      expect(JSON.stringify(result)).toContain(action === 'update' ? 'policy-changed' : 'changed-since-plan');
      expect(await onService('empty')).toContain('user:eve@example.com');
      expect(await onService('empty')).not.toContain('user:b@example.com');
    },
  );

  it('set by somebody else between plan and create: a conflict, and theirs stays', async () => {
    await write('empty', viewers('user:a@example.com'));
    const result = await world.open(async (project) => {
      const planned = await project.plan();
      await edit('empty', { etag: 'BwYVx3tsmGE=', ...viewers('user:eve@example.com') });
      return project.apply(planned);
    });
    expect(result.status).not.toBe('done');
    expect(JSON.stringify(result)).toContain('policy-exists');
    expect(JSON.stringify(result)).toContain(`sync adopt access 'services/empty.${cloudServiceDomain}'`);
    expect(await onService('empty')).toContain('user:eve@example.com');
    expect(await onService('empty')).not.toContain('user:a@example.com');
  });

  it('whose write lost its answer is found as written', async () => {
    await write('empty', viewers('user:a@example.com'));
    await world.call('PUT', '/_sandbox/faults', [
      { match: { route: '/v1/services/*:setIamPolicy' }, times: 1, action: { reset: 'after-commit' } },
    ]);
    await world.apply();
    const { body } = await world.call('GET', '/_sandbox/faults');
    expect(body).toMatchObject({ rules: [{ struck: 1 }] });
    expect((await world.plan()).steps).toEqual([]);
  });
});
