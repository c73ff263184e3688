import { leftOut } from '../harness/left-out.js';

/** Path of the platform's public OpenAPI description, which is not part of this project; undefined when none is named. */
export const description = process.env['PLATFORM_OPENAPI'];

/** For the titles of suites that can't run without it. */
export const descriptionReason =
  description === undefined
    ? leftOut(
        'test/contract/{client,sandbox}.test.ts',
        "PLATFORM_OPENAPI is not set. Get the vendor's public OpenAPI file and name it: PLATFORM_OPENAPI=/path/of/openapi.yaml npm test",
      )
    : '';
