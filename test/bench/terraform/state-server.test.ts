import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startStateServer, type StateServer } from '../../../bench/terraform/state-server.js';

let server: StateServer;
beforeEach(async () => {
  server = await startStateServer();
});
afterEach(() => server.close());

async function call(method: string, body?: string, query = ''): Promise<{ status: number; text: string }> {
  const response = await fetch(server.url + query, { method, ...(body === undefined ? {} : { body }) });
  return { status: response.status, text: await response.text() };
}

describe('the server for Terraform’s http backend', () => {
  test('keeps the last state it was given', async () => {
    expect(await call('GET')).toMatchObject({ status: 404 });
    await call('POST', 'one');
    await call('POST', 'two');
    expect(await call('GET')).toEqual({ status: 200, text: 'two' });
    expect(server.writes()).toBe(2);
  });

  test('has one lock: a second is told who holds it', async () => {
    expect(await call('LOCK', '{"ID":"a"}')).toMatchObject({ status: 200 });
    expect(await call('LOCK', '{"ID":"b"}')).toEqual({ status: 423, text: '{"ID":"a"}' });
    await call('UNLOCK', '{"ID":"a"}');
    expect(await call('LOCK', '{"ID":"b"}')).toMatchObject({ status: 200 });
  });

  test('takes writes only from the holder of the lock', async () => {
    await call('LOCK', '{"ID":"a"}');
    expect(await call('POST', 'foreign', '?ID=b')).toMatchObject({ status: 423 });
    expect(await call('POST', 'own', '?ID=a')).toMatchObject({ status: 200 });
    expect(await call('GET')).toMatchObject({ text: 'own' });
  });
});
