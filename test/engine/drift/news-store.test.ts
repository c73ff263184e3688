import { describe } from 'vitest';
import { backends } from '../state/backends.js';
import { newsContract } from './news-contract.js';

describe.each(Object.entries(backends))('the news of a %s store', (name, start) => {
  newsContract(name, start);
});
