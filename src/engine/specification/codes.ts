import type { DiagnosticCodes } from '../model/diagnostic.js';

/** What is said of the specifications of APIs: by `sync validate` of all, by plans of those that they publish. */
export const specificationCodes = {
  'dangling-reference': {
    title: 'A reference of a specification leads nowhere',
    explanation:
      'A `$ref` names a part of the specification, or of another file of the project, that is not there, that only leads back to itself, or that lies outside the project. Addresses on the web are not looked at. The place is that of the `$ref`.',
  },
  'invalid-specification': {
    title: 'A specification is not valid',
    explanation:
      'The specification of an API breaks a rule of the official JSON schema of its kind: OpenAPI 2, 3.0 and 3.1, AsyncAPI 2 and 3 (bindings of protocols in AsyncAPI 3, where their version is known). The message names the first thing that is wrong, as a JSON pointer, and its place in the specification. Nothing is published. Correct it, or [say that it is published as it is](options/allowBrokenSpecification.md): then it is a warning.',
  },
  'no-specification': {
    title: "A specification can't be read",
    explanation:
      'The text that an API or a version has as its specification is neither YAML nor JSON, or has neither `openapi`, `swagger` nor `asyncapi` with a version at its top. Nothing is published. Correct it, or [say that it is published as it is](options/allowBrokenSpecification.md): then it is a warning.',
  },
  'unknown-specification-version': {
    title: 'A specification is of a version that is not known',
    explanation: 'Its rules are not checked, only that its references lead somewhere: so this is a warning.',
  },
} as const satisfies DiagnosticCodes;

export type SpecificationCode = keyof typeof specificationCodes;
