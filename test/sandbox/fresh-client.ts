import { afterAll, beforeAll, beforeEach } from 'vitest';
import { Client } from './client.js';

/** One sandbox for the tests of a file; each test begins with an empty one. */
export function freshClient(use: (client: Client) => void): void {
  let client: Client;
  beforeAll(async () => {
    client = await Client.start();
    use(client);
  });
  beforeEach(async () => {
    await client.call('POST', '/_sandbox/reset');
  });
  afterAll(() => client.close());
}
