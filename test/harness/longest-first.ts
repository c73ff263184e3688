import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those that take longest, of all the longest: in a clean clone no time is known, and some of them are small files. */
const dearest = [
  'test/pulumi/real-yaml.test.ts',
  'test/ci/walk.test.ts',
  'test/pulumi/stand-in.test.ts',
  'test/process/help-examples.test.ts',
  // Made of the packages that the first one builds meanwhile.
  'test/pulumi/public-types.test.ts',
  'test/editor/language-server.test.ts',
  'test/security/proposals.test.ts',
  'test/conformance/conformance.test.ts',
  'test/process/packed.test.ts',
];

/** The long tests first, so that at the end there are only short ones to share out among the workers. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // Within a project by the time of the last run or, without one, by size.
    const sorted = await super.sort(files);
    const isLong = ({ project }: TestSpecification): boolean => project.name !== 'fast';
    // Workers are shared by the files of one project: those of another come after.
    const projects = [...new Set([...sorted.filter(isLong), ...sorted].map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      const place = (file: TestSpecification): number => dearest.indexOf(relative(project.config.root, file.moduleId));
      const first = own.filter((file) => place(file) >= 0).sort((a, b) => place(a) - place(b));
      return [...first, ...own.filter((file) => place(file) < 0)];
    });
  }
}
