import type { DiagnosticCodes } from '../model/diagnostic.js';

/** What `sync validate` says of the specifications of APIs. */
export const specificationCodes = {
  'invalid-specification': {
    title: 'A specification is not valid',
    explanation:
      'The specification of an API breaks a rule of the official JSON schema of its kind: OpenAPI 2, 3.0 and 3.1, AsyncAPI 2 and 3 (bindings of protocols in AsyncAPI 3, where their version is known). The message names the first place that is wrong, as a JSON pointer. The platform keeps such a specification, with messages of its own, and portals may not show it: so this is a warning.',
  },
  'no-specification': {
    title: 'A text is no specification',
    explanation:
      'The text that an API or a version has as its specification is neither YAML nor JSON, or has neither `openapi`, `swagger` nor `asyncapi` of a known version at its top. The platform keeps it all the same, so this is a warning.',
  },
} as const satisfies DiagnosticCodes;

export type SpecificationCode = keyof typeof specificationCodes;
