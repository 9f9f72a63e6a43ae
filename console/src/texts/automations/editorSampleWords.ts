// Words of the editor's sample data: results of steps, examples of values.

export const resultWords = {
  success: { word: "Done" },
  failure: { word: "Failed" },
  skipped: { word: "Not carried out" },
  in_progress: { word: "Running" },
  cancelled: { word: "Cancelled" }
} as const

export const useValueTree = {
  fromThePayload: "From the payload"
} as const

export const valueExamples = {
  number: "number",
  date: "date",
  option: "option",
  person: "person",
  record: "record",
  file: "file",
  checklist: "checklist"
} as const
