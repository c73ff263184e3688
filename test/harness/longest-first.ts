import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The long tests first, so that at the end there are only short ones to share out among the workers. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // Within a project by the time of the last run or, without one, by size.
    const sorted = await super.sort(files);
    const isLong = ({ project }: TestSpecification): boolean => project.name !== 'fast';
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
