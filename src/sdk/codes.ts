import type { DiagnosticCodes } from '../engine/model/diagnostic.js';

/** What the functions for programs report, beyond what providers say. */
export const sdkCodes = {
  'invalid-arguments': {
    title: 'A function was called with arguments it does not take',
    explanation:
      'Found before anything is sent. The message names the argument and what it takes; the page of the function lists all of them.',
  },
  'unknown-provider-setting': {
    title: 'A provider instance was made with a setting it does not have',
    explanation: 'The message names the settings there are. Settings are written in camelCase: `serverUrl`.',
  },
  'wrong-provider-instance': {
    title: 'A function was given an instance of another provider',
    explanation: '`options.provider` must be made by the class of the provider that the function belongs to.',
  },
  'provider-closed': {
    title: 'A provider instance was used after it was closed',
    explanation: 'Nothing can be called through it any more. Close an instance last, or make a new one.',
  },
  'output-unknown': {
    title: 'The value of an Output was asked for before it is known',
    explanation:
      'It depends on something that does not exist yet. `isKnown()` tells; `apply()` waits; `promise()` and `reveal()` reject.',
  },
  'output-secret': {
    title: 'The value of a secret Output was asked for with promise()',
    explanation: 'A secret leaves its Output only where the program says so: with `reveal()`.',
  },
  'value-holds-itself': {
    title: 'A value that holds itself can not become an Output',
    explanation: 'Outputs and arguments are trees. Take the reference back to the object above out.',
  },
} as const satisfies DiagnosticCodes;

export type SdkCode = keyof typeof sdkCodes;
