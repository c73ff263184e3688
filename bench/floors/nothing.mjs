// The least that a `plan` with nothing to do can be: that of `recorded.mjs`, and every list asked for and parsed.
import './recorded.mjs';
import { call, forEach, hangUp } from './platform.mjs';

const pageSize = 100;
const ids = [];
for (let page = 1, total = 1; ids.length < total; page++) {
  const { data, meta } = await call('GET', `/v3/apis?page[size]=${pageSize}&page[number]=${page}`);
  ids.push(...data.map(({ id }) => id));
  total = meta.page.total;
}
let documents = 0;
await forEach(ids, async (id) => {
  const { data } = await call('GET', `/v3/apis/${id}/documents`);
  documents += data.length;
});
console.log(`${ids.length} APIs, ${documents} documents`);
await hangUp();
