// A task in the words of a person: the tools that a model calls for it, and what it can tell in the end. Arguments come from the
// words and from earlier answers alone, so a missing id shows; docs/mcp-tasks.md is written from the same list.

/** What the tools have answered so far, in order. */
export type Seen = ReadonlyArray<any>

export interface Step {
  readonly tool: string
  readonly args: (seen: Seen) => Record<string, unknown>
  /** The first answer is a refusal that says what to do. */
  readonly refused?: RegExp
}

export interface PlainTask {
  readonly words: string
  readonly steps: ReadonlyArray<Step>
  /** What the answers show; throws where they do not. */
  readonly shows: (seen: Seen) => void
}

export const call = (
  tool: string,
  args: (seen: Seen) => Record<string, unknown> = () => ({}),
  refused?: RegExp
): Step => ({ tool, args, ...(refused === undefined ? {} : { refused }) })

export const task = (words: string, steps: ReadonlyArray<Step>, shows: (seen: Seen) => void): PlainTask => ({
  words,
  steps,
  shows
})

/** The id of an app of `list_apps`, by its name. */
export const appOf = (answer: any, name: string): number =>
  answer.apps.find((one: any) => one.name === name).app_id as number

/** A field of `describe_app`, by its label. */
export const fieldOf = (answer: any, label: string): any => answer.fields.find((one: any) => one.label === label)

/** The option of a category or status, by its text. */
export const optionOf = (field: any, text: string): number =>
  field.config.settings.options.find((one: any) => one.text === text).id as number

/** An automation of `list_automations`, by its name. */
export const automationOf = (answer: any, name: string): any => answer.automations.find((one: any) => one.name === name)

/** The filter for a record by the number that people know it by. */
export const byNumber = (number: number) => [
  { type: "app_record_id", match_type: "equal", values: [{ value: number }] }
]

/** The value of a record's field, as it is read. */
export const valueOf = (record: any, externalId: string): any =>
  record.fields.find((one: any) => one.external_id === externalId)?.values[0]?.value
