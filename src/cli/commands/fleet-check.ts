import { fleetCommand } from '../fleet/command.js';

export const fleetCheckCommand = fleetCommand('check', {
  summary: 'Check every stack of a fleet for drift; change nothing.',
  description:
    "Reads fleet.yaml, checks all of its stacks in one process, and says which need somebody: since when, why, and whose they are. Stacks that ask one server with one token keep one pace, and a list that several of them need is read once. A stack that can't be checked keeps none of the others from being checked. Exit code 1 when a check failed, 3 when something could not be compared, 2 on drift.",
});
