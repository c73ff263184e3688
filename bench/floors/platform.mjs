import request from 'undici/lib/api/api-request.js';
import Pool from 'undici/lib/dispatcher/pool.js';

const atOnce = 8;
const headers = { authorization: `Bearer ${process.env.PLATFORM_TOKEN}`, 'content-type': 'application/json' };
const pool = new Pool(process.env.PLATFORM_SERVER_URL, { connections: atOnce });

/** One request by the HTTP client that the program uses, too; the answer's JSON. */
export async function call(method, path, body) {
  const answer = await request.call(pool, { method, path, headers, body: body && JSON.stringify(body) });
  if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode}`);
  return answer.body.json();
}

/** Does the work for each item, as many at once as the program has requests in flight. */
export async function forEach(items, work) {
  const left = items[Symbol.iterator]();
  const one = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

export const hangUp = () => pool.destroy();
