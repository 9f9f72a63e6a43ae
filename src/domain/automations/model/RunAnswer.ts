// What a run answers to who waits for it at its inbound address (developer-api.md 7.9), resolved: at the end of the run, or by a step
// before it.
export interface RunAnswer {
  readonly status: number
  /** Headers by name in lower case: those of the author, `content-type` and `location`. Without a type it is the file's. */
  readonly headers: Readonly<Record<string, string>>
  /** The body, where it is no text. */
  readonly file_id: number | null
  readonly body: string
}
export type AnswerHead = Omit<RunAnswer, "body">

/** As many bytes as may come to an address with one request. */
export const ANSWER_FILE_BYTES = 25_000_000
