// Texts of a field's settings by its type: options, numbers, dates, relations, calculations.
import type { ReactNode } from "react"
import { nodes } from "../nodes.ts"

export const calculationForm = {
  results: {
    number: "Number",
    text: "Text",
    date: "Date",
    boolean: "Yes or no"
  },
  expression: "Expression",
  priceQuantity: "price * quantity",
  fieldsNames: (names: string) => `Fields: ${names}`,
  noneYet: "none yet",
  result: "Result",
  typeOfTheResultCannot: "The type of the result cannot be changed. Add another field for another type."
} as const

export const dateForm = {
  times: { disabled: "Days alone", enabled: "A time, if wanted", required: "Always with a time" },
  endModes: { enabled: "An end, if wanted", required: "Always with an end" },
  time: "Time",
  end: "End"
} as const

export const numberForm = {
  decimals: "Decimals",
  any: "any",
  unit: "Unit",
  kg: "kg",
  itStands: "It stands",
  behindTheNumber: "behind the number",
  beforeTheNumber: "before the number",
  itBeginsWith: "It begins with",
  inv: "INV-",
  digitsAtLeast: "Digits at least"
} as const

export const optionsForm = {
  optionNumber: (number: number) => `Option ${number}`,
  colorNames: {
    gray: "Gray",
    brown: "Brown",
    orange: "Orange",
    yellow: "Yellow",
    green: "Green",
    blue: "Blue",
    purple: "Purple",
    pink: "Pink",
    red: "Red"
  },
  colorOfOptionNumber: (number: number) => `Color of option ${number}`,
  done: (part: ReactNode) => nodes`done${part}`,
  withOptionNumber: (number: number) => `with option ${number}`,
  removeOptionNumber: (number: number) => `Remove option ${number}`,
  options: "Options",
  addAnOption: "Add an option",
  recordsInAState: "Records in a state that goes move to the first one left that means the same.",
  recordsLoseTheOptions: "Records lose the options that go.",
  itNeedsOneOption: "It needs one option that means done, and one that does not."
} as const

export const relationForm = {
  recordsOf: "Records of",
  loadingAppsFailed: "Loading apps failed."
} as const
