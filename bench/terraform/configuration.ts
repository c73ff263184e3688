import { documentText, type Shape } from '../catalogue.js';

/**
 * The same objects in Terraform's words. `catalogue`: a block for every object, documents refer to their API, all values
 * as in our files. `counted`: one block with a count and a single short value, the least that many resources can be.
 */
export type Form = 'catalogue' | 'counted';

/** Text of main.tf. `stateUrl`: address for the `http` backend; without it state is a local file. */
export function configuration(form: Form, shape: Shape, stateUrl?: string): string {
  return `${stateUrl === undefined ? '' : backend(stateUrl)}${form === 'counted' ? counted(shape) : blocks(shape)}`;
}

function backend(url: string): string {
  return `terraform {
  backend "http" {
    address        = "${url}"
    lock_address   = "${url}"
    unlock_address = "${url}"
  }
}
`;
}

function counted({ apis, documents }: Shape): string {
  return `resource "terraform_data" "r" {
  count = ${apis * (1 + documents)}
  input = "Object \${count.index}"
}
`;
}

function blocks(shape: Shape): string {
  return Array.from({ length: shape.apis }, (_, api) =>
    [apiBlock(api), ...Array.from({ length: shape.documents }, (_d, number) => documentBlock(api, number, shape))].join(
      '',
    ),
  ).join('');
}

function apiBlock(index: number): string {
  return `resource "terraform_data" "api${index}" {
  input = {
    name        = "API number ${index}"
    version     = "1.0"
    description = "As at first."
    labels      = { team = "team-${index % 7}", tier = "gold" }
    attributes  = { domain = ["payments", "orders"], owner = ["team ${index % 7}"] }
  }
}
`;
}

function documentBlock(api: number, number: number, { content }: Shape): string {
  return `resource "terraform_data" "api${api}_doc${number}" {
  input = {
    apiId   = terraform_data.api${api}.id
    title   = "Document ${number}"
    content = ${JSON.stringify(documentText(api, number, content))}
    status  = "published"
  }
}
`;
}
