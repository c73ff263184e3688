import type { LookupType } from '../model/provider.js';

/** What another stack of the project told after its last apply: `!lookup {function: stack:getOutput, …}`. */
export const outputLookup: LookupType = {
  token: 'stack:index/getOutput:getOutput',
  shortToken: 'stack:getOutput',
  name: 'getOutput',
  provider: 'stack',
  description: 'An output of another stack of this project, as its last apply recorded it in the same state store.',
  inputs: {
    type: 'object',
    additionalProperties: false,
    required: ['stack', 'name'],
    properties: {
      stack: { type: 'string', description: 'The other stack.' },
      name: { type: 'string', description: 'Name of the output.' },
    },
  },
  outputs: {
    type: 'object',
    required: ['value'],
    properties: { value: { description: 'What it is; never a secret.' } },
  },
};
