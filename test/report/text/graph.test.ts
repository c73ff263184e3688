import { expect, it } from 'vitest';
import { dotGraph, mermaidGraph } from '@platform-sync/report/text/graph';

const view = {
  types: new Map([
    ['petstore', 'platform:index/api:Api'],
    ['petstore/guide', 'platform:index/apiDocument:ApiDocument'],
    ['x"]; click', 'platform:index/api:Api'],
  ]),
  dependencies: new Map([['petstore/guide', ['petstore']]]),
};

it('draws mermaid with quoted names', () => {
  expect(mermaidGraph(view)).toBe(`flowchart LR
  n0["petstore<br>platform:Api"]
  n1["petstore/guide<br>platform:ApiDocument"]
  n2["x&quot;]; click<br>platform:Api"]
  n1 --> n0
`);
});

it('draws graphviz with quoted names', () => {
  expect(dotGraph(view)).toContain('"petstore/guide" -> "petstore";');
  expect(dotGraph(view)).toContain('"x\\"]; click" [tooltip="platform:Api"];');
});
