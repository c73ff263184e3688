import type { DiagnosticCodes } from '../engine/model/diagnostic.js';

/** What `types compile` and `types diff` report. */
export const typesCodes = {
  'description-unreadable': {
    title: 'A description or rules file can not be read',
    explanation:
      'The file is missing, is neither JSON nor YAML, is too large (32 MB), nested too deeply, or is no OpenAPI 3 description. The message says where.',
  },
  'remote-reference': {
    title: 'A description refers to another document',
    explanation:
      'Only references into the same document (`#/…`) are followed: nothing is fetched. Bundle the description into one file first.',
  },
  'broken-reference': {
    title: 'A reference in a description leads nowhere',
    explanation: 'What it names is not in the document, or it leads back to itself. Correct the description.',
  },
  'description-too-large': {
    title: 'A description describes more than is compiled',
    explanation: 'Schemas were followed a million times without an end. Leave out paths that no type needs.',
  },
  'undecided-type': {
    title: 'No rule decides something about a type',
    explanation:
      'The definition works, and leaves open what the message names. Decide it with a correction in the rules file, with the reason in `why`.',
  },
  'wrong-correction': {
    title: 'A rules file says something that does not fit',
    explanation:
      'A correction names a type or field that the description does not have, has no `why`, or says what no definition can hold.',
  },
} as const satisfies DiagnosticCodes;

export type TypesCode = keyof typeof typesCodes;
