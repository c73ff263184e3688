export { readFleet, type Fleet } from '@platform-sync/catalogue/project/fleet-file';
