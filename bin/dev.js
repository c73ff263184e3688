#!/usr/bin/env node
// Runs the sources without a build; for work on the program itself.
import { register } from 'tsx/esm/api';

register();
await import('@platform-sync/cli/main');
