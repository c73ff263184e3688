import { Client } from '../sandbox/client.js';

/** Program of a test: makes 30 APIs in the data folder it is given and kills itself without closing anything. */
const client = await Client.start({ data: String(process.argv[2]) });
for (let at = 0; at < 30; at += 1) await client.create('/v3/apis', { name: `api ${String(at)}` });
process.kill(process.pid, 'SIGKILL');
