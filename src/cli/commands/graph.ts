import { option } from '../arguments/flag.js';
import { compareText } from '@platform-sync/core/model/address';
import { dotGraph, mermaidGraph } from '@platform-sync/report/text/graph';
import { jsonText } from '@platform-sync/report/words/json-text';
import { exitCode } from '../process/exit-code.js';
import { printProblems } from '../run/run-context.js';
import { command } from '../run/command.js';

export const graphCommand = command({
  summary: 'Print the dependencies of the catalogue.',
  description: 'An arrow points to the resource that comes first. Works without network.',
  examples: ['sync graph', 'sync graph --format dot | dot -Tsvg > graph.svg'],
  flags: {
    format: option({
      options: ['mermaid', 'dot', 'json'] as const,
      description: 'language of the graph',
      default: 'mermaid' as const,
    })(),
  },
  needs: 'project',
  async run({ flags, host, context, project }) {
    const { desired, diagnostics } = await project.validate();
    if (desired === undefined) {
      printProblems(context, diagnostics);
      return exitCode({ errors: true });
    }
    const { dependencyGraph } = await import('@platform-sync/core/resolve/graph');
    const graph = dependencyGraph(desired);
    if (flags.format === 'json') {
      const resources = [...desired.resources].map(([address, { type }]) => {
        return { address, type, needs: [...(graph.get(address) ?? [])].sort(compareText) };
      });
      host.out(jsonText({ resources }));
      return 0;
    }
    const types = new Map([...desired.resources].map(([address, resource]) => [address, resource.type]));
    const view = { types, dependencies: graph };
    host.out(flags.format === 'dot' ? dotGraph(view) : mermaidGraph(view));
    return 0;
  },
});
