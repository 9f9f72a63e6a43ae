// Texts of the editor's forms: values, references, conditions, assignments, lists, secrets, zones.

export const assignments = {
  fieldThatIsGone: "A field that is gone",
  byAnExpression: "By an expression",
  removeLabel: (label: string) => `Remove ${label}`,
  remove: "Remove",
  addAField: "Add a field"
} as const

export const condition = {
  number: "Number",
  yes: "Yes",
  text: "Text",
  howMany: "How many",
  unit: "Unit",
  unitS: (unit: string) => `${unit}s`,
  fromToday: "From today",
  after: "after",
  before: "before"
} as const

export const control = {
  required: " (required)",
  choose: "Choose"
} as const

export const entities = {
  choose: "Choose",
  noChosenId: (chosenId: number) => `No. ${chosenId}`,
  automationItself: "The automation itself",
  noneChosen: "None chosen: any field."
} as const

export const filterBuilder = {
  howManyMustHold: "How many must hold",
  allOfThem: "All of them",
  oneOfThem: "One of them",
  conditionAt: (at: number) => `Condition ${at}`,
  inJavaScript: (name: string) => `${name}, in JavaScript`,
  removeName: (name: string) => `Remove ${name}`,
  remove: "Remove",
  addACondition: "Add a condition",
  addAGroup: "Add a group",
  addAScript: "Add a script"
} as const

export const jsonValue = {
  labelAsJson: (label: string) => `${label}, as JSON`,
  notTakenOverYet: (mistake: string) => `Not taken over yet: ${mistake}`
} as const

export const listEditor = {
  removeLabelAt: (label: string, at: number) => `Remove ${label} ${at}`,
  remove: "Remove",
  addLabel: (label: string) => `Add: ${label}`,
  add: "Add"
} as const

export const numbersInput = {
  typeWholeNumbersWithCommas: "Type whole numbers with commas between them, such as 1, 15."
} as const

export const referenceSelect = {
  choose: "Choose",
  addOne: "Add one",
  removeWords: (words: string) => `Remove: ${words}`,
  noOne: (one: number) => `No. ${one}`,
  addAValue: "Add a value",
  addTheNumber: "Add the number of a record",
  numberOfARecord: "Number of a record",
  addFromAValue: "Add from a value"
} as const

export const schemaForm = {
  moreSettings: "More settings"
} as const

export const secretSelect = {
  noSecretsYet: "No secrets yet",
  choose: "Choose"
} as const

export const valueCondition = {
  value: "Value",
  text: "Text"
} as const

export const valueEditor = {
  messageItStandsAsText: (message: string) => `${message} It stands as text.`
} as const

export const valuePicker = {
  valuesForLabel: (label: string) => `Values for ${label}`,
  findAValue: "Find a value",
  countGroups: (count: number) => `${count} groups`,
  close: "Close",
  noValueIsCalledSo: "No value is called so.",
  insertAValueLabel: (label: string) => `Insert a value: ${label}`,
  insertAValue: "Insert a value"
} as const

export const zoneSelect = {
  theAutomations: "The automation's"
} as const
