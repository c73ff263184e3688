// What is taken of Spectral, with all that it brings: four megabytes, which are a package of their own (scripts/build.mjs).
export { Document, Spectral } from '@stoplight/spectral-core';
export * as formats from '@stoplight/spectral-formats';
export * as functions from '@stoplight/spectral-functions';
export { Resolver } from '@stoplight/spectral-ref-resolver';
export { asyncapi, oas } from '@stoplight/spectral-rulesets';
