import { string } from './flag.js';

/** The flag of every command that writes state: how long to wait for the run that holds it. */
export const lockTimeout = string({
  description: 'wait this long for another run to finish: 30s, 5m',
  helpValue: 'TIME',
  default: '0s',
});
