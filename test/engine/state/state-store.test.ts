import { describe } from 'vitest';
import { backends } from './backends.js';
import { storeContract } from './store-contract.js';

describe.each(Object.entries(backends))('a %s store', (_name, start) => {
  storeContract(start);
});
