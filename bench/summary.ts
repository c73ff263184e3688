import type { Measurement } from './measurement.js';
import { rowOf, type RowQuery } from './rows.js';
import { installName } from './scenarios/install.js';
import { lifeNames } from './scenarios/life.js';
import { oneFileNames } from './scenarios/one-file.js';
import { caseName, largeCase, smallCase } from './scenarios/peers.js';
import { showName } from './scenarios/show.js';
import { startNames } from './scenarios/start.js';
import type { Table } from './table.js';
import { comparedNames } from './terraform/compare.js';

type Find = (query: RowQuery) => Measurement;

/** One figure for the front page: what, the text of it, and the command that measures it again. */
interface Figure {
  readonly what: string;
  readonly text: (find: Find) => string;
  readonly command: string;
}

const seconds = ({ wallMs: { median } }: Measurement): string => `${(median / 1000).toFixed(median < 950 ? 2 : 1)} s`;
const memory = ({ peakMb }: Measurement): string => `${Math.round(peakMb.max)} MB`;
const calls = ({ requests = 0 }: Measurement): string => `${requests.toLocaleString('en')} requests`;
const speed = ({ bytes = 0, wallMs }: Measurement): string => `${(bytes / 1e3 / wallMs.median).toFixed(1)} MB/s`;
const ratio = (above: Measurement, below: Measurement): string =>
  `${(above.wallMs.median / below.wallMs.median).toFixed(1)} ×`;

const { ours, terraform } = comparedNames;
const small = (name: string): RowQuery => ({ name: caseName(name, smallCase) });

const summarized: readonly Figure[] = [
  {
    what: '`sync --version`, beside a Node that does nothing',
    text: (find) => ratio(find({ name: startNames.version }), find({ name: startNames.bare })),
    command: '--only start',
  },
  {
    what: 'one installation',
    text: (find) => {
      const { packages = 0, bytes = 0 } = find({ name: installName });
      return `${packages} packages, ${Math.round(bytes / 1e6)} MB`;
    },
    command: '--only install',
  },
  {
    what: '5,000 resources, nothing to do: `sync plan`',
    text: (find) => {
      const [sync, other] = [find({ name: ours.plan }), find({ name: terraform.plan('catalogue') })];
      return `${seconds(sync)}, ${memory(sync)}; Terraform, as many of its own: ${seconds(other)}, ${memory(other)}`;
    },
    command: '--against terraform',
  },
  {
    what: '5,000 resources, first `sync apply`',
    text: (find) => {
      const [sync, other] = [find({ name: ours.apply }), find({ name: terraform.apply('catalogue') })];
      return `${seconds(sync)}; Terraform, as many of its own, which need no platform: ${seconds(other)}`;
    },
    command: '--against terraform',
  },
  {
    what: '50 APIs × 10 documents of 8 KiB, 86 ms a call: create',
    text: (find) => `${calls(find(small(lifeNames.firstApply)))}, ${seconds(find(small(lifeNames.firstApply)))}`,
    command: '--only peers',
  },
  {
    what: 'the same, nothing to do: plan',
    text: (find) => `${calls(find(small(lifeNames.nothing)))}, ${seconds(find(small(lifeNames.nothing)))}`,
    command: '--only peers',
  },
  {
    what: '1,000 APIs × 10 documents, 86 ms a call: plan',
    text: (find) => {
      const row = find({ name: caseName(lifeNames.nothing, largeCase) });
      return `${calls(row)}, ${seconds(row)}`;
    },
    command: '--only peers',
  },
  {
    what: '100,000 resources: plan against recorded state',
    text: (find) => {
      const row = find({ name: lifeNames.recorded, size: 100_000 });
      return `${seconds(row)}, ${memory(row)}`;
    },
    command: '--only recorded',
  },
  {
    what: 'one catalogue file of 20 MB: validate',
    text: (find) =>
      `${speed(find({ name: oneFileNames.validate }))}; the \`yaml\` package alone: ${speed(find({ name: oneFileNames.parse }))}`,
    command: '--only file',
  },
  {
    what: 'a plan of 5,000 changes as Markdown, as HTML',
    text: (find) =>
      [showName('markdown', 'updates'), showName('html', 'updates')]
        .map((name) => seconds(find({ name, size: 5000 })))
        .join(', '),
    command: '--only show',
  },
];

/** What the front page shows; a dash where this run did not measure it. */
export function summaryTable(rows: readonly Measurement[]): Table {
  return {
    head: ['what', 'measured', '`npm run bench --` …'],
    lines: summarized.map(({ what, text, command }) => [what, textOr(text, rows), `\`${command}\``]),
  };
}

class NotMeasured extends Error {}

function textOr(text: Figure['text'], rows: readonly Measurement[]): string {
  try {
    return text((query) => {
      const row = rowOf(rows, query);
      if (row === undefined) throw new NotMeasured();
      return row;
    });
  } catch (error) {
    if (error instanceof NotMeasured) return '–';
    throw error;
  }
}
