// Texts of the editors of values, by kind of field.

export const choiceEditors = {
  nothing: "Nothing",
  thereIsNothingToChoose: "There is nothing to choose."
} as const

export const dateEditors = {
  labelTime: (label: string) => `${label}, time`,
  from: "From",
  labelFrom: (label: string) => `${label}, from`,
  to: "to",
  labelTo: (label: string) => `${label}, to`
} as const

export const fieldControl = {
  required: "(required)"
} as const

export const fieldForm = {
  itWasNotSaved: "It was not saved.",
  save: "Save",
  cancel: "Cancel",
  keepTheirs: "Keep theirs",
  saveMine: "Save mine"
} as const

export const fileEditors = {
  removeFilename: (filename: string) => `Remove ${filename}`,
  remove: "Remove",
  sending: (name: string) => `Sending ${name}`,
  wasNotSent: (name: string) => `${name} was not sent.`,
  addToLabel: (label: string) => `Add to ${label}`
} as const

export const relationEditors = {
  findLabel: (label: string) => `Find ${label}`,
  partOfTheTitle: "A part of the title"
} as const

export const textEditors = {
  checklist: { hint: "One in a line, [x] before what is done." },
  thisTextIsHtml: "This text is HTML: <p>, <b>, <i>, <a href=…>, lists.",
  oneInALine: "One in a line."
} as const
