import { describe } from 'vitest';
import { PaperWorld } from '../harness/paper-world.js';
import { movesContract, orders } from './moves-contract.js';

describe('a declared move between stacks', () => {
  movesContract(() => Promise.resolve(new PaperWorld()), orders);
});
