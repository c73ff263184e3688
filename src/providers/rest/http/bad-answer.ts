/** What is wrong with an answer, as the end of the sentence "the answer holds …". */
export class BadAnswer {
  readonly holds: string;
  constructor(holds: string) {
    this.holds = holds;
  }
}
