import { fleetCommand } from '../fleet/command.js';

export const fleetPlanCommand = fleetCommand('plan', {
  summary: 'Plan every stack of a fleet; change nothing.',
  description:
    'Reads fleet.yaml and plans all of its stacks in one process, as `sync plan` does for one: which have something to apply, and which are held back. Nothing is saved to be applied. Exit code 1 when a plan failed, 3 when something could not be read, 4 when a guard blocks one.',
});
