import { fleetCommand } from '../fleet/command.js';

export const fleetStatusCommand = fleetCommand('status', {
  summary: 'Say how every stack of a fleet stood when it was last checked.',
  description:
    'Reads fleet.yaml and what the state stores remember: the last check of each stack, since when its drift is known, the last apply and by whom. The platform is not asked.',
});
