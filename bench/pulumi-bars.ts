import { cpu, greatest, megabytes, milliseconds, of, peak, plain, requests, wall, type Bar } from './bar.js';
import { pulumiNames, pulumiResources } from './scenarios/pulumi.js';

const { start, preview, up, refresh } = pulumiNames;
const perResource: Bar['value'] = (rows) => {
  const all = greatest(of({ name: preview }, cpu), of({ name: up }, cpu))(rows);
  return all === undefined ? undefined : all / pulumiResources;
};

export const pulumiBars: readonly Bar[] = [
  { what: 'Pulumi provider: to the port', limit: 180, write: milliseconds, value: of({ name: start }, wall) },
  {
    what: 'Pulumi provider: CPU per unchanged resource, of 1,000',
    limit: 2.5,
    write: (value) => `${value.toFixed(2)} ms`,
    value: perResource,
  },
  {
    what: 'Pulumi provider: memory, 1,000 unchanged or refreshed',
    limit: 150,
    write: megabytes,
    value: greatest(of({ name: preview }, peak), of({ name: up }, peak), of({ name: refresh }, peak)),
  },
  {
    what: 'Pulumi provider: requests of an unchanged preview and up',
    limit: 0,
    write: plain,
    value: greatest(of({ name: preview }, requests), of({ name: up }, requests)),
  },
  {
    what: 'Pulumi provider: requests of a refresh of 1,000',
    limit: 60,
    write: plain,
    value: of({ name: refresh }, requests),
  },
];
